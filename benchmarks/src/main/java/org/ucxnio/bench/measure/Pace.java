package org.ucxnio.bench.measure;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * When messages of one thread are due. At a fixed rate one that is late because the answer before it was late counts from the moment at which
 * it was due: what a user would have waited (no coordinated omission).
 */
public final class Pace {
    private final long intervalNanos;
    private long nextNanos;

    private Pace(long intervalNanos, long firstNanos) {
        this.intervalNanos = intervalNanos;
        nextNanos = firstNanos;
    }

    /**
     * The pace of one of several threads, which together are even.
     *
     * @param perSecond messages that all threads have together in a second, whether answers come or not; 0 for one that is due as soon as the
     *     answer before it is there
     * @param number of the thread, from 0
     * @param threads how many there are
     * @param startNanos when the first message of all is due
     */
    public static Pace of(int perSecond, int number, int threads, long startNanos) {
        if (perSecond == 0) {
            return new Pace(0, 0);
        }
        long intervalNanos = TimeUnit.SECONDS.toNanos(threads) / perSecond;
        return new Pace(intervalNanos, startNanos + number * intervalNanos / threads);
    }

    /** Waits for the next message to be due; returns the moment from which it counts. */
    public long await() {
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
