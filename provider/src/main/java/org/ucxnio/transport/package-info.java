/**
 * Carrying connections in messages over UCX: workers, links (shared endpoints), connections as ids, slices, windows, ends of streams.
 * {@link org.ucxnio.transport.MessageCarrier} is what sessions see of it.
 *
 * <p><b>Locks.</b> Everything that belongs to a worker - its links, slices and the two streams of the connections bound to it - is
 * guarded by that worker's lock ({@link org.ucxnio.transport.TransportWorker}). The monitors of a channel's streams come before it;
 * behind it come the leaves (worker group, poller lists). A thread holds at most one worker lock. With a worker lock held a connection is
 * only told that it is ready; whatever else it has to do is done on the poller's thread.
 *
 * <p>Imports: {@code link}, {@code org.ucxnio.ucx}, {@code org.ucxnio.posix}, {@code loop}, {@code jdk}, {@code config}, {@code counters}.
 */
package org.ucxnio.transport;
