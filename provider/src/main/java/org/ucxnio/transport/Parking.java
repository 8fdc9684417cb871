package org.ucxnio.transport;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Where a thread in blocking mode sleeps for one direction of a connection, until whoever progresses the worker finds something for it.
 * One thread at a time.
 */
final class Parking {
    /** How long at most: the caller looks by itself then whether the peer lives. */
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final WorkerCore worker;
    private final WorkerEvents events;

    /** Asked with the worker's lock held. */
    private final BooleanSupplier ready;

    /** Written with the worker's lock held. */
    private volatile Thread parked;

    /** The parked thread's. */
    private long limit;

    Parking(WorkerCore worker, WorkerEvents events, BooleanSupplier ready) {
        this.worker = worker;
        this.events = events;
        this.ready = ready;
    }

    /** Says that this thread is about to sleep; returns whether it is not ready. Followed by {@link #disarm} in any case. */
    boolean arm() {
        worker.lock();
        try {
            parked = Thread.currentThread();
            boolean armed = events.armForWaiter();
            // Arming has taken in what had arrived, so the condition is asked behind it.
            if (ready.getAsBoolean()) {
                return false;
            }
            limit = events.watchForWaiter() && armed ? MAX_NANOS : WorkerEvents.BUSY_WAIT_NANOS;
            return true;
        } finally {
            worker.unlock();
        }
    }

    void sleep(long nanos) {
        LockSupport.parkNanos(this, Math.min(nanos, limit));
    }

    void disarm() {
        worker.lock();
        try {
            if (parked != null) {
                parked = null;
                events.waiterDone();
                worker.progress();
            }
        } finally {
            worker.unlock();
        }
    }

    /** Whoever sleeps has to look at something else. Any thread; a wake-up before the sleep ends it, too. */
    void wake() {
        LockSupport.unpark(parked);
    }

    /** With the worker's lock held: it may be ready. */
    void wakeBehindLock() {
        Thread thread = parked;
        if (thread != null) {
            worker.unparkBehindLock(thread);
        }
    }
}
