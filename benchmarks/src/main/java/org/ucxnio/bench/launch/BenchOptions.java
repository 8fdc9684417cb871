package org.ucxnio.bench.launch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The options of the command line, with their defaults. */
final class BenchOptions {
    private static final int DEFAULT_NOISY_RUNS = 3;
    private static final double DEFAULT_WARMUP_SECONDS = 2;
    private static final double MILLIS_PER_SECOND = 1000;

    @Option(
            names = "--provider",
            split = ",",
            description =
                    "Which to run, of ${COMPLETION-CANDIDATES}, such as jdk,ucxnio; UCX is ucxnio over UCX messages"
                            + " instead of rings. Default: all, over UCX where it can be had.")
    private Set<Provider> wanted = EnumSet.noneOf(Provider.class);

    @Option(
            names = "--rounds",
            defaultValue = "5",
            description = "Measured rounds in each JVM; figures are medians over them. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--seconds",
            defaultValue = "0.8",
            description = "Seconds a round takes. Default: ${DEFAULT-VALUE}.")
    private double roundSeconds;

    @Option(names = "--warmup", description = "Seconds of warm-up in each JVM. Default: 2, and 5 for whole programs.")
    private Double warmupSeconds;

    @Option(
            names = "--runs",
            defaultValue = "0",
            description = "Fresh JVM pairs for each provider, by turns; figures are medians over them."
                    + " Default: 3 for plain TCP and where no JVM is pinned, 1 for all others.")
    private int runs;

    @Option(names = "--size", defaultValue = "0", description = "Bytes in a message, instead of the benchmark's own.")
    private int size;

    @Option(
            names = "--connections",
            defaultValue = "0",
            description = "Connections, instead of the benchmark's own number.")
    private int connections;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description =
                    "A setting in place of the benchmark's own, such as threads=36; repeatable. README.md has them.")
    private Map<String, String> set = new LinkedHashMap<>();

    @Option(
            names = "--pace",
            defaultValue = "2000",
            description = "Pause before each round trip of \"wakeup\", us. Default: ${DEFAULT-VALUE}.")
    private int paceMicros;

    @Option(names = "--heap", description = "Heap buffers instead of direct ones.")
    private boolean heap;

    @Option(names = "--no-pin", negatable = false, description = "Do not pin the server to core 0, the client to 1.")
    private boolean notPinned;

    @Option(
            names = "--java",
            paramLabel = "HOME",
            description = "The Java, 17 or later, that is measured. Default: this one.")
    private Path java = JvmCommand.THIS_JAVA;

    @Option(names = "--jvm-flag", paramLabel = "FLAG", description = "A flag for every measured JVM; repeatable.")
    private List<String> jvmFlags = new ArrayList<>();

    @Option(
            names = "--ucx-flag",
            paramLabel = "FLAG",
            description = "A flag for the JVMs on ucxnio, such as -Ducxnio.wait=spin; repeatable.")
    private List<String> ucxFlags = new ArrayList<>();

    @Option(names = "--csv", paramLabel = "FILE", description = "Append the figures to this file as well.")
    private Path csv;

    /** The providers to run. */
    Set<Provider> wanted() {
        return isChosen() ? wanted : EnumSet.allOf(Provider.class);
    }

    /** Whether the providers were asked for by name. */
    boolean isChosen() {
        return !wanted.isEmpty();
    }

    boolean pinned(Scenario scenario) {
        return !notPinned && scenario.placement() == Scenario.Placement.PINNED;
    }

    /** Where the Java of the measured JVMs is. */
    Path java() {
        return java;
    }

    List<String> jvmFlags() {
        return jvmFlags;
    }

    /** All flags of JVMs on our provider. */
    List<String> ourFlags() {
        return Stream.concat(jvmFlags.stream(), ucxFlags.stream()).toList();
    }

    /** Where figures are appended as comma-separated values, or null. */
    Path csv() {
        return csv;
    }

    int runs(Scenario scenario) {
        if (runs > 0) {
            return runs;
        }
        boolean noisy = scenario.layout() == Scenario.Layout.PLAIN || scenario.placement() == Scenario.Placement.FREE;
        return noisy ? DEFAULT_NOISY_RUNS : 1;
    }

    private long warmupMillis() {
        return Math.round((warmupSeconds == null ? DEFAULT_WARMUP_SECONDS : warmupSeconds) * MILLIS_PER_SECOND);
    }

    /** Settings of every program. */
    List<String> common() {
        return List.of(
                "rounds=" + rounds,
                "round-ms=" + Math.round(roundSeconds * MILLIS_PER_SECOND),
                "warmup-ms=" + warmupMillis(),
                "pace-us=" + paceMicros,
                "heap=" + heap);
    }

    /** Settings that replace the benchmark's own. */
    List<String> overrides(Scenario scenario) {
        List<String> settings = new ArrayList<>();
        if (size > 0) {
            settings.add("size=" + size);
        }
        if (connections > 0 && scenario.settings().containsKey("connections")) {
            settings.add("connections=" + connections);
        }
        if (warmupSeconds != null) {
            settings.add("warmup-ms=" + warmupMillis());
        }
        set.forEach((key, value) -> {
            if (scenario.settings().containsKey(key)) {
                settings.add(key + '=' + value);
            }
        });
        return settings;
    }

    /** The value of a setting that {@code scenario} has, or the one that was asked for in its place. */
    String setting(Scenario scenario, String key) {
        return set.getOrDefault(key, scenario.settings().get(key));
    }

    /** How long a run measures. */
    Duration measuredDuration() {
        return Duration.ofMillis(Math.round(rounds * roundSeconds * MILLIS_PER_SECOND));
    }

    /** How long the measured part of a run should take. */
    Duration expectedDuration() {
        return Duration.ofMillis(warmupMillis() + Math.round(rounds * roundSeconds * MILLIS_PER_SECOND));
    }

    /** A complaint about a setting that none of {@code scenarios} has, or empty. */
    String complaint(Collection<Scenario> scenarios) {
        return set.keySet().stream()
                .filter(key ->
                        scenarios.stream().noneMatch(each -> each.settings().containsKey(key)))
                .findFirst()
                .map(key -> "no setting \"" + key + "\" in any of these benchmarks")
                .orElse("");
    }

    /** A complaint about values that make no sense, or empty. */
    String complaint() {
        if (rounds < 1 || runs < 0 || size < 0 || connections < 0 || paceMicros < 0) {
            return "numbers must not be negative, and there must be one round at least";
        }
        if (!(roundSeconds > 0) || warmupMillis() < 0) {
            return "--seconds must be above 0 and --warmup not below";
        }
        if (!Files.isExecutable(java.resolve("bin/java"))) {
            return "no Java at " + java;
        }
        return "";
    }
}
