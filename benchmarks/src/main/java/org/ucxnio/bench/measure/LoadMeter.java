package org.ucxnio.bench.measure;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.ucxnio.bench.child.Reporter;

/** Measures a load, one round at a time: operations a second, their latency and the processor time they cost. */
public final class LoadMeter {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Reporter reporter;
    private final Latencies latencies;
    private final ProcessorMeter processor;
    private final double[] perSecond;
    private long startNanos;
    private int rounds;

    /**
     * @param rounds number of rounds
     * @param serverPort where the server tells its processor time
     * @param reporter where results go
     */
    public LoadMeter(int rounds, int serverPort, Reporter reporter) {
        this(rounds, reporter, serverPort);
    }

    /**
     * @param rounds number of rounds
     * @param reporter where results go
     * @param serverPorts where servers tell their processor time, which is added
     */
    public LoadMeter(int rounds, Reporter reporter, int... serverPorts) {
        this.reporter = reporter;
        latencies = new Latencies(rounds);
        processor = new ProcessorMeter(rounds, serverPorts);
        perSecond = new double[rounds];
    }

    /** Latencies of the running round, ns: one for each operation. */
    public Histogram current() {
        return latencies.current();
    }

    /** Begins a round, and forgets the latencies before it. */
    public void begin() {
        processor.begin();
        latencies.forget();
        startNanos = System.nanoTime();
    }

    /** Ends the round. */
    public void end() {
        long elapsedNanos = System.nanoTime() - startNanos;
        long operations = current().getTotalCount();
        processor.end(operations);
        perSecond[rounds++] = operations * NANOS_PER_SECOND / elapsedNanos;
        latencies.endRound(reporter);
    }

    /** Measures all rounds of a load that other threads keep up, each with a recorder of its own, and reports them. */
    public void measure(long roundNanos, List<LatencyRecorder> recorders) throws InterruptedException {
        while (rounds < perSecond.length) {
            recorders.forEach(each -> each.drainTo(current()));
            begin();
            Thread.sleep(Math.max(1, roundNanos / NANOS_PER_MILLI));
            recorders.forEach(each -> each.drainTo(current()));
            end();
        }
        report();
    }

    /** Reports {@code rate}, {@code p50}, {@code p99}, {@code max}, {@code cpu-client} and {@code cpu-server}. */
    public void report() {
        reporter.result("rate", Latencies.median(perSecond));
        latencies.report(reporter, "");
        processor.report(reporter);
    }
}
