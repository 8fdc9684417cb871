package org.ucxnio.bench.launch;

import java.util.Arrays;
import java.util.Collection;
import org.ucxnio.bench.measure.Latencies;
import org.ucxnio.bench.table.Unit;

/**
 * One figure over all runs.
 *
 * @param runs how many there were; all others are not a number where there was none
 * @param median their median
 * @param min the smallest
 * @param max the largest
 */
record Spread(int runs, double median, double min, double max) {
    private static final Spread NONE = new Spread(0, Double.NaN, Double.NaN, Double.NaN);

    static Spread of(Collection<Double> figures) {
        if (figures.isEmpty()) {
            return NONE;
        }
        double[] values = figures.stream().mapToDouble(Double::doubleValue).toArray();
        return new Spread(
                values.length,
                Latencies.median(values),
                Arrays.stream(values).min().orElseThrow(),
                Arrays.stream(values).max().orElseThrow());
    }

    /** The median, and behind it the smallest and the largest where there were several runs. */
    String write(Unit unit) {
        return runs > 1
                ? unit.write(median) + " [" + unit.digits(min) + ' ' + unit.digits(max) + ']'
                : unit.write(median);
    }
}
