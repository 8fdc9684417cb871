package org.ucxnio.bench.measure;

import java.util.List;
import org.ucxnio.bench.child.Reporter;

/** Processor time that client and server use for an operation, one round at a time; reports the medians of the rounds. */
public final class ProcessorMeter {
    private static final double NANOS_PER_MICRO = 1e3;

    private final Clocks clocks;
    private final double[] clientMicros;
    private final double[] serverMicros;
    private long clientStart;
    private long serverStart;
    private int rounds;

    /**
     * @param rounds number of rounds
     * @param clocks where servers, and clients beside this process, tell their processor time; the times of several are added
     */
    public ProcessorMeter(int rounds, Clocks clocks) {
        this.clocks = clocks;
        clientMicros = new double[rounds];
        serverMicros = new double[rounds];
    }

    /** Begins a round. */
    public void begin() {
        serverStart = sum(clocks.servers());
        clientStart = clients();
    }

    /** Ends a round of {@code operations}. */
    public void end(long operations) {
        double divisor = NANOS_PER_MICRO * Math.max(1, operations);
        clientMicros[rounds] = (clients() - clientStart) / divisor;
        serverMicros[rounds] = (sum(clocks.servers()) - serverStart) / divisor;
        rounds++;
    }

    private long clients() {
        return ProcessorTime.own() + sum(clocks.clients());
    }

    private static long sum(List<Integer> ports) {
        return ports.stream().mapToLong(ProcessorTime::of).sum();
    }

    /** Reports {@code cpu-client} and {@code cpu-server}, us for each operation. */
    public void report(Reporter reporter) {
        reporter.result("cpu-client", Latencies.median(clientMicros));
        reporter.result("cpu-server", Latencies.median(serverMicros));
    }
}
