package org.ucxnio.bench.launch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.ucxnio.bench.child.Carrier;
import org.ucxnio.bench.child.Reporter;

/** All runs of one benchmark on all variants. */
final class Outcome {
    private final Scenario scenario;
    private final Map<Variant, List<PairRunner.Run>> runs = new LinkedHashMap<>();

    Outcome(Scenario scenario) {
        this.scenario = scenario;
    }

    Scenario scenario() {
        return scenario;
    }

    void add(Variant variant, PairRunner.Run run) {
        runs.computeIfAbsent(variant, key -> new ArrayList<>()).add(run);
    }

    /** All variants that ran, in the order in which they are shown. */
    List<Variant> variants() {
        return List.copyOf(runs.keySet());
    }

    boolean ran(Variant variant) {
        return runs.containsKey(variant);
    }

    private List<PairRunner.Run> runs(Variant variant) {
        return runs.getOrDefault(variant, List.of());
    }

    /** A figure of {@code variant}. */
    Spread spread(Variant variant, String key) {
        return Spread.of(runs(variant).stream()
                .map(run -> run.results().get(key))
                .filter(Objects::nonNull)
                .toList());
    }

    /** A figure of {@code variant} at a point of the sweep that this is. */
    Spread spread(Variant variant, String key, String point) {
        return spread(variant, point.isEmpty() ? key : key + Reporter.AT + point);
    }

    /** The median over the runs of {@code variant}; not a number where there is none. */
    double median(Variant variant, String key) {
        return spread(variant, key).median();
    }

    /** All latencies of {@code variant}, of all runs; null where it reported none. */
    Histogram latencies(Variant variant) {
        Histogram sum = null;
        for (PairRunner.Run run : runs(variant)) {
            Histogram each = run.histograms().get("latency");
            if (each != null && sum == null) {
                sum = each.copy();
            } else if (each != null) {
                sum.add(each);
            }
        }
        return sum;
    }

    /** The rate of {@code variant} by the seconds since the beginning, of its first run. */
    Map<Double, Double> rates(Variant variant) {
        return runs(variant).isEmpty() ? Map.of() : runs(variant).get(0).rates();
    }

    /** What was not as it should be, each once. */
    List<String> complaints() {
        return runs.entrySet().stream()
                .flatMap(entry -> entry.getValue().stream()
                        .flatMap(run -> run.complaints().stream())
                        .map(text -> scenario.name() + " (" + entry.getKey().label() + "): " + text))
                .distinct()
                .toList();
    }

    /** What carried most of the bytes of {@code variant}. */
    String carrier(Variant variant) {
        List<PairRunner.Run> all = runs(variant);
        if (all.isEmpty()) {
            return "";
        }
        return variant == Variant.JDK
                ? Carrier.TCP.label()
                : all.get(all.size() - 1).carriedBy();
    }
}
