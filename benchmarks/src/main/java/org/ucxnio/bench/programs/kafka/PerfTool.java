package org.ucxnio.bench.programs.kafka;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.tools.ConsumerPerformance;
import org.apache.kafka.tools.ProducerPerformance;

/** Runs Kafka's tools and reads what they print. */
final class PerfTool {
    private static final String TOPIC = "bench";
    private static final String NO_LIMIT = "-1";

    /** The producer's last line. Those before it are about parts of the run, and have no quantiles. */
    private static final Pattern PRODUCED =
            Pattern.compile("(?m)^(\\d+) records sent, ([\\d.]+) records/sec .* (\\d+) ms 50th, .* (\\d+) ms 99th,");

    /** The consumer's only line: among others the records, and those that it fetched a second once it had joined its group. */
    private static final Pattern CONSUMED =
            Pattern.compile("(?m)^[^,]+, [^,]+, [\\d.]+, [\\d.]+, (\\d+), [\\d.]+, \\d+, -?\\d+, [\\d.]+, ([\\d.]+)$");

    private final String server;
    private int groups;

    PerfTool(int port) {
        server = "127.0.0.1:" + port;
    }

    /** Produces so many records of so many bytes; returns {@code rate}, {@code p50} and {@code p99}. */
    Map<String, Double> produce(int records, int size) throws Exception {
        return read(
                PRODUCED,
                records,
                run(() -> ProducerPerformance.main(new String[] {
                    "--bootstrap-server",
                    server,
                    "--topic",
                    TOPIC,
                    "--num-records",
                    Integer.toString(records),
                    "--record-size",
                    Integer.toString(size),
                    "--throughput",
                    NO_LIMIT
                })));
    }

    /** Consumes so many records from the first on; returns {@code rate}. */
    Map<String, Double> consume(int records) throws Exception {
        String group = "bench-" + groups++;
        return read(
                CONSUMED,
                records,
                run(() -> ConsumerPerformance.main(new String[] {
                    "--bootstrap-server",
                    server,
                    "--topic",
                    TOPIC,
                    "--num-records",
                    Integer.toString(records),
                    "--group",
                    group,
                    "--hide-header"
                })));
    }

    /** The figures of {@code text}, in which a tool says that it has moved {@code records}. */
    private static Map<String, Double> read(Pattern pattern, int records, String text) {
        Matcher line = pattern.matcher(text);
        if (!line.find() || Integer.parseInt(line.group(1)) < records) {
            throw new IllegalStateException("not what a tool says that has moved " + records + " records: " + text);
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("rate", Double.valueOf(line.group(2)));
        if (line.groupCount() > 2) {
            figures.put("p50", Double.valueOf(line.group(3)));
            figures.put("p99", Double.valueOf(line.group(4)));
        }
        return figures;
    }

    /** A tool that prints to standard output. */
    @FunctionalInterface
    private interface Tool {
        void run() throws Exception;
    }

    private static String run(Tool tool) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        System.setOut(new PrintStream(text, true, StandardCharsets.UTF_8));
        try {
            tool.run();
        } finally {
            System.setOut(before);
        }
        return text.toString(StandardCharsets.UTF_8);
    }
}
