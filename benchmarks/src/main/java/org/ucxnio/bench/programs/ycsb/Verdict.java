package org.ucxnio.bench.programs.ycsb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;
import site.ycsb.measurements.exporter.MeasurementsExporter;

/** What YCSB found when it compared what it read with what the record must hold. */
final class Verdict implements MeasurementsExporter {
    private static final String VERIFICATION = "VERIFY";
    private static final String RETURNED = "Return=";

    private final Map<String, Long> counts = new TreeMap<>();

    private Verdict() {}

    /** What it found so far in this JVM. */
    static Verdict soFar() {
        Verdict verdict = new Verdict();
        try {
            Measurements.getMeasurements().exportMeasurements(verdict);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return verdict;
    }

    /**
     * Checks all that was read since {@code earlier}.
     *
     * @throws IllegalStateException if a record was not as it must be, or none was looked at
     */
    void check(Verdict earlier) {
        Map<String, Long> since = new TreeMap<>(counts);
        earlier.counts.forEach((status, count) -> since.merge(status, -count, Long::sum));
        since.values().removeIf(count -> count == 0);
        if (!since.keySet().equals(Set.of(Status.OK.getName()))) {
            throw new IllegalStateException("what was read is not what was written: " + since);
        }
    }

    @Override
    public void write(String metric, String measurement, int value) {
        write(metric, measurement, (long) value);
    }

    @Override
    public void write(String metric, String measurement, long value) {
        if (metric.equals(VERIFICATION) && measurement.startsWith(RETURNED)) {
            counts.put(measurement.substring(RETURNED.length()), value);
        }
    }

    @Override
    public void write(String metric, String measurement, double value) {
        // Times, which are measured elsewhere.
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
