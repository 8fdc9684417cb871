package org.ucxnio.bench.launch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The options of the command line, with their defaults. */
final class BenchOptions {
    private static final int DEFAULT_NOISY_RUNS = 3;
    private static final double MILLIS_PER_SECOND = 1000;

    /** Each point of a sweep takes one part in so many of the time of a run. */
    static final int SWEEP_SHARE = 4;

    /** What takes as long in each JVM is run once where all is run. */
    private static final Duration LONG = Duration.ofSeconds(5);

    /** What the start and the end of the JVMs of a run take, about. */
    private static final Duration OVERHEAD = Duration.ofMillis(2500);

    @Option(
            names = "--provider",
            split = ",",
            paramLabel = "NAME",
            description = "Which to run, of jdk, unix (Unix-domain sockets), epoll and io_uring (Netty's), ucxnio, ucx"
                    + " (ucxnio over UCX messages instead of rings), raw-ucx (ucx_perftest) and aeron; each where"
                    + " a benchmark can be run on it. Default: all that can be had.")
    private List<String> wanted = new ArrayList<>();

    @Option(
            names = "--other-provider",
            paramLabel = "CLASS:JAR",
            description = "Another selector provider to run as well, and the JAR that it lies in; repeatable.")
    private List<String> others = new ArrayList<>();

    @Option(
            names = "--rounds",
            description =
                    "Measured rounds in each JVM; figures are medians over them. Default: 5; 3 for all and quick.")
    private Integer rounds;

    @Option(
            names = "--seconds",
            description = "Seconds a round takes; a quarter of that for each point of a sweep."
                    + " Default: 0.8; 0.5 for all, 0.3 for quick.")
    private Double roundSeconds;

    @Option(
            names = "--warmup",
            description = "Seconds of warm-up in each JVM; a quarter of that again for each further point of a sweep."
                    + " Default: 2; 1.5 for all, 0.8 for quick; for whole programs 5, 3 and 2.")
    private Double warmupSeconds;

    @Option(
            names = "--runs",
            description =
                    "Fresh JVM pairs for each provider, by turns; figures are medians over them, with the smallest and"
                            + " the largest. Default: 3 for plain TCP and where no JVM is pinned, 1 for all others; for"
                            + " all 2, but 1 for sweeps, whole programs, all-to-all and what takes 5 s; for quick 1.")
    private Integer runs;

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

    @Option(
            names = "--rate",
            defaultValue = "10000",
            description = "Messages a second that \"open-rtt\" sends. Default: ${DEFAULT-VALUE}.")
    private int perSecond;

    @Option(
            names = "--output",
            paramLabel = "DIRECTORY",
            description = "Where results.csv, results.md and the plots go. Default: target/bench/ and the time.")
    private Path output;

    private Effort effort = Effort.USUAL;

    /** Takes other values for what the command line does not say. */
    void use(Effort other) {
        effort = other;
    }

    private int rounds() {
        return rounds == null ? effort.rounds() : rounds;
    }

    private double roundSeconds() {
        return roundSeconds == null ? effort.roundSeconds() : roundSeconds;
    }

    private double warmupSeconds() {
        return warmupSeconds == null ? effort.warmupSeconds() : warmupSeconds;
    }

    private double programWarmupSeconds() {
        return warmupSeconds == null ? effort.programWarmupSeconds() : warmupSeconds;
    }

    private double warmupMillis(Scenario scenario) {
        return MILLIS_PER_SECOND * (scenario.isProgram() ? programWarmupSeconds() : warmupSeconds());
    }

    /** The scenario as it is to be run: of a sweep, so many of its values. */
    Scenario scaled(Scenario scenario) {
        return scenario.axis().isSwept() ? scenario.over(scenario.axis().every(effort.step())) : scenario;
    }

    /** The providers to run, in the order of their columns. */
    List<Provider> wanted() {
        Stream<Provider> named = Provider.ALL.stream().filter(each -> wanted.isEmpty() || isChosen(each));
        return Stream.concat(named, IntStream.range(0, others.size()).mapToObj(this::other))
                .toList();
    }

    /** Whether {@code provider} was asked for by name. */
    boolean isChosen(Provider provider) {
        return wanted.stream().anyMatch(each -> each.equalsIgnoreCase(provider.name()));
    }

    private Provider other(int index) {
        String className = className(others.get(index));
        Path jar = Path.of(others.get(index).substring(className.length() + 1));
        long namesakes = others.stream()
                .limit(index)
                .filter(each -> className(each).equals(className))
                .count();
        return Provider.other(className, jar, namesakes == 0 ? "" : " " + (namesakes + 1));
    }

