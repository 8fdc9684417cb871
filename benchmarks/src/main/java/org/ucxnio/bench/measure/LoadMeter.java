package org.ucxnio.bench.measure;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.ucxnio.bench.child.Reporter;

/** Measures a load, one round at a time: operations a second, their latency and the processor time they cost. */
public final class LoadMeter {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Reporter reporter;
    private final Latencies latencies;
    private final RateMeter rates;

    /**
     * @param rounds number of rounds
     * @param reporter where results go
     * @param serverPorts where the server tells its processor time, or several do, whose times are added
     */
    public LoadMeter(int rounds, Reporter reporter, int... serverPorts) {
        this(rounds, reporter, Clocks.ofServers(serverPorts));
    }

    /** One of operations that several clients may do. */
    LoadMeter(int rounds, Reporter reporter, Clocks clocks) {
        this.reporter = reporter;
        latencies = new Latencies(rounds);
        rates = new RateMeter(rounds, reporter, clocks);
    }

    /** Latencies of the running round, ns: one for each operation. */
    public Histogram current() {
        return latencies.current();
    }

    /** Begins a round, and forgets the latencies before it. */
    public void begin() {
        latencies.forget();
        rates.begin();
    }

    /** Ends the round. */
    public void end() {
        rates.end(current().getTotalCount());
        latencies.endRound(reporter);
    }

    /** Measures all rounds of a load that other threads, or processes, keep up, each with a source of its own, and reports them. */
    public void measure(long roundNanos, List<? extends LatencySource> sources) throws InterruptedException {
        while (!rates.isFull()) {
            sources.forEach(each -> each.drainTo(current()));
            begin();
            Thread.sleep(Math.max(1, roundNanos / NANOS_PER_MILLI));
            sources.forEach(each -> each.drainTo(current()));
            end();
        }
        report();
    }

    /** Reports {@code rate}, {@code p50}, {@code p99}, {@code p999}, {@code max}, {@code cpu-client} and {@code cpu-server}. */
    public void report() {
        rates.report();
        latencies.report(reporter, "");
    }
}
