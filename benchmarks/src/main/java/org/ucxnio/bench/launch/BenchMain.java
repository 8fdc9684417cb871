package org.ucxnio.bench.launch;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code ./bench.sh}: runs benchmarks and prints a table. */
@Command(
        name = "./bench.sh",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Measures the JDK's provider, ucxnio and ucxnio over UCX side by side: two JVMs on this host.")
public final class BenchMain implements Callable<Integer> {
    private static final double QUIET_LOAD = 0.7;
    private static final int EXIT_OK = 0;
    private static final int EXIT_FAILED = 1;
    private static final int EXIT_USAGE = 2;
    private static final int EXIT_NOT_AS_EXPECTED = 3;

    @Mixin
    private BenchOptions options;

    @Parameters(paramLabel = "BENCHMARK", description = "Names as --list shows them, beginnings of names, or \"all\".")
    private List<String> names = new ArrayList<>();

    @Option(names = "--list", description = "List the benchmarks.")
    private boolean list;

    private final PrintStream out = System.out;
    private final Progress progress = new Progress();
    private Set<Provider> providers = Set.of();
    private String withoutUcx = "";

    public static void main(String[] arguments) {
        CommandLine command = new CommandLine(new BenchMain()).setCaseInsensitiveEnumValuesAllowed(true);
        System.exit(command.execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (list) {
            Catalogue.all().forEach(each -> out.printf("%-20s %s%n", each.name(), each.title()));
            return EXIT_OK;
        }
        Set<Scenario> scenarios = new LinkedHashSet<>();
        for (String name : names) {
            List<Scenario> found = Catalogue.find(name);
            if (found.isEmpty()) {
                return usage("no benchmark \"" + name + "\"; ./bench.sh --list shows them");
            }
            scenarios.addAll(found);
        }
        String complaint = scenarios.isEmpty() ? "which benchmark? ./bench.sh --list" : options.complaint();
        complaint = complaint.isEmpty() ? options.complaint(scenarios) : complaint;
        if (!complaint.isEmpty()) {
            return usage(complaint);
        }
        if (options.wanted().stream().anyMatch(Provider::isOurs) && Files.notExists(JvmCommand.providerJar())) {
            return usage(JvmCommand.providerJar() + " is not there; build it, or use --provider jdk");
        }
        return measure(List.copyOf(scenarios));
    }

    private int measure(List<Scenario> scenarios) throws IOException, InterruptedException {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        List<Outcome> outcomes = new ArrayList<>();
        int exit = EXIT_OK;
        try (Children children = new Children()) {
            providers = available(children);
            PairRunner runner = new PairRunner(options, children, progress);
            for (int i = 0; i < scenarios.size(); i++) {
                Outcome outcome = new Outcome(scenarios.get(i));
                outcomes.add(outcome);
                String position = "[%d/%d] ".formatted(i + 1, scenarios.size());
                exit = Math.max(exit, runAll(runner, outcome, position));
            }
        } catch (LaunchException e) {
            System.err.println(e.getMessage());
            return EXIT_FAILED;
        }
        exit = show(outcomes, exit);
        if (load > QUIET_LOAD) {
            out.printf(
                    Locale.ROOT,
                    "Other programs kept this machine busy (load %.1f at the start): the figures suffer from it.%n",
                    load);
        }
        return exit;
    }

    /** What is to run; UCX only where it can be had, and a complaint where it was asked for by name and cannot. */
    private Set<Provider> available(Children children) throws LaunchException, InterruptedException {
        Set<Provider> available = EnumSet.copyOf(options.wanted());
        if (available.contains(Provider.UCX)) {
            withoutUcx = UcxCheck.unavailable(children, options.java(), options.ourFlags());
            if (!withoutUcx.isEmpty() && options.isChosen()) {
                throw new LaunchException("UCX cannot be had: " + withoutUcx);
            }
            if (!withoutUcx.isEmpty()) {
                available.remove(Provider.UCX);
            }
        }
        return available;
    }

    /** Runs all variants by turns, so that a slow moment of the machine hits each of them. */
    private int runAll(PairRunner runner, Outcome outcome, String position) throws InterruptedException {
        Scenario scenario = outcome.scenario();
        List<Variant> variants = new ArrayList<>(Variant.of(scenario.layout(), providers));
        int runs = options.runs(scenario);
        int exit = EXIT_OK;
        for (int run = 1; run <= runs; run++) {
            // In turned order each other time: what drifts meets both alike.
            if (run > 1) {
                Collections.reverse(variants);
            }
            for (Variant variant : variants) {
                String which = runs == 1 ? "" : ", run " + run + " of " + runs;
                progress.step(position + scenario.name() + ", " + variant.label() + which);
                try {
                    outcome.add(variant, runner.run(scenario, variant));
                } catch (LaunchException e) {
                    progress.clear();
                    System.err.println(scenario.name() + ", " + variant.label() + ": " + e.getMessage());
                    exit = EXIT_FAILED;
                }
            }
        }
        return exit;
    }

    private int show(List<Outcome> outcomes, int exit) throws IOException {
        progress.clear();
        ResultTable table = new ResultTable(outcomes);
        table.print(out);
        if (options.csv() != null) {
            table.appendCsv(options.csv());
        }
        if (!withoutUcx.isEmpty()) {
            out.println("Not measured over UCX: " + withoutUcx);
        }
        boolean pinned = outcomes.stream().anyMatch(each -> options.pinned(each.scenario()));
        if (pinned && !JvmCommand.canPin()) {
            out.println("Not pinned: that needs two cores and /usr/bin/taskset (package util-linux).");
        }
        boolean complaints =
                outcomes.stream().anyMatch(each -> !each.complaints().isEmpty());
        return exit == EXIT_OK && complaints ? EXIT_NOT_AS_EXPECTED : exit;
    }

    private static int usage(String complaint) {
        System.err.println(complaint);
        return EXIT_USAGE;
    }
}
