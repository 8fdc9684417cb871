package org.ucxnio.bench.programs.http;

import java.util.concurrent.locks.LockSupport;

/**
 * When requests are due. At a fixed rate a request that is late because the answer before it was late counts from the moment at which
 * it was due: what a user would have waited (no coordinated omission).
 */
final class Pace {
    private final long intervalNanos;
    private long nextNanos;

    private Pace(long intervalNanos, long firstNanos) {
        this.intervalNanos = intervalNanos;
        nextNanos = firstNanos;
    }

    /** A request is due as soon as the answer before it is there. */
    static Pace closed() {
        return new Pace(0, 0);
    }

    /** A request is due every {@code intervalNanos}, the first at {@code firstNanos}, whether answers come or not. */
    static Pace open(long intervalNanos, long firstNanos) {
        return new Pace(intervalNanos, firstNanos);
    }

    /** Waits for the next request to be due; returns the moment from which it counts. */
    long await() {
        if (intervalNanos == 0) {
            return System.nanoTime();
        }
        long due = nextNanos;
        nextNanos += intervalNanos;
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return due;
    }
}
