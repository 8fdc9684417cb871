/**
 * Moving bytes over UCX: workers, links (shared endpoints), connections as ids, slices, windows, end of stream.
 *
 * <p><b>Locks.</b> Everything that belongs to a worker - its links, slices and the send and receive sides of the
 * connections bound to it - is guarded by that worker's lock ({@link org.ucxnio.transport.TransportWorker}). Before a
 * connection is bound, its monitor guards what arrives early. Order: worker lock, then one of the leaves (connection
 * monitor, worker group, poller lists). A thread holds at most one worker lock. Listeners ({@link org.ucxnio.transport.ReadinessListener}) are
 * called with a worker lock held and take no lock but leaves.
 *
 * <p>Imports: {@code org.ucxnio.ucx}, {@code org.ucxnio.posix}, {@code loop}, {@code config}, {@code counters}.
 */
package org.ucxnio.transport;
