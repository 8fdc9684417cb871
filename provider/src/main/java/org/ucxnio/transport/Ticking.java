package org.ucxnio.transport;

/**
 * Over a network UCX calls a message sent that still lies in its own buffer, the kernel's being full, and nothing but progress moves
 * it on. So a worker that has sent is progressed for a while after, ever less often. Guarded by the worker's lock.
 */
final class Ticking {
    private static final long MIN_TICK_NANOS = 2_000_000;
    private static final long MAX_TICK_NANOS = 100_000_000;
    private static final long TICKING_NANOS = 60_000_000_000L;

    private final WorkerCore worker;
    private final Poller poller;
    private boolean ticking;
    private boolean sentSinceTick;
    private long tickNanos;
    private long quietNanos;

    Ticking(WorkerCore worker, Poller poller) {
        this.worker = worker;
        this.poller = poller;
    }

    /** The worker has sent something. */
    void sent() {
        sentSinceTick = true;
        if (!ticking) {
            ticking = true;
            tickNanos = MIN_TICK_NANOS;
            quietNanos = 0;
            poller.schedule(tickNanos, this::tick);
        }
    }

    private void tick() {
        worker.lock();
        try {
            while (worker.progress()) {
                // until nothing moves
            }
        } finally {
            tickAgain();
            worker.unlock();
        }
    }

    private void tickAgain() {
        quietNanos = sentSinceTick ? 0 : quietNanos + tickNanos;
        tickNanos = sentSinceTick ? MIN_TICK_NANOS : Math.min(tickNanos * 2, MAX_TICK_NANOS);
        sentSinceTick = false;
        ticking = !worker.isClosed() && quietNanos < TICKING_NANOS;
        if (ticking) {
            poller.schedule(tickNanos, this::tick);
        }
    }
}
