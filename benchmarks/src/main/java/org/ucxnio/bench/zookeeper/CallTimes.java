package org.ucxnio.bench.zookeeper;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.ucxnio.bench.child.Reporter;

/** Repeats a call and keeps how long each took, over as many turns as there are. For one thread. */
final class CallTimes {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Something that is asked of ZooKeeper. */
    @FunctionalInterface
    interface Call {
        void run() throws Exception;
    }

    private final String name;
    private final Call call;

    /** Null where a call waits for its answer. */
    private final Call drain;

    private final Histogram latencies = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
    private long nanos;

    private CallTimes(String name, Call call, Call drain) {
        this.name = name;
        this.call = call;
        this.drain = drain;
    }

    /** Of a call that waits for its answer. */
    static CallTimes waiting(String name, Call call) {
        return new CallTimes(name, call, null);
    }

    /** Of a call whose answer comes later; {@code drain} waits for all answers. */
    static CallTimes pipelined(String name, Call call, Call drain) {
        return new CallTimes(name, call, drain);
    }

    String name() {
        return name;
    }

    /** Repeats it for {@code settleNanos} that do not count, and then for {@code measureNanos} that do. */
    void run(long settleNanos, long measureNanos) throws Exception {
        repeat(settleNanos, false);
        nanos += repeat(measureNanos, true);
    }

    /** Returns how long it took. */
    private long repeat(long durationNanos, boolean counts) throws Exception {
        long start = System.nanoTime();
        long last = start;
        while (last - start < durationNanos) {
            call.run();
            long now = System.nanoTime();
            if (counts) {
                latencies.recordValue(now - last);
            }
            last = now;
        }
        if (drain != null) {
            drain.run();
        }
        return System.nanoTime() - start;
    }

    /** Reports {@code <name>-rate}, and {@code -p50} and {@code -p99} in us where calls wait for their answers. */
    void report(Reporter reporter) {
        reporter.result(name + "-rate", latencies.getTotalCount() * NANOS_PER_SECOND / nanos);
        if (drain == null) {
            reporter.result(name + "-p50", latencies.getValueAtPercentile(50) / NANOS_PER_MICRO);
            reporter.result(name + "-p99", latencies.getValueAtPercentile(99) / NANOS_PER_MICRO);
        }
    }
}
