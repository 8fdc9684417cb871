package org.ucxnio.bench.launch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ucxnio.bench.report.Section;
import org.ucxnio.bench.table.Table;
import org.ucxnio.bench.table.Unit;

/** Puts outcomes into tables: all that was measured side by side, and the goals. */
final class ResultTable {
    private static final String CARRIED_BY = "carried by";
    private static final String GAIN = "gain";
    private static final String CPU = "cpu";

    private final List<Outcome> outcomes;

    ResultTable(List<Outcome> outcomes) {
        this.outcomes =
                outcomes.stream().filter(each -> !each.variants().isEmpty()).toList();
    }

    /** The tables for a terminal: of a sweep that of its first figure. */
    List<Section> summary() {
        return sections(1);
    }

    /** All tables: of a sweep one for each figure. */
    List<Section> all() {
        return sections(Integer.MAX_VALUE);
    }

    private List<Section> sections(int figuresOfSweeps) {
        List<Section> sections = new ArrayList<>();
        Map<List<String>, List<Outcome>> byFigures = new LinkedHashMap<>();
        for (Outcome outcome : outcomes) {
            if (!outcome.scenario().axis().isSwept()) {
                byFigures
                        .computeIfAbsent(labels(outcome.scenario()), key -> new ArrayList<>())
                        .add(outcome);
            }
        }
        byFigures.values().forEach(all -> sections.add(new Section("", rows(all))));
        for (Outcome outcome : outcomes) {
            if (outcome.scenario().axis().isSwept()) {
                outcome.scenario().metrics().stream()
                        .filter(each -> !each.key().startsWith(CPU))
                        .limit(figuresOfSweeps)
                        .forEach(each -> sections.add(sweep(outcome, each)));
            }
        }
        addGoals(sections);
        return sections;
    }

    private static List<String> labels(Scenario scenario) {
        return scenario.metrics().stream()
                .map(each -> each.label() + each.unit())
                .toList();
    }

    /** A row for each benchmark and variant; all of them have the same figures. */
    private static Table rows(List<Outcome> outcomes) {
        List<Metric> metrics = outcomes.get(0).scenario().metrics();
        List<String> titles = new ArrayList<>(List.of("benchmark"));
        for (Metric metric : metrics) {
            titles.addAll(List.of(metric.label(), GAIN));
        }
        titles.add(CARRIED_BY);
        Table table = new Table(titles.toArray(String[]::new));
        for (Outcome outcome : outcomes) {
            table.row(outcome.scenario().name() + ": " + outcome.scenario().title());
            for (Variant variant : outcome.variants()) {
                List<String> cells = new ArrayList<>(List.of("  " + variant.label()));
                metrics.forEach(each -> cells.addAll(cells(outcome, variant, each)));
                cells.add(outcome.carrier(variant));
                table.row(cells.toArray(String[]::new));
            }
        }
        return table;
    }

    /** A figure and how much better it is than the JDK's. */
    private static List<String> cells(Outcome outcome, Variant variant, Metric metric) {
        Spread figure = outcome.spread(variant, metric.key());
        double jdk = outcome.median(Variant.JDK, metric.key());
        String gain = variant == Variant.JDK ? "" : Unit.gain(jdk, figure.median(), metric.lowerIsBetter());
        return List.of(figure.write(metric.unit()), gain);
    }

    /** A row for each point; beside each figure the processor time of client and server. */
    private static Section sweep(Outcome outcome, Metric metric) {
        Scenario scenario = outcome.scenario();
        List<String> titles = new ArrayList<>(List.of(scenario.axis().label()));
        outcome.variants().forEach(each -> titles.addAll(List.of(each.label(), CPU)));
        Table table = new Table(titles.toArray(String[]::new));
        for (String point : scenario.points()) {
            List<String> cells = new ArrayList<>(List.of(point));
            for (Variant variant : outcome.variants()) {
                cells.add(outcome.spread(variant, metric.key(), point).write(metric.unit()));
                cells.add(processor(outcome, variant, point));
            }
            table.row(cells.toArray(String[]::new));
        }
        String title = "%s: %s, %s (cpu: client + server, us for each operation)"
                .formatted(scenario.name(), scenario.title(), metric.label());
        return new Section(title, table);
    }

    private static String processor(Outcome outcome, Variant variant, String point) {
        double client = outcome.spread(variant, "cpu-client", point).median();
        double server = outcome.spread(variant, "cpu-server", point).median();
        return Double.isNaN(client) ? "-" : Unit.MICROS.digits(client) + " + " + Unit.MICROS.digits(server);
    }

    /** What was to be reached, and whether it was. */
    private void addGoals(List<Section> sections) {
        Table table = new Table("what", "on", "figure", "goal", "met");
        boolean any = false;
        for (Outcome outcome : outcomes) {
            for (Metric metric : outcome.scenario().metrics()) {
                for (Variant variant : outcome.variants()) {
                    Goal goal = metric.goalOf(variant);
                    if (variant.hasGoals() && !goal.equals(Goal.NONE)) {
                        any = true;
                        double figure = outcome.median(variant, metric.key());
                        table.row(
                                outcome.scenario().title() + ", " + metric.label(),
                                variant.label(),
                                metric.unit().write(figure),
                                goal.write(metric.unit()),
                                goal.verdict(outcome.median(Variant.JDK, metric.key()), figure));
                    }
                }
            }
        }
        if (any) {
            sections.add(new Section("Goals", table));
        }
    }

    /** What was not as it should be. */
    List<String> complaints() {
        return outcomes.stream()
                .flatMap(each -> each.complaints().stream())
                .map(text -> "!!! NOT AS IT SHOULD BE: " + text)
                .toList();
    }
}
