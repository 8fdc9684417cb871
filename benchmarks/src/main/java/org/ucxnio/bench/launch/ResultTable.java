package org.ucxnio.bench.launch;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ucxnio.bench.table.Table;
import org.ucxnio.bench.table.Unit;

/** Shows outcomes: the JDK's provider and ours side by side, with the goals. */
final class ResultTable {
    private static final String CSV_HEADER = "benchmark,variant,metric,unit,jdk,ucxnio";

    private final List<Outcome> outcomes;

    ResultTable(List<Outcome> outcomes) {
        this.outcomes = outcomes;
    }

    void print(PrintStream out) {
        List<Outcome> pinned = outcomes.stream()
                .filter(each -> each.scenario().placement() == Scenario.Placement.PINNED)
                .toList();
        if (!pinned.isEmpty()) {
            printWithGoals(pinned, out);
        }
        Map<List<Metric>, List<Outcome>> free = new LinkedHashMap<>();
        outcomes.stream()
                .filter(each -> each.scenario().placement() == Scenario.Placement.FREE)
                .forEach(each -> free.computeIfAbsent(each.scenario().metrics(), key -> new ArrayList<>())
                        .add(each));
        free.forEach((metrics, all) -> printInRows(metrics, all, out));
        for (Outcome outcome : outcomes) {
            outcome.complaints().forEach(text -> out.println("!!! NOT AS IT SHOULD BE: " + text));
        }
    }

    private static void printWithGoals(List<Outcome> outcomes, PrintStream out) {
        Table table =
                new Table("benchmark", "JDK", "ucxnio", "gain", "goal", "met", "goal with rings", "met", "carried by");
        for (Outcome outcome : outcomes) {
            for (Variant variant : outcome.shown()) {
                addRows(table, outcome, variant);
            }
        }
        table.print(out);
    }

    /** One row for each benchmark; all of them have the same figures, and no goals. */
    private static void printInRows(List<Metric> metrics, List<Outcome> outcomes, PrintStream out) {
        List<String> titles = new ArrayList<>(List.of("benchmark"));
        for (Metric metric : metrics) {
            titles.addAll(List.of(metric.label() + ": JDK", "ucxnio", "gain"));
        }
        titles.add("carried by");
        Table table = new Table(titles.toArray(String[]::new));
        for (Outcome outcome : outcomes) {
            Variant variant = outcome.shown().getFirst();
            List<String> cells = new ArrayList<>(List.of(outcome.scenario().name()));
            for (Metric metric : metrics) {
                double jdk = outcome.median(Variant.JDK, metric.key());
                double ours = variant == Variant.JDK ? Double.NaN : outcome.median(variant, metric.key());
                cells.add(metric.unit().write(jdk));
                cells.add(metric.unit().write(ours));
                cells.add(Unit.gain(jdk, ours, metric.lowerIsBetter()));
            }
            cells.add(outcome.carrier(variant));
            table.row(cells.toArray(String[]::new));
        }
        table.print(out);
    }

    private static void addRows(Table table, Outcome outcome, Variant variant) {
        String title = outcome.scenario().title();
        boolean plain = outcome.scenario().layout() == Scenario.Layout.PLAIN && variant != Variant.JDK;
        table.row(outcome.scenario().name() + ": " + title + (plain ? "; " + variant.label() : ""));
        String carrier = outcome.carrier(variant);
        for (Metric metric : outcome.scenario().metrics()) {
            double jdk = outcome.median(Variant.JDK, metric.key());
            double ours = variant == Variant.JDK ? Double.NaN : outcome.median(variant, metric.key());
            Unit unit = metric.unit();
            table.row(
                    "  " + metric.label(),
                    unit.write(jdk),
                    unit.write(ours),
                    Unit.gain(jdk, ours, metric.lowerIsBetter()),
                    metric.goal().write(unit),
                    metric.goal().verdict(jdk, ours),
                    metric.ringGoal().write(unit),
                    metric.ringGoal().verdict(jdk, ours),
                    carrier);
            carrier = "";
        }
    }

    /** Appends one line for each figure, with a header if the file is new. Figures are in base units. */
    void appendCsv(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        if (Files.notExists(file)) {
            lines.add(CSV_HEADER);
        }
        for (Outcome outcome : outcomes) {
            for (Variant variant : outcome.shown()) {
                for (Metric metric : outcome.scenario().metrics()) {
                    lines.add(String.format(
                            Locale.ROOT,
                            "%s,%s,%s,%s,%f,%f",
                            outcome.scenario().name(),
                            variant.label().replace(",", ""),
                            metric.key(),
                            metric.unit(),
                            outcome.median(Variant.JDK, metric.key()),
                            variant == Variant.JDK ? Double.NaN : outcome.median(variant, metric.key())));
                }
            }
        }
        Files.write(file, lines, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
