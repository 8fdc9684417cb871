/**
 * The channels: socket and server channels, their states, their socket adaptors.
 *
 * <p><b>Locks of a socket channel</b>, in this order: read lock (held by a reading thread), write lock (held by a writing
 * thread), both while connecting; state lock (a leaf, held for moments, guards the lifecycle). Closing takes the state lock
 * alone, so that it never waits for a blocked reader or writer.
 *
 * <p>Imports: {@code selector} (its view of a channel), {@code connect}, {@code transport}, {@code counters}.
 */
package org.ucxnio.channel;
