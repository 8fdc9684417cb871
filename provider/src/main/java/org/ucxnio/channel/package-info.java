/**
 * The channels: socket and server channels, their states, their socket adaptors; what is read and written, and who waits for it, over
 * TCP and links.
 *
 * <p><b>Locks of a socket channel</b>, in this order: read lock (held by a reading thread), write lock (held by a writing
 * thread), both while connecting; state lock (a leaf, held for moments, guards the lifecycle). Closing takes the state lock
 * alone, so that it never waits for a blocked reader or writer. A caller that holds the lock of the channel's mode lets go of it while a
 * call waits ({@link org.ucxnio.channel.ModeLockCalls}).
 *
 * <p>Imports: {@code selector} (its view of a channel), {@code transport} (its workers), {@code stream},
 * {@code link}, {@code session} and {@code ring} (connections that leave TCP), {@code loop}, {@code jdk}, {@code config}, {@code counters},
 * {@code events}, {@code org.ucxnio.ucx}, {@code org.ucxnio.posix}.
 */
package org.ucxnio.channel;
