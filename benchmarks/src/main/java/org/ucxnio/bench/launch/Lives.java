package org.ucxnio.bench.launch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What JVMs took that lived one after another: wall time, processor time and what they found themselves. */
final class Lives {
    private static final String FIRST = "first";
    private static final double NANOS_PER_MILLI = 1e6;

    private final List<Double> wallMillis = new ArrayList<>();
    private final List<Double> firstMillis = new ArrayList<>();
    private final Duration processorBefore;

    private Lives(Duration processorBefore) {
        this.processorBefore = processorBefore;
    }

    /** From now on. */
    static Lives begin() throws LaunchException {
        return new Lives(ProcessorOfChildren.soFar());
    }

    /** Adds a JVM that ended after {@code wallNanos} and reported {@code figures}. */
    void add(long wallNanos, Map<String, Double> figures) {
        wallMillis.add(wallNanos / NANOS_PER_MILLI);
        if (figures.containsKey(FIRST)) {
            firstMillis.add(figures.get(FIRST));
        }
    }

    int count() {
        return wallMillis.size();
    }

    /**
     * The figures of all JVMs so far, in milliseconds, where nothing else ended since the beginning.
     *
     * @param serverNanos processor time of their server, ns
     */
    Map<String, Double> results(long serverNanos) throws LaunchException {
        Map<String, Double> results = new LinkedHashMap<>();
        if (!firstMillis.isEmpty()) {
            results.put("p50", percentile(firstMillis, 50));
            results.put("p90", percentile(firstMillis, 90));
        }
        results.put("wall", percentile(wallMillis, 50));
        results.put("wall-p90", percentile(wallMillis, 90));
        long clientNanos = ProcessorOfChildren.soFar().minus(processorBefore).toNanos();
        results.put("cpu-client", clientNanos / NANOS_PER_MILLI / count());
        results.put("cpu-server", serverNanos / NANOS_PER_MILLI / count());
        return results;
    }

    /** The smallest value that is not below {@code percent} of the values. */
    static double percentile(List<Double> values, int percent) {
        int rank = (values.size() * percent + 99) / 100;
        return values.stream().sorted().toList().get(Math.max(1, rank) - 1);
    }
}
