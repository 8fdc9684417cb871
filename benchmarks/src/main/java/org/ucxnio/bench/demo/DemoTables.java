package org.ucxnio.bench.demo;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

    /** The two providers side by side. */
    void printFigures(PrintStream out) {
        Table table = new Table("", Provider.JDK.label(), Provider.UCX.label(), "gain");
        outcomes.forEach((program, byProvider) -> {
            table.row(program.title());
            for (Figure figure : program.figures()) {
                double jdk = figure(byProvider.get(Provider.JDK), figure);
                double ours = figure(byProvider.get(Provider.UCX), figure);
                table.row(
                        "  " + figure.label(),
                        figure.unit().write(jdk),
                        figure.unit().write(ours),
                        Unit.gain(jdk, ours, figure.lowerIsBetter()));
            }
        });
        table.print(out);
    }

    /** Which way the bytes of the accelerated run went. */
    void printCarried(PrintStream out) {
        out.println();
        out.println("Where the bytes of the accelerated run went, as the provider in each JVM says:");
        Table table =
                new Table("", "UCX transport", "UCX sent", "UCX received", "kernel TCP sent", "kernel TCP received");
        accelerated().forEach((program, outcome) -> {
            addCarried(table, program.name() + " client", outcome.client());
            addCarried(table, program.name() + " server", outcome.server());
        });
        table.print(out);
    }

    private static void addCarried(Table table, String name, Carried carried) {
        table.row(
                name,
                carried.lanes().isEmpty() ? "none" : String.join(" ", carried.lanes()),
                bytes(carried.ucxSent()),
                bytes(carried.ucxReceived()),
                bytes(carried.tcpSent()),
                bytes(carried.tcpReceived()));
    }

    /** The providers' own reports. */
    void printReports(PrintStream out) {
        accelerated().forEach((program, outcome) -> {
            List<String> reports = outcome.reports();
            out.printf("%n%s client:%n%s%n", program.name(), reports.getFirst());
            out.printf("%n%s server:%n%s%n", program.name(), reports.getLast());
        });
    }

    /** Says loudly what was not accelerated; whether there was such a thing. */
    boolean printComplaints(PrintStream out) {
        boolean any = false;
        for (Map.Entry<Program, Outcome> entry : accelerated().entrySet()) {
            for (String complaint : entry.getValue().complaints()) {
                out.printf("%n!!! NOT ACCELERATED: %s: %s%n", entry.getKey().name(), complaint);
                any = true;
            }
        }
        return any;
    }

    /** The runs on our provider that came to their end. */
    private Map<Program, Outcome> accelerated() {
        Map<Program, Outcome> accelerated = new LinkedHashMap<>();
        outcomes.forEach((program, byProvider) -> {
            if (byProvider.containsKey(Provider.UCX)) {
                accelerated.put(program, byProvider.get(Provider.UCX));
            }
        });
        return accelerated;
    }

    private static double figure(Outcome outcome, Figure figure) {
        return outcome == null ? Double.NaN : outcome.figure(figure.key());
    }

    private static String bytes(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }
}
