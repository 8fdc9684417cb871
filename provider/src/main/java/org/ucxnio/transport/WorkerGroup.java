package org.ucxnio.transport;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.ucxnio.link.Home;

/**
 * The workers of a selector, or of a share of the channels in blocking mode: one for each peer process on this host, one for
 * all peers on other hosts. Workers are made at the first use and outlive their last connection for a while, since the next
 * connection to the same peer is often near. Thread-safe; its monitor is a leaf.
 */
public final class WorkerGroup extends TransportWorker.Owner implements Home {
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(10);

    /**
     * How long a worker outlives the last word of its last connection in any case. A peer that has just been told of it may be
     * about to open the worker's memory, as {@code /proc/PID/fd/N}; were it closed at that moment, the peer would open, and
     * write to, whatever has the number next (seen as a peer's {@code ucp_worker_create} that never returned).
     */
    private static final long PARTING_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** No more connections are taken. */
    static final class ClosedGroupException extends IOException {
        private static final long serialVersionUID = 1L;

        ClosedGroupException() {
            super("The selector is closed");
        }
    }

    /** How often it is seen whether a worker that is no longer wanted has settled. */
    private static final long SETTLING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final class Entry {
        final TransportWorker worker;
        final Peer peer;
        int references;
        long lastRelease;

        /** A look whether the worker can go is scheduled. */
        boolean lingering;

        Entry(TransportWorker worker, Peer peer) {
            this.worker = worker;
            this.peer = peer;
        }

        /**
         * Whether nobody will look for the worker any more. On one host a peer makes an endpoint of its own to whoever asks it to be connected, when
         * it comes to the request, which may be long after the last connection. Were the worker gone by then, its place in {@code
         * /proc/PID/fd} may be another worker's: that one is answered what it has not asked, and libucx ends its process (seen as {@code
         * remote_id == ucp_ep_ext_control(ep)->remote_ep_id}). A send is pending until the peer has answered.
         */
        boolean isSettled() {
            return !peer.sameHost() || worker.hasSettled() || !peer.running().getAsBoolean();
        }
    }

    private final Transport transport;
    private final Map<TransportWorker.Key, Entry> entries = new HashMap<>();
    private boolean closed;

    WorkerGroup(Transport transport) {
        this.transport = transport;
    }

    /** The worker that serves {@code peer}; followed by {@link #release}. */
    TransportWorker acquire(Peer peer) throws IOException {
        TransportWorker.Key key = new TransportWorker.Key(peer.sameHost() ? peer.processId() : null);
        synchronized (this) {
            if (closed) {
                throw new ClosedGroupException();
            }
            Entry entry = entries.get(key);
            if (entry == null || entry.worker.isClosed()) {
                entry = new Entry(transport.newWorker(this, key), peer);
                entries.put(key, entry);
            }
            entry.references++;
            return entry.worker;
        }
    }

    @Override
    void release(TransportWorker worker) {
        boolean disposeNow = false;
        boolean lingerNow = false;
        Entry entry;
        synchronized (this) {
            entry = entries.get(worker.key());
            if (entry == null || entry.worker != worker) {
                // Retired; its last connection frees it.
                return;
            }
            if (--entry.references == 0) {
                entry.lastRelease = System.nanoTime();
                disposeNow = closed;
                lingerNow = !closed && !entry.lingering;
                entry.lingering |= lingerNow;
                if (closed) {
                    entries.remove(worker.key());
                }
            }
        }
        if (disposeNow) {
            part(entry);
            transport.forget(this);
        } else if (lingerNow) {
            transport.poller().schedule(LINGER_NANOS, () -> disposeIfIdle(worker));
        }
    }

    private void part(Entry entry) {
        transport.poller().schedule(PARTING_NANOS, () -> disposeOnceSettled(entry));
    }

    private void disposeOnceSettled(Entry entry) {
        if (entry.isSettled()) {
            entry.worker.dispose();
        } else {
            transport.poller().schedule(SETTLING_NANOS, () -> disposeOnceSettled(entry));
        }
    }

    private void disposeIfIdle(TransportWorker worker) {
        Entry entry;
        synchronized (this) {
            entry = entries.get(worker.key());
            if (entry == null || entry.worker != worker) {
                return;
            }
            entry.lingering = false;
            if (entry.references > 0) {
                return;
            }
            long left = LINGER_NANOS - (System.nanoTime() - entry.lastRelease);
            if (left > 0) {
                entry.lingering = true;
                transport.poller().schedule(left, () -> disposeIfIdle(worker));
                return;
            }
            entries.remove(worker.key());
        }
        disposeOnceSettled(entry);
    }

    @Override
    synchronized void retire(TransportWorker worker) {
        Entry entry = entries.get(worker.key());
        if (entry != null && entry.worker == worker) {
            entries.remove(worker.key());
            part(entry);
        }
    }

    @Override
    void ended(TransportWorker worker) {
        transport.retired(worker);
    }

    /** No new connections; the workers end with their last connection. */
    public void close() {
        List<Entry> unused = new ArrayList<>();
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            entries.values().removeIf(entry -> {
                if (entry.references == 0) {
                    unused.add(entry);
                }
                return entry.references == 0;
            });
        }
        unused.forEach(this::part);
        transport.forget(this);
    }

    synchronized List<TransportWorker> workers() {
        List<TransportWorker> workers = new ArrayList<>();
        for (Entry entry : entries.values()) {
            workers.add(entry.worker);
        }
        return workers;
    }
}
