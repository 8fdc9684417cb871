package org.ucxnio.bench.demo;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.ucxnio.bench.child.Carried;
import org.ucxnio.bench.launch.Provider;
import org.ucxnio.bench.table.Table;
import org.ucxnio.bench.table.Unit;

/** What the demonstration shows in the end. */
final class DemoTables {
    private final Map<Program, Map<Provider, Outcome>> outcomes;

    DemoTables(Map<Program, Map<Provider, Outcome>> outcomes) {
        this.outcomes = outcomes;
    }

    /** The providers side by side. */
    void printFigures(PrintStream out) {
        List<Provider> ours = ran();
        List<String> titles = new ArrayList<>(List.of("", Provider.JDK.label()));
        ours.forEach(provider -> titles.addAll(List.of(provider.label(), "gain")));
        Table table = new Table(titles.toArray(String[]::new));
        outcomes.forEach((program, byProvider) -> {
            table.row(program.title());
            for (Figure figure : program.figures()) {
                double jdk = figure(byProvider.get(Provider.JDK), figure);
                List<String> cells = new ArrayList<>();
                cells.add("  " + figure.label());
                cells.add(figure.unit().write(jdk));
                for (Provider provider : ours) {
                    double value = figure(byProvider.get(provider), figure);
                    cells.add(figure.unit().write(value));
                    cells.add(Unit.gain(jdk, value, figure.lowerIsBetter()));
                }
                table.row(cells.toArray(String[]::new));
            }
        });
        table.print(out);
    }

    /** Which way the bytes of the runs on our provider went. */
    void printCarried(PrintStream out) {
        out.println();
        out.println("Which way the bytes went, sent and received, as the provider in each JVM says:");
        Table table =
                new Table("", "carried by", "rings sent", "received", "UCX sent", "received", "TCP sent", "received");
        forEachOfOurs((name, outcome) -> {
            addCarried(table, name + ", client", outcome.client());
            addCarried(table, name + ", server", outcome.server());
        });
        table.print(out);
    }

    private static void addCarried(Table table, String name, Carried carried) {
        table.row(
                name,
                carried.carriedBy(),
                bytes(carried.ringSent()),
                bytes(carried.ringReceived()),
                bytes(carried.ucxSent()),
                bytes(carried.ucxReceived()),
                bytes(carried.tcpSent()),
                bytes(carried.tcpReceived()));
    }

    /** The providers' own reports. */
    void printReports(PrintStream out) {
        forEachOfOurs((name, outcome) -> {
            List<String> reports = outcome.reports();
            out.printf("%n%s, client:%n%s%n", name, reports.get(0));
            out.printf("%n%s, server:%n%s%n", name, reports.get(reports.size() - 1));
        });
    }

    /** Says loudly what was not carried as it should have been; whether there was such a thing. */
    boolean printComplaints(PrintStream out) {
        List<String> complaints = new ArrayList<>();
        forEachOfOurs(
                (name, outcome) -> outcome.complaints().forEach(complaint -> complaints.add(name + ": " + complaint)));
        complaints.forEach(complaint -> out.printf("%n!!! NOT AS IT SHOULD BE: %s%n", complaint));
        return !complaints.isEmpty();
    }

    /** Our providers, those of them on which something came to its end. */
    private List<Provider> ran() {
        return Stream.of(Provider.JDK, Provider.UCXNIO, Provider.UCX)
                .filter(Provider::isOurs)
                .filter(each -> outcomes.values().stream().anyMatch(byProvider -> byProvider.containsKey(each)))
                .toList();
    }

    /** Takes the runs on our providers that came to their end, each with a name. */
    private void forEachOfOurs(BiConsumer<String, Outcome> consumer) {
        outcomes.forEach((program, byProvider) -> byProvider.forEach((provider, outcome) -> {
            if (provider.isOurs()) {
                consumer.accept(program.name() + " on " + provider.description(), outcome);
            }
        }));
    }

    private static double figure(Outcome outcome, Figure figure) {
        return outcome == null ? Double.NaN : outcome.figure(figure.key());
    }

    private static String bytes(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }
}
