package org.ucxnio.bench.measure;

import java.util.Arrays;

/**
 * Keeps a core busy for a while, as a program that works on what it received. The while is a number of calls, not a span
 * of time: a thread that loses its core in the middle has the rest of its work still to do.
 */
public final class BusyWork {
    private static final int BATCHES = 2000;
    private static final int CALLS_IN_BATCH = 1000;
    private static final double NANOS_PER_MICRO = 1e3;

    private final long calls;

    private BusyWork(long calls) {
        this.calls = calls;
    }

    /** Work that takes {@code micros} of an undisturbed core; finds out how much that is, which takes some 50 ms. */
    public static BusyWork ofMicros(int micros) {
        if (micros == 0) {
            return new BusyWork(0);
        }
        BusyWork batch = new BusyWork(CALLS_IN_BATCH);
        double[] nanos = new double[BATCHES];
        for (int i = 0; i < BATCHES; i++) {
            long start = System.nanoTime();
            batch.run();
            nanos[i] = System.nanoTime() - start;
        }
        // The fastest batches are those of compiled code that nothing disturbed.
        double callNanos = Arrays.stream(nanos).min().orElseThrow() / CALLS_IN_BATCH;
        return new BusyWork(Math.round(micros * NANOS_PER_MICRO / callNanos));
    }

    /** Does the work; any number of threads at once. */
    public void run() {
        long sum = 0;
        for (long i = 0; i < calls; i++) {
            sum += System.nanoTime();
        }
        if (sum == Long.MIN_VALUE) {
            throw new IllegalStateException("never, but the sum is used");
        }
    }
}
