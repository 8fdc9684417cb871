package org.ucxnio.bench.programs.kafka;

import java.util.LinkedHashMap;
import java.util.Map;
import org.ucxnio.bench.child.Acceleration;
import org.ucxnio.bench.child.Expectation;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.Clocks;
import org.ucxnio.bench.measure.Latencies;
import org.ucxnio.bench.measure.ProcessorMeter;

/** Runs a tool of Kafka once for each round; each run has connections of its own, and they are no longer open when it ends. */
final class KafkaLoad {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int NONE_OPEN = 0;

    private final Settings settings;
    private final Reporter reporter;
    private final PerfTool tool;
    private final int records;
    private final int size;

    KafkaLoad(Settings settings, Reporter reporter) {
        this.settings = settings;
        this.reporter = reporter;
        tool = new PerfTool(settings.integer("port"));
        records = settings.integer("records");
        size = settings.integer("size");
    }

    /** One run of a tool, and what it says. */
    @FunctionalInterface
    private interface Round {
        Map<String, Double> run() throws Exception;
    }

    /** Measures and reports. */
    void measure() throws Exception {
        String what = settings.text("tool");
        switch (what) {
            case "producer" -> measure(() -> tool.produce(records, size));
            case "consumer" -> {
                reporter.progress("producing the records");
                tool.produce(records, size);
                measure(() -> tool.consume(records));
            }
            default -> throw new IllegalArgumentException("no tool " + what + "; there are producer and consumer");
        }
    }

    private void measure(Round round) throws Exception {
        Expectation expected = Expectation.of(settings.text("expect"));
        long end = System.nanoTime() + settings.number("warmup-ms") * NANOS_PER_MILLI;
        do {
            reporter.progress("warm-up");
            round.run();
        } while (System.nanoTime() - end < 0);
        Acceleration.awaitMove(expected, NONE_OPEN);
        int rounds = settings.integer("rounds");
        ProcessorMeter processor = new ProcessorMeter(rounds, Clocks.ofServers(settings.integer("clock-port")));
        Map<String, double[]> figures = new LinkedHashMap<>();
        for (int i = 0; i < rounds; i++) {
            reporter.progress("round %d of %d".formatted(i + 1, rounds));
            processor.begin();
            Map<String, Double> found = round.run();
            processor.end(records);
            int index = i;
            found.forEach((key, value) -> figures.computeIfAbsent(key, any -> new double[rounds])[index] = value);
        }
        figures.forEach((key, values) -> reporter.result(key, Latencies.median(values)));
        processor.report(reporter);
        Acceleration.check(reporter, expected, NONE_OPEN);
    }
}
