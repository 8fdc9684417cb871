package org.ucxnio.bench.measure;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.ucxnio.bench.child.Reporter;

/** Collects the latencies of one round at a time and reports the median over the rounds. */
public final class Latencies {
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final double NANOS_PER_MICRO = 1e3;

    private final Histogram current = emptyHistogram();
    private final Histogram all = emptyHistogram();
    private final double[] p50Micros;
    private final double[] p99Micros;
    private final double[] p999Micros;
    private final double[] worstMicros;
    private int rounds;

    public Latencies(int rounds) {
        p50Micros = new double[rounds];
        p99Micros = new double[rounds];
        p999Micros = new double[rounds];
        worstMicros = new double[rounds];
        // Once for nothing, before the warm-up: classes load, and in the first round the compiler would be busy with
        // them.
        addRound();
    }

    /** A histogram for latencies, ns. */
    static Histogram emptyHistogram() {
        return new Histogram(TimeUnit.MINUTES.toNanos(1), SIGNIFICANT_DIGITS);
    }

    /** The histogram of the running round, ns. */
    public Histogram current() {
        return current;
    }

    /** Throws away what was recorded, after a warm-up. */
    public void forget() {
        current.reset();
    }

    /** Ends a round. */
    public void endRound(Reporter reporter) {
        reporter.progress(addRound());
        rounds++;
        current.reset();
    }

    /** Returns what the running round was like. */
    private String addRound() {
        p50Micros[rounds] = micros(50);
        p99Micros[rounds] = micros(99);
        p999Micros[rounds] = micros(99.9);
        worstMicros[rounds] = current.getMaxValue() / NANOS_PER_MICRO;
        all.add(current);
        return "round %d of %d: p50 %.2f us, p99 %.2f us, %d samples"
                .formatted(rounds + 1, p50Micros.length, p50Micros[rounds], p99Micros[rounds], current.getTotalCount());
    }

    /** Reports {@code <prefix>p50}, {@code p99}, {@code p999} and {@code max} in microseconds, and the histogram of all rounds. */
    public void report(Reporter reporter, String prefix) {
        reporter.result(prefix + "p50", median(p50Micros));
        reporter.result(prefix + "p99", median(p99Micros));
        reporter.result(prefix + "p999", median(p999Micros));
        reporter.result(prefix + "max", median(worstMicros));
        if (!reporter.isAtPoint()) {
            reporter.histogram(prefix + "latency", encode(all));
        }
    }

    /** A histogram as a text without blanks, which {@link #decode} reads. */
    static String encode(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    /** The inverse of {@link #encode}. */
    public static Histogram decode(String text) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("not a histogram: " + text, e);
        }
    }

    private double micros(double percentile) {
        return current.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }

    /** The median of {@code values}, which stay as they are; the mean of the middle two where their number is even. */
    public static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
