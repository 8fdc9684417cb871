package org.ucxnio.bench.measure;

import java.io.IOException;
import org.HdrHistogram.Histogram;

/** Round trips one after another, for a time. Owned by one thread. */
public final class RoundTrips {
    private static final int CLOCK_INTERVAL = 64;

    /** One message there, and its answer. */
    public interface RoundTrip {
        void make() throws IOException;
    }

    private final RoundTrip one;

    public RoundTrips(RoundTrip one) {
        this.one = one;
    }

    /** Makes them for some time, with a time stamp at each; nanoseconds. */
    public void timed(long durationNanos, Histogram histogram) throws IOException {
        long last = System.nanoTime();
        long end = last + durationNanos;
        while (last - end < 0) {
            one.make();
            long now = System.nanoTime();
            histogram.recordValue(now - last);
            last = now;
        }
    }

    /** The same with few time stamps; returns the mean in nanoseconds. */
    public double mean(long durationNanos) throws IOException {
        long start = System.nanoTime();
        long now = start;
        long count = 0;
        while (now - start < durationNanos) {
            for (int i = 0; i < CLOCK_INTERVAL; i++) {
                one.make();
            }
            count += CLOCK_INTERVAL;
            now = System.nanoTime();
        }
        return (double) (now - start) / count;
    }
}
