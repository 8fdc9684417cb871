package org.ucxnio.bench.zookeeper;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.ucxnio.bench.child.Reporter;

/** Repeats a call for a while, first to warm up, then to measure. */
final class Stopwatch {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Reporter reporter;
    private final long warmupNanos;
    private final long measureNanos;
    private final Histogram latencies = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);

    Stopwatch(Reporter reporter, long warmupMillis, long measureMillis) {
        this.reporter = reporter;
        warmupNanos = TimeUnit.MILLISECONDS.toNanos(warmupMillis);
        measureNanos = TimeUnit.MILLISECONDS.toNanos(measureMillis);
    }

    /** One call to ZooKeeper. */
    @FunctionalInterface
    interface Call {
        void run() throws Exception;
    }

    /** Measures a call that waits for its answer: {@code <name>-p50} and {@code -p99} in us, {@code -rate}. */
    void time(String name, Call call) throws Exception {
        reporter.progress(name);
        repeat(call, warmupNanos);
        latencies.reset();
        long nanos = repeat(call, measureNanos);
        reporter.result(name + "-p50", latencies.getValueAtPercentile(50) / NANOS_PER_MICRO);
        reporter.result(name + "-p99", latencies.getValueAtPercentile(99) / NANOS_PER_MICRO);
        reporter.result(name + "-rate", latencies.getTotalCount() * NANOS_PER_SECOND / nanos);
    }

    /** Measures a call whose answer comes later: {@code <name>-rate}. {@code drain} waits for all answers. */
    void rate(String name, Call call, Call drain) throws Exception {
        reporter.progress(name);
        repeat(call, warmupNanos);
        drain.run();
        latencies.reset();
        long start = System.nanoTime();
        repeat(call, measureNanos);
        drain.run();
        long nanos = System.nanoTime() - start;
        reporter.result(name + "-rate", latencies.getTotalCount() * NANOS_PER_SECOND / nanos);
    }

    private long repeat(Call call, long durationNanos) throws Exception {
        long start = System.nanoTime();
        long last = start;
        while (last - start < durationNanos) {
            call.run();
            long now = System.nanoTime();
            latencies.recordValue(now - last);
            last = now;
        }
        return last - start;
    }
}
