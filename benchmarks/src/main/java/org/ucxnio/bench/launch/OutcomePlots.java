package org.ucxnio.bench.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.ucxnio.bench.report.Plot;
import org.ucxnio.bench.report.Plot.Line;
import org.ucxnio.bench.report.Plot.Scale;
import org.ucxnio.bench.table.Unit;

/** Makes plots of outcomes: sweeps, distributions of latencies, and rates over time. */
final class OutcomePlots {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final int TICKS_PER_HALF_DISTANCE = 5;
    private static final double SHOWN_PERCENT = 99.99;

    /** Fewer rounds are no course of time. */
    private static final int MOMENTS_AT_LEAST = 20;

    private OutcomePlots() {}

    static List<Plot> of(List<Outcome> outcomes) {
        return outcomes.stream()
                .flatMap(each ->
                        each.scenario().axis().isSwept() ? sweep(each) : Stream.of(distribution(each), course(each)))
                .filter(each -> !each.lines().isEmpty())
                .toList();
    }

    /** The first figure of a sweep, and its p99 where it has one. */
    private static Stream<Plot> sweep(Outcome outcome) {
        List<Metric> metrics = outcome.scenario().metrics();
        return metrics.stream()
                .filter(each -> each == metrics.get(0) || each.key().equals("p99"))
                .map(each -> sweep(outcome, each));
    }

    private static Plot sweep(Outcome outcome, Metric metric) {
        Scenario scenario = outcome.scenario();
        List<Line> lines = new ArrayList<>();
        for (Variant variant : outcome.variants()) {
            List<Double> xs = new ArrayList<>();
            List<Double> ys = new ArrayList<>();
            for (String point : scenario.points()) {
                double median = outcome.spread(variant, metric.key(), point).median();
                // A logarithmic scale has no place for others.
                if (median > 0) {
                    xs.add(Double.valueOf(point));
                    ys.add(metric.unit().scaled(median));
                }
            }
            addLine(lines, variant.label(), xs, ys);
        }
        return new Plot(
                scenario.name() + '-' + metric.key(),
                scenario.title(),
                new Scale(scenario.axis().label(), true),
                new Scale(metric.label() + ", " + metric.unit().symbol(), true),
                lines);
    }

    private static void addLine(List<Line> lines, String label, List<Double> xs, List<Double> ys) {
        if (!xs.isEmpty()) {
            lines.add(new Line(label, xs, ys));
        }
    }

    private static Plot distribution(Outcome outcome) {
        List<Line> lines = new ArrayList<>();
        for (Variant variant : outcome.variants()) {
            Histogram latencies = outcome.latencies(variant);
            List<Double> xs = new ArrayList<>();
            List<Double> ys = new ArrayList<>();
            if (latencies != null && latencies.getTotalCount() > 0) {
                for (HistogramIterationValue value : latencies.percentiles(TICKS_PER_HALF_DISTANCE)) {
                    if (value.getPercentileLevelIteratedTo() <= SHOWN_PERCENT && value.getValueIteratedTo() > 0) {
                        xs.add(value.getValueIteratedTo() / NANOS_PER_MICRO);
                        ys.add(value.getPercentileLevelIteratedTo());
                    }
                }
            }
            addLine(lines, variant.label(), xs, ys);
        }
        return new Plot(
                outcome.scenario().name() + "-cdf",
                outcome.scenario().title(),
                new Scale("latency, us", true),
                new Scale("answered by then, %", false),
                lines);
    }

    private static Plot course(Outcome outcome) {
        Unit unit = Unit.PER_SECOND;
        List<Line> lines = new ArrayList<>();
        for (Variant variant : outcome.variants()) {
            Map<Double, Double> rates = outcome.rates(variant);
            if (rates.size() >= MOMENTS_AT_LEAST) {
                addLine(
                        lines,
                        variant.label(),
                        List.copyOf(rates.keySet()),
                        rates.values().stream().map(unit::scaled).toList());
            }
        }
        return new Plot(
                outcome.scenario().name() + "-course",
                outcome.scenario().title(),
                new Scale("seconds since the first message", false),
                new Scale("rate, " + unit.symbol(), false),
                lines);
    }
}
