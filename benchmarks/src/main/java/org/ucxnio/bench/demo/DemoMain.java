package org.ucxnio.bench.demo;

import java.io.PrintStream;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.ucxnio.bench.launch.Children;
import org.ucxnio.bench.launch.JvmCommand;
import org.ucxnio.bench.launch.LaunchException;
import org.ucxnio.bench.launch.Progress;
import org.ucxnio.bench.launch.Provider;
import org.ucxnio.bench.launch.UcxCheck;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The second half of {@code ./demo.sh}: runs the programs and prints the tables. */
@Command(name = "./demo.sh", mixinStandardHelpOptions = true, sortOptions = false)
public final class DemoMain implements Callable<Integer> {
    private static final int EXIT_OK = 0;
    private static final int EXIT_FAILED = 1;
    private static final int EXIT_NOT_ACCELERATED = 3;
    private static final double MILLIS_PER_SECOND = 1000;
    private static final int ZOOKEEPER_SHARE = 3;

    @Option(
            names = "--seconds",
            defaultValue = "3",
            description = "Seconds each Netty figure is measured; a third of it for ZooKeeper's calls."
                    + " Default: ${DEFAULT-VALUE}.")
    private double seconds;

    @Option(names = "--jdk-only", description = "Run on the JDK's provider only.")
    private boolean jdkOnly;

    @Option(names = "--verbose", description = "Print the full report of each JVM on ucxnio at the end.")
    private boolean verbose;

    private final PrintStream out = System.out;
    private final Progress progress = new Progress();
    private String withoutUcx = "";
    private boolean failed;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new DemoMain()).execute(arguments));
    }

    @Override
    public Integer call() throws InterruptedException {
        if (!jdkOnly && Files.notExists(JvmCommand.providerJar())) {
            System.err.println(JvmCommand.providerJar() + " is not there");
            return EXIT_FAILED;
        }
        long millis = Math.max(1, Math.round(seconds * MILLIS_PER_SECOND));
        long callMillis = Math.max(1, millis / ZOOKEEPER_SHARE);
        List<Program> programs = List.of(new Netty(millis / 2, millis), new ZooKeeper(callMillis / 2, callMillis));
        try (Children children = new Children()) {
            return show(runAll(programs, providers(children), children));
        } catch (LaunchException e) {
            progress.clear();
            System.err.println(e.getMessage());
            return EXIT_FAILED;
        }
    }

    /** The providers to run on: UCX only where it can be had. */
    private List<Provider> providers(Children children) throws LaunchException, InterruptedException {
        if (jdkOnly) {
            return List.of(Provider.JDK);
        }
        withoutUcx = UcxCheck.unavailable(children, JvmCommand.THIS_JAVA, List.of());
        return withoutUcx.isEmpty()
                ? List.of(Provider.JDK, Provider.UCXNIO, Provider.UCX)
                : List.of(Provider.JDK, Provider.UCXNIO);
    }

    private Map<Program, Map<Provider, Outcome>> runAll(
            List<Program> programs, List<Provider> providers, Children children) throws InterruptedException {
        Map<Program, Map<Provider, Outcome>> outcomes = new LinkedHashMap<>();
        int step = 0;
        for (Program program : programs) {
            Map<Provider, Outcome> byProvider = new LinkedHashMap<>();
            for (Provider provider : providers) {
                step++;
                progress.step("[%d/%d] %s on %s"
                        .formatted(step, programs.size() * providers.size(), program.name(), provider.description()));
                run(program, provider, children, byProvider);
            }
            outcomes.put(program, byProvider);
        }
        progress.clear();
        return outcomes;
    }

    /** Runs one program; where it fails, the others are still worth seeing. */
    private void run(Program program, Provider provider, Children children, Map<Provider, Outcome> outcomes)
            throws InterruptedException {
        try {
            outcomes.put(provider, program.run(provider, children, progress));
        } catch (LaunchException e) {
            failed = true;
            progress.clear();
            System.err.printf("%s on %s failed. %s%n", program.name(), provider.description(), e.getMessage());
        }
    }

    private int show(Map<Program, Map<Provider, Outcome>> outcomes) {
        DemoTables tables = new DemoTables(outcomes);
        tables.printFigures(out);
        if (!withoutUcx.isEmpty()) {
            out.printf("%nNot measured over UCX: %s%n", withoutUcx);
        }
        boolean complaints = false;
        if (!jdkOnly) {
            tables.printCarried(out);
            if (verbose) {
                tables.printReports(out);
            }
            complaints = tables.printComplaints(out);
        }
        if (failed) {
            return EXIT_FAILED;
        }
        return complaints ? EXIT_NOT_ACCELERATED : EXIT_OK;
    }
}
