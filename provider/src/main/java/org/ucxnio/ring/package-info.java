/**
 * A queue of records in memory that two processes share, for one direction of one connection: one writes, the other reads. Nothing
 * here knows sockets, sessions, threads or channels.
 *
 * <p>Imports: {@code jdk}.
 */
package org.ucxnio.ring;
