package org.ucxnio.bench.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Starts the measured JVMs of benchmarks, with the flags and settings that each of them has. */
final class ChildStarter {
    /** No core of its own. */
    static final int NOT_PINNED = -1;

    /** A fixed heap and the plainest collector, so that neither grows into the figures. */
    static final List<String> STEADY_FLAGS = List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch");

    private final BenchOptions options;
    private final Children children;
    private final Progress progress;

    ChildStarter(BenchOptions options, Children children, Progress progress) {
        this.options = options;
        this.children = children;
        this.progress = progress;
    }

    /**
     * What a JVM is to do.
     *
     * @param scenario the benchmark
     * @param program the program: the benchmark's or one that prepares it
     * @param role its part in the program
     * @param provider the provider it runs on
     * @param settings settings beyond those of the benchmark
     */
    record Job(Scenario scenario, String program, String role, Provider provider, List<String> settings) {
        Job {
            settings = List.copyOf(settings);
        }

        static Job of(Scenario scenario, String role, Provider provider, List<String> settings) {
            return new Job(scenario, scenario.program(), role, provider, settings);
        }
    }

    /** Starts a JVM that lives as long as the measurement, on {@code core} if it is to be pinned. */
    Child start(Job job, Place place, int core) throws LaunchException {
        return children.start(
                job.role(),
                command(job)
                        .prefix(place.prefix())
                        .flags(place.flags())
                        .flags(job.provider().isOurs() ? place.ourFlags() : List.of())
                        .flags(STEADY_FLAGS)
                        .core(options.pinned(job.scenario()) ? core : NOT_PINNED),
                job.role().equals("server") ? text -> {} : progress::detail);
    }

    /** Starts a JVM whose start is measured, too: as plain {@code java} does it. */
    Child startFresh(Job job) throws LaunchException {
        Consumer<String> nobody = text -> {};
        return children.start(job.role(), command(job), nobody);
    }

    private JvmCommand command(Job job) {
        List<String> arguments = new ArrayList<>(List.of(job.program(), job.role()));
        arguments.addAll(options.common(job.scenario()));
        job.provider().settings(children.directory()).forEach((key, value) -> arguments.add(key + '=' + value));
        job.scenario().settings().forEach((key, value) -> arguments.add(key + '=' + value));
        arguments.addAll(options.overrides(job.scenario()));
        arguments.addAll(job.settings());
        return new JvmCommand(job.provider())
                .java(options.java())
                .flags(job.scenario().mayStay() ? List.of() : job.provider().movingFlags())
                .flags(job.provider().isOurs() ? job.scenario().ourFlags() : List.of())
                .flags(job.provider().isOurs() ? options.ourFlags() : options.jvmFlags())
                .main(job.provider().main(job.scenario().main()))
                .arguments(arguments);
    }
}
