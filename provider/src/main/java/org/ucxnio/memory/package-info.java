/**
 * The memory that rings lie in: files that two processes map, cut into blocks, within what a process may hold. Nothing here knows
 * sockets, channels or threads of its own.
 *
 * <p>Imports: {@code ring}, {@code jdk} (a way to map files).
 */
package org.ucxnio.memory;
