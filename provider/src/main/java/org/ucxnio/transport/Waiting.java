package org.ucxnio.transport;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.ucxnio.loop.SpinGovernor;
import org.ucxnio.loop.Spinner;

/**
 * How a thread in blocking mode waits for one direction of a connection: it progresses the worker itself while it spins, then parks
 * until whoever progresses the worker finds something for it. One thread at a time waits.
 */
final class Waiting {
    private final Spinner spinner;

    /** Asked with the worker's lock held. */
    private final BooleanSupplier condition;

    private final BooleanSupplier closed;

    // -- guarded by the worker's lock --
    private Thread parked;
    private TransportWorker parkedAt;
    // -- end --

    Waiting(SpinGovernor governor, BooleanSupplier condition, BooleanSupplier closed) {
        this.spinner = new Spinner(governor);
        this.condition = condition;
        this.closed = closed;
    }

    /** The condition may hold now. With the worker's lock held. */
    void wake() {
        if (parked != null) {
            parkedAt.unparkBehindLock(parked);
        }
    }

    /** As {@link Spinner#begin}; {@code timeoutNanos} of 0 is no bound. */
    boolean beginSpin(long timeoutNanos) {
        return spinner.begin(timeoutNanos == 0 ? Long.MAX_VALUE : timeoutNanos);
    }

    boolean again() {
        return spinner.again();
    }

    void endSpin(boolean paidOff) {
        spinner.end(paidOff);
    }

    /** Whether the connection is open and the thread not interrupted. */
    boolean mayGoOn() {
        return !closed.getAsBoolean() && !Thread.currentThread().isInterrupted();
    }

    /** Waits {@code timeoutNanos} at most (0: without bound); returns whether the condition holds. */
    boolean await(TransportWorker worker, long timeoutNanos, boolean spinFirst) {
        long start = System.nanoTime();
        if (spinFirst && spin(worker, timeoutNanos)) {
            return true;
        }
        while (mayGoOn()) {
            long left = timeoutNanos == 0 ? Long.MAX_VALUE : timeoutNanos - (System.nanoTime() - start);
            if (left <= 0) {
                break;
            }
            if (parkOnce(worker, left)) {
                return true;
            }
        }
        return holds(worker);
    }

    private boolean spin(TransportWorker worker, long timeoutNanos) {
        if (!beginSpin(timeoutNanos)) {
            return holds(worker);
        }
        boolean paidOff = false;
        try {
            do {
                paidOff = holds(worker);
            } while (!paidOff && !closed.getAsBoolean() && spinner.again());
            return paidOff;
        } finally {
            endSpin(paidOff);
        }
    }

    private boolean holds(TransportWorker worker) {
        worker.lock();
        try {
            worker.progress();
            return condition.getAsBoolean();
        } finally {
            worker.unlock();
        }
    }

    private boolean parkOnce(TransportWorker worker, long nanos) {
        long limit = nanos;
        worker.lock();
        try {
            parked = Thread.currentThread();
            parkedAt = worker;
            boolean armed = worker.armForWaiter();
            // Arming has taken in what had arrived, so the condition is asked behind it.
            if (condition.getAsBoolean()) {
                parked = null;
                worker.waiterDone();
                return true;
            }
            if (!worker.watchForWaiter() || !armed) {
                limit = Math.min(limit, TransportWorker.BUSY_WAIT_NANOS);
            }
        } finally {
            worker.unlock();
        }
        // Closing sets its flag before it takes the lock to wake us: either we see the flag or it sees us.
        if (!closed.getAsBoolean()) {
            LockSupport.parkNanos(this, limit);
        }
        worker.lock();
        try {
            worker.waiterDone();
            parked = null;
            worker.progress();
            return condition.getAsBoolean();
        } finally {
            worker.unlock();
        }
    }
}
