/**
 * The two streams of a connection, from its first byte to its last: each begins in the kernel and may move to a link in flight.
 *
 * <p>Imports: {@code link}.
 */
package org.ucxnio.stream;
