package org.ucxnio.bench.measure;

import org.ucxnio.bench.child.Reporter;

/** Measures operations a second and the processor time that they cost both processes, one round at a time. */
public final class RateMeter {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Reporter reporter;
    private final ProcessorMeter processor;
    private final double[] perSecond;
    private long firstNanos;
    private long startNanos;
    private int rounds;

    /**
     * @param rounds number of rounds
     * @param reporter where results go
     * @param serverPorts where the server tells its processor time, or several do, whose times are added
     */
    public RateMeter(int rounds, Reporter reporter, int... serverPorts) {
        this(rounds, reporter, Clocks.ofServers(serverPorts));
    }

    /** One of operations that several clients may do. */
    RateMeter(int rounds, Reporter reporter, Clocks clocks) {
        this.reporter = reporter;
        processor = new ProcessorMeter(rounds, clocks);
        perSecond = new double[rounds];
        // Once for nothing: classes load, of the servers as well.
        processor.begin();
    }

    /** Begins a round. */
    public void begin() {
        processor.begin();
        startNanos = System.nanoTime();
        if (rounds == 0) {
            firstNanos = startNanos;
        }
    }

    /** Ends a round of {@code operations}; returns how many that is a second. */
    public double end(long operations) {
        long endNanos = System.nanoTime();
        processor.end(operations);
        double rate = operations * NANOS_PER_SECOND / (endNanos - startNanos);
        reporter.series("rate", (endNanos - firstNanos) / NANOS_PER_SECOND, rate);
        perSecond[rounds++] = rate;
        return rate;
    }

    /** Whether all rounds are over. */
    boolean isFull() {
        return rounds == perSecond.length;
    }

    /** The median over the rounds. */
    public double median() {
        return Latencies.median(perSecond);
    }

    /** Reports {@code rate}, {@code cpu-client} and {@code cpu-server}. */
    public void report() {
        reporter.result("rate", median());
        reportProcessor();
    }

    /** Reports {@code cpu-client} and {@code cpu-server}. */
    public void reportProcessor() {
        processor.report(reporter);
    }
}
