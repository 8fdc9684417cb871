package org.ucxnio.bench.measure;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** The latencies that one thread records while another one drains them. */
public final class LatencyRecorder implements LatencySource {
    private static final int SIGNIFICANT_DIGITS = 3;

    private final SingleWriterRecorder recorder =
            new SingleWriterRecorder(TimeUnit.MINUTES.toNanos(1), SIGNIFICANT_DIGITS);
    private Histogram drained;

    /** Records one latency; the one writing thread only. */
    public void record(long nanos) {
        recorder.recordValue(nanos);
    }

    @Override
    public void drainTo(Histogram histogram) {
        drained = recorder.getIntervalHistogram(drained);
        histogram.add(drained);
    }
}
