/**
 * The two streams of a connection, from its first byte to its last: each begins in the kernel and may move to a ring in flight.
 *
 * <p>Imports: {@code ring}, {@code org.ucxnio.posix} (futexes).
 */
package org.ucxnio.stream;
