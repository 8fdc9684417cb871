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
    private static final String CARRIED_BY = "carried by";
    private static final String GAIN = "gain";

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

    /** One row for each figure; our variants beside each other, those of which one side is the JDK's below. */
    private static void printWithGoals(List<Outcome> outcomes, PrintStream out) {
        boolean overUcx = outcomes.stream().anyMatch(each -> each.ran(Variant.UCX));
        List<String> titles = new ArrayList<>(List.of("benchmark", "JDK", "ucxnio", GAIN, "goal", "met"));
        if (overUcx) {
            titles.addAll(List.of(Variant.UCX.label(), GAIN, "goal", "met"));
        }
        titles.add(CARRIED_BY);
        Table table = new Table(titles.toArray(String[]::new));
        for (Outcome outcome : outcomes) {
            String title = outcome.scenario().name() + ": " + outcome.scenario().title();
            if (outcome.scenario().layout() == Scenario.Layout.PLAIN) {
                for (Variant variant : outcome.shown()) {
                    String which = variant == Variant.JDK ? "" : "; " + variant.label();
                    addRows(table, title + which, outcome, List.of(variant));
                }
            } else {
                addRows(
                        table,
                        title,
                        outcome,
                        overUcx ? List.of(Variant.UCXNIO, Variant.UCX) : List.of(Variant.UCXNIO));
            }
        }
        table.print(out);
    }

    private static void addRows(Table table, String title, Outcome outcome, List<Variant> ours) {
        table.row(title);
        String carriers = outcome.carriers(ours);
        for (Metric metric : outcome.scenario().metrics()) {
            double jdk = outcome.median(Variant.JDK, metric.key());
            List<String> cells = new ArrayList<>();
            cells.add("  " + metric.label());
            cells.add(metric.unit().write(jdk));
            for (Variant variant : ours) {
                addCells(cells, metric, variant, jdk, outcome.ourMedian(variant, metric.key()));
            }
            // Behind all columns, also where a plain benchmark has fewer variants.
            while (cells.size() < table.columns() - 1) {
                cells.add("");
            }
            cells.add(carriers);
            table.row(cells.toArray(String[]::new));
            carriers = "";
        }
    }

    private static void addCells(List<String> cells, Metric metric, Variant variant, double jdk, double ours) {
        Goal goal = metric.goalOf(variant);
        cells.add(metric.unit().write(ours));
        cells.add(Unit.gain(jdk, ours, metric.lowerIsBetter()));
        cells.add(goal.write(metric.unit()));
        cells.add(goal.verdict(jdk, ours));
    }

    /** One row for each benchmark and variant; all of them have the same figures, and no goals. */
    private static void printInRows(List<Metric> metrics, List<Outcome> outcomes, PrintStream out) {
        List<String> titles = new ArrayList<>(List.of("benchmark", "on"));
        for (Metric metric : metrics) {
            titles.addAll(List.of(metric.label(), GAIN));
        }
        titles.add(CARRIED_BY);
        Table table = new Table(titles.toArray(String[]::new));
        for (Outcome outcome : outcomes) {
            String name = outcome.scenario().name();
            for (Variant variant : outcome.variants()) {
                List<String> cells = new ArrayList<>(List.of(name, variant.label()));
                for (Metric metric : metrics) {
                    double figure = outcome.median(variant, metric.key());
                    double jdk = outcome.median(Variant.JDK, metric.key());
                    cells.add(metric.unit().write(figure));
                    cells.add(variant == Variant.JDK ? "" : Unit.gain(jdk, figure, metric.lowerIsBetter()));
                }
                cells.add(outcome.carrier(variant));
                table.row(cells.toArray(String[]::new));
                name = "";
            }
        }
        table.print(out);
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
                            outcome.ourMedian(variant, metric.key())));
                }
            }
        }
        Files.write(file, lines, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
