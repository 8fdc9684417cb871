package org.ucxnio.bench.alltoall;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.measure.Latencies;

/** Measures all processes together, one round at a time; figures are medians of the rounds. */
final class Conductor {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;

    private final Tally own;
    private final int[] ports;
    private final double[] perSecond;
    private final double[] slowest;
    private final double[] processorMicros;

    /**
     * @param own the counts of this process
     * @param ports where the others tell theirs
     * @param rounds number of rounds
     */
    Conductor(Tally own, int[] ports, int rounds) {
        this.own = own;
        this.ports = ports.clone();
        perSecond = new double[rounds];
        slowest = new double[rounds];
        processorMicros = new double[rounds];
    }

    /** Measures and reports {@code rate}, {@code slowest} and {@code cpu}. */
    void measure(long roundMillis, Reporter reporter) throws InterruptedException {
        for (int round = 0; round < perSecond.length; round++) {
            List<Tally.Count> before = countAll();
            Thread.sleep(roundMillis);
            evaluate(round, before, countAll());
            reporter.progress("round %d of %d: %.0f messages/s, the slowest process at %.2f of the mean"
                    .formatted(round + 1, perSecond.length, perSecond[round], slowest[round]));
        }
        reporter.result("rate", Latencies.median(perSecond));
        reporter.result("slowest", Latencies.median(slowest));
        reporter.result("cpu", Latencies.median(processorMicros));
    }

    private List<Tally.Count> countAll() {
        List<Tally.Count> all = new ArrayList<>();
        for (int port : ports) {
            all.add(Tally.of(port));
        }
        all.add(own.count());
        return all;
    }

    private void evaluate(int round, List<Tally.Count> before, List<Tally.Count> after) {
        double[] moved = new double[before.size()];
        double received = 0;
        double processorNanos = 0;
        double messages = 0;
        for (int i = 0; i < moved.length; i++) {
            Tally.Count from = before.get(i);
            Tally.Count to = after.get(i);
            double seconds = (to.nanos() - from.nanos()) / NANOS_PER_SECOND;
            moved[i] = (to.sent() - from.sent() + to.received() - from.received()) / seconds;
            received += (to.received() - from.received()) / seconds;
            messages += to.received() - from.received();
            processorNanos += to.processorNanos() - from.processorNanos();
        }
        perSecond[round] = received;
        slowest[round] = Arrays.stream(moved).min().orElseThrow()
                / Arrays.stream(moved).average().orElseThrow();
        processorMicros[round] = processorNanos / NANOS_PER_MICRO / Math.max(1, messages);
    }
}
