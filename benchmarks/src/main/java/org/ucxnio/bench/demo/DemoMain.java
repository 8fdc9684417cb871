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

    /** What a program does for so many times as long as a figure takes before it is measured; its first part is measured as well. */
    private static final double WARMUP = 5.0 / 3;

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
        long warmupMillis = Math.round(WARMUP * millis);
        List<Program> programs = List.of(new Netty(warmupMillis, millis), new ZooKeeper(warmupMillis, millis));
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
        for (Program program : programs) {
            SideBySide run = new SideBySide(program, children, progress);
            outcomes.put(program, run.run(providers));
            failed |= run.hasFailed();
        }
        progress.clear();
        return outcomes;
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