    private static String className(String classAndJar) {
        return classAndJar.substring(0, classAndJar.indexOf(':'));
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

    /** Where results go. */
    Path output(LocalDateTime now) {
        return output == null
                ? Path.of("target", "bench", now.format(DateTimeFormatter.ofPattern("yyyy-MM-dd-HHmmss")))
                : output;
    }

    int runs(Scenario scenario) {
        if (runs != null && runs > 0) {
            return runs;
        }
        boolean takesLong = scenario.isProgram()
                || scenario.layout() == Scenario.Layout.MESH
                || expectedDuration(scenario).compareTo(LONG) >= 0;
        if (scenario.axis().isSwept() || takesLong && effort.runs() > 0) {
            return 1;
        }
        boolean noisy = scenario.layout() == Scenario.Layout.PLAIN || scenario.placement() == Scenario.Placement.FREE;
        return effort.runs() > 0 ? effort.runs() : noisy ? DEFAULT_NOISY_RUNS : 1;
    }

    /** Settings of the program of {@code scenario} that it has in common with others. */
    List<String> common(Scenario scenario) {
        List<String> common = new ArrayList<>(List.of(
                "rounds=" + rounds(),
                "round-ms=" + Math.round(roundSeconds() * MILLIS_PER_SECOND),
                "warmup-ms=" + Math.round(warmupMillis(scenario)),
                "pace-us=" + paceMicros,
                "per-second=" + perSecond,
                "heap=" + heap));
        if (scenario.axis().isSwept()) {
            common.add("axis=" + scenario.axis().key());
            common.add("at=" + String.join(",", scenario.points()));
        }
        return common;
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
        return Duration.ofMillis(Math.round(rounds() * roundSeconds() * MILLIS_PER_SECOND));
    }

    /** How long the measured part of a run should take. */
    Duration expectedDuration(Scenario scenario) {
        double roundMillis = number(scenario, "round-ms", roundSeconds() * MILLIS_PER_SECOND);
        double measured = roundMillis * number(scenario, "rounds", rounds());
        double warmup = number(scenario, "warmup-ms", warmupMillis(scenario));
        int points = scenario.axis().values().size();
        return Duration.ofMillis(
                Math.round(points == 0 ? warmup + measured : warmup + points * (warmup + measured) / SWEEP_SHARE));
    }

    private double number(Scenario scenario, String key, double otherwise) {
        return scenario.settings().containsKey(key) ? Double.parseDouble(setting(scenario, key)) : otherwise;
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

    /** How long all of {@code scenarios} will take on {@code providers}, about. */
    Duration estimate(List<Scenario> scenarios, List<Provider> providers) {
        Duration sum = Duration.ZERO;
        for (Scenario scenario : scenarios) {
            int count = runs(scenario) * Variant.of(scenario, providers).size();
            sum = sum.plus(expectedDuration(scenario).plus(OVERHEAD).multipliedBy(count));
        }
        return sum;
    }

    /** How it is measured, for whoever reads the results. */
    Map<String, String> describe() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put(
                "rounds",
                String.format(
                        Locale.ROOT,
                        "%d of %.2f s in each JVM; a quarter of that for each point of a sweep",
                        rounds(),
                        roundSeconds()));
        words.put(
                "warm-up",
                String.format(
                        Locale.ROOT,
                        "%.2f s in each JVM; a quarter of that again for each further point of a sweep; %.2f s for a"
                                + " whole program",
                        warmupSeconds(),
                        programWarmupSeconds()));
        words.put("buffers", heap ? "heap" : "direct");
        words.put(
                "pinning",
                notPinned || !JvmCommand.canPin()
                        ? "none"
                        : "server on core 0, client on core 1, where a benchmark is pinned");
        words.put("JVM flags", String.join(" ", ChildStarter.STEADY_FLAGS));
        if (!ourFlags().isEmpty()) {
            words.put("more JVM flags", String.join(" ", jvmFlags) + "; for ucxnio " + String.join(" ", ucxFlags));
        }
        return words;
    }

    /** A complaint about values that make no sense, or empty. */
    String complaint() {
        boolean negative = runs != null && runs < 0 || size < 0 || connections < 0 || paceMicros < 0;
        if (negative || rounds() < 1 || perSecond < 1) {
            return "numbers must not be negative, and there must be one round and one message a second at least";
        }
        if (!(roundSeconds() > 0) || !(warmupSeconds() >= 0)) {
            return "--seconds must be above 0 and --warmup not below";
        }
        if (!Files.isExecutable(java.resolve("bin/java"))) {
            return "no Java at " + java;
        }
        for (String name : wanted) {
            if (Provider.ALL.stream().noneMatch(each -> each.name().equalsIgnoreCase(name))) {
                return "no provider \"" + name + "\"; there are " + Provider.ALL;
            }
        }
        for (String classAndJar : others) {
            int colon = classAndJar.indexOf(':');
            if (colon <= 0 || Files.notExists(Path.of(classAndJar.substring(colon + 1)))) {
                return "--other-provider takes a class and a JAR that is there, as in org.example.Provider:example.jar";
            }
        }
        return "";
    }
}
