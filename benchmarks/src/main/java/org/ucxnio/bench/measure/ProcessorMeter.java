package org.ucxnio.bench.measure;

import org.ucxnio.bench.child.Reporter;

/** Processor time that client and server use for an operation, one round at a time; reports the medians of the rounds. */
public final class ProcessorMeter {
    private static final double NANOS_PER_MICRO = 1e3;

    private final int serverPort;
    private final double[] clientMicros;
    private final double[] serverMicros;
    private long clientStart;
    private long serverStart;
    private int rounds;

    /**
     * @param rounds number of rounds
     * @param serverPort where the server tells its processor time
     */
    public ProcessorMeter(int rounds, int serverPort) {
        this.serverPort = serverPort;
        clientMicros = new double[rounds];
        serverMicros = new double[rounds];
    }

    /** Begins a round. */
    public void begin() {
        serverStart = ProcessorTime.of(serverPort);
        clientStart = ProcessorTime.own();
    }

    /** Ends a round of {@code operations}. */
    public void end(long operations) {
        double divisor = NANOS_PER_MICRO * Math.max(1, operations);
        clientMicros[rounds] = (ProcessorTime.own() - clientStart) / divisor;
        serverMicros[rounds] = (ProcessorTime.of(serverPort) - serverStart) / divisor;
        rounds++;
    }

    /** Reports {@code cpu-client} and {@code cpu-server}, us for each operation. */
    public void report(Reporter reporter) {
        reporter.result("cpu-client", Latencies.median(clientMicros));
        reporter.result("cpu-server", Latencies.median(serverMicros));
    }
}
