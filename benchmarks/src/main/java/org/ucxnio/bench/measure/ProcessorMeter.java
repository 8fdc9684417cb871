package org.ucxnio.bench.measure;

import java.util.Arrays;
import org.ucxnio.bench.child.Reporter;

/** Processor time that client and server use for an operation, one round at a time; reports the medians of the rounds. */
public final class ProcessorMeter {
    private static final double NANOS_PER_MICRO = 1e3;

    private final int[] serverPorts;
    private final double[] clientMicros;
    private final double[] serverMicros;
    private long clientStart;
    private long serverStart;
    private int rounds;

    /**
     * @param rounds number of rounds
     * @param serverPorts where the server tells its processor time, or several do, whose times are added
     */
    public ProcessorMeter(int rounds, int... serverPorts) {
        this.serverPorts = serverPorts.clone();
        clientMicros = new double[rounds];
        serverMicros = new double[rounds];
    }

    /** Begins a round. */
    public void begin() {
        serverStart = servers();
        clientStart = ProcessorTime.own();
    }

    /** Ends a round of {@code operations}. */
    public void end(long operations) {
        double divisor = NANOS_PER_MICRO * Math.max(1, operations);
        clientMicros[rounds] = (ProcessorTime.own() - clientStart) / divisor;
        serverMicros[rounds] = (servers() - serverStart) / divisor;
        rounds++;
    }

    private long servers() {
        return Arrays.stream(serverPorts).mapToLong(ProcessorTime::of).sum();
    }

    /** Reports {@code cpu-client} and {@code cpu-server}, us for each operation. */
    public void report(Reporter reporter) {
        reporter.result("cpu-client", Latencies.median(clientMicros));
        reporter.result("cpu-server", Latencies.median(serverMicros));
    }
}
