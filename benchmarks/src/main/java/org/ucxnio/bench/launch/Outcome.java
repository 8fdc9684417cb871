package org.ucxnio.bench.launch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.ucxnio.bench.child.Carrier;

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

    /** The variants that ran and are not the JDK's; the JDK's alone if nothing else ran. */
    List<Variant> shown() {
        List<Variant> all = variants();
        List<Variant> ours = all.stream().filter(each -> each != Variant.JDK).toList();
        return ours.isEmpty() ? all : ours;
    }

    /** All variants that ran, in the order in which they are shown. */
    List<Variant> variants() {
        return List.of(Variant.JDK, Variant.UCXNIO, Variant.UCX, Variant.OUR_CLIENT, Variant.OUR_SERVER).stream()
                .filter(this::ran)
                .toList();
    }

    boolean ran(Variant variant) {
        return runs.containsKey(variant);
    }

    /** {@link #median} of a variant of ours; not a number where it is the JDK's, which has a column of its own. */
    double ourMedian(Variant variant, String key) {
        return variant == Variant.JDK ? Double.NaN : median(variant, key);
    }

    /** The median over the runs of {@code variant}; not a number where there is none. */
    double median(Variant variant, String key) {
        double[] values = runs.getOrDefault(variant, List.of()).stream()
                .map(run -> run.results().get(key))
                .filter(value -> value != null)
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        if (values.length == 0) {
            return Double.NaN;
        }
        int middle = values.length / 2;
        return values.length % 2 == 1
                ? values[middle]
                : Arrays.stream(values, middle - 1, middle + 1).average().orElseThrow();
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

    /** What carried the bytes of {@code variants}, of those that ran. */
    String carriers(List<Variant> variants) {
        return variants.stream().filter(this::ran).map(this::carrier).collect(Collectors.joining("; "));
    }

    /** What carried most of the bytes of {@code variant}. */
    String carrier(Variant variant) {
        List<PairRunner.Run> all = runs.getOrDefault(variant, List.of());
        if (all.isEmpty()) {
            return "";
        }
        return variant == Variant.JDK
                ? Carrier.TCP.label()
                : all.get(all.size() - 1).carriedBy();
    }
}
