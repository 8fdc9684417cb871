package org.ucxnio.bench.launch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ucxnio.bench.child.Carried;

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
        List<Variant> ours =
                runs.keySet().stream().filter(each -> each != Variant.JDK).toList();
        return ours.isEmpty() ? List.copyOf(runs.keySet()) : ours;
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

    /** What carried the bytes of {@code variant}: "TCP", or the lanes of UCX. */
    String carrier(Variant variant) {
        List<PairRunner.Run> all = runs.getOrDefault(variant, List.of());
        if (all.isEmpty()) {
            return "";
        }
        Carried client = all.getLast().client();
        if (client.ucxTotal() == 0) {
            return "TCP";
        }
        return client.lanes().isEmpty() ? "UCX" : String.join(" ", client.lanes());
    }
}
