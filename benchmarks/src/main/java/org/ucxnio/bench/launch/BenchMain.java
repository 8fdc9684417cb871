package org.ucxnio.bench.launch;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.ucxnio.bench.report.Machine;
import org.ucxnio.bench.report.MarkdownFile;
import org.ucxnio.bench.report.Section;
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
        description =
                "Measures the JDK's provider, ucxnio and what else there is to compare side by side: two JVMs on this host.")
public final class BenchMain implements Callable<Integer> {
    private static final double QUIET_LOAD = 0.7;
    private static final int EXIT_OK = 0;
    private static final int EXIT_FAILED = 1;
    private static final int EXIT_USAGE = 2;
    private static final int EXIT_NOT_AS_EXPECTED = 3;

    @Mixin
    private BenchOptions options;

    @Parameters(
            paramLabel = "BENCHMARK",
            description =
                    "Names as --list shows them, beginnings of names, \"all\" (an hour) or \"quick\" (five minutes).")
    private List<String> names = new ArrayList<>();

    @Option(names = "--list", description = "List the benchmarks.")
    private boolean list;

    private final PrintStream out = System.out;
    private final Progress progress = new Progress();
    private final List<String> remarks = new ArrayList<>();
    private final List<Provider> providers = new ArrayList<>();
    private String command = "./bench.sh";

    public static void main(String[] arguments) {
        BenchMain bench = new BenchMain();
        bench.command = "./bench.sh " + String.join(" ", arguments);
        CommandLine line = new CommandLine(bench).setCaseInsensitiveEnumValuesAllowed(true);
        System.exit(line.execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (list) {
            Catalogue.all().forEach(each -> out.printf("%-24s %s%n", each.name(), each.title()));
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
        if (names.contains(Catalogue.ALL)) {
            options.use(Effort.ALL);
        } else if (names.contains(Catalogue.QUICK)) {
            options.use(Effort.QUICK);
        }
        return measure(scenarios.stream().map(options::scaled).toList());
    }

    private int measure(List<Scenario> scenarios) throws IOException, InterruptedException {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        LocalDateTime start = LocalDateTime.now();
        List<Outcome> outcomes = new ArrayList<>();
        int exit = EXIT_OK;
        try (Children children = new Children()) {
            findProviders(children);
            long minutes = Math.max(
                    1, options.estimate(scenarios, providers).plusSeconds(30).toMinutes());
            progress.note("This will take about " + minutes + (minutes == 1 ? " minute." : " minutes."));
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
        progress.clear();
        addRemarks(outcomes, load);
        ResultTable table = new ResultTable(outcomes);
        show(table);
        write(outcomes, table, start);
        return exit == EXIT_OK && !table.complaints().isEmpty() ? EXIT_NOT_AS_EXPECTED : exit;
    }

    /** What is to run; UCX only where it can be had, and a complaint where it was asked for by name and cannot. */
    private void findProviders(Children children) throws LaunchException, InterruptedException {
        providers.addAll(options.wanted());
        if (providers.contains(Provider.UCX)) {
            String reason = UcxCheck.unavailable(children, options.java(), options.ourFlags());
            if (!reason.isEmpty() && options.isChosen(Provider.UCX)) {
                throw new LaunchException("UCX cannot be had: " + reason);
            }
            if (!reason.isEmpty()) {
                leaveOut(Provider.UCX, reason);
            }
        }
    }

    private void leaveOut(Provider provider, String reason) {
        providers.remove(provider);
        remarks.add("Not measured: " + provider.description() + ": " + reason);
    }

    /** Runs all variants by turns, so that a slow moment of the machine hits each of them. */
    private int runAll(PairRunner runner, Outcome outcome, String position) throws InterruptedException {
        Scenario scenario = outcome.scenario();
        List<Variant> variants = new ArrayList<>(Variant.of(scenario, providers));
        int runs = options.runs(scenario);
        int exit = EXIT_OK;
        for (int run = 1; run <= runs; run++) {
            // In turned order each other time: what drifts meets both alike.
            if (run > 1) {
                Collections.reverse(variants);
            }
            for (Variant variant : List.copyOf(variants)) {
                String which = runs == 1 ? "" : ", run " + run + " of " + runs;
                progress.step(position + scenario.name() + ", " + variant.label() + which);
                try {
                    outcome.add(variant, runner.run(scenario, variant));
                } catch (UnavailableException e) {
                    progress.clear();
                    variants.remove(variant);
                    if (scenario.layout() == Scenario.Layout.NETWORK) {
                        remarks.add("Not measured: " + scenario.name() + ": " + e.getMessage());
                        return exit;
                    }
                    leaveOut(variant.client(), e.getMessage());
                } catch (LaunchException e) {
                    progress.clear();
                    System.err.println(scenario.name() + ", " + variant.label() + ": " + e.getMessage());
                    exit = EXIT_FAILED;
                }
            }
        }
        return exit;
    }

    private void addRemarks(List<Outcome> outcomes, double load) {
        boolean pinned = outcomes.stream().anyMatch(each -> options.pinned(each.scenario()));
        if (pinned && !JvmCommand.canPin()) {
            remarks.add("Not pinned: that needs cores 0 and 1 and /usr/bin/taskset (package util-linux).");
        }
        List<Scenario> scenarios = outcomes.stream().map(Outcome::scenario).toList();
        providers.stream().filter(options::isChosen).forEach(each -> remarks.addAll(Variant.leftOut(scenarios, each)));
        if (load > QUIET_LOAD) {
            remarks.add(String.format(
                    Locale.ROOT,
                    "Other programs kept this machine busy (load %.1f at the start): the figures suffer from it.",
                    load));
        }
    }

    private void show(ResultTable table) {
        for (Section section : table.summary()) {
            if (!section.title().isEmpty()) {
                out.printf("%n%s%n", section.title());
            }
            section.table().print(out);
        }
        table.complaints().forEach(out::println);
        remarks.forEach(out::println);
    }

    private void write(List<Outcome> outcomes, ResultTable table, LocalDateTime start) throws IOException {
        Path directory = options.output(start);
        Map<String, String> facts = new LinkedHashMap<>(Machine.describe(options.java()));
        facts.putAll(options.describe());
        remarks.addAll(table.complaints());
        MarkdownFile.Run run = new MarkdownFile.Run(
                command, start.format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm")), facts, List.copyOf(remarks));
        new ResultFiles(directory).write(run, outcomes);
        out.println("Tables, figures and plots are in " + directory);
    }

    private static int usage(String complaint) {
        System.err.println(complaint);
        return EXIT_USAGE;
    }
}
