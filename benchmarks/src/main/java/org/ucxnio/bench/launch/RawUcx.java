package org.ucxnio.bench.launch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.ucxnio.bench.child.Reporter;

/**
 * UCX without Java: round trips and one-way streams of {@code ucx_perftest} over shared memory. Tagged messages, never by
 * rendezvous, as UCX can do no better between two processes that poll.
 */
final class RawUcx {
    private static final String PROGRAM = "ucx_perftest";
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(10);
    private static final long POLL_MILLIS = 50;
    private static final int FIRST_COUNT = 1000;
    private static final int MAX_COUNT = 50_000_000;
    private static final int WARMUP_SHARE = 10;
    private static final double MICROS_PER_SECOND = 1e6;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final int SERVER_CORE = 0;
    private static final int CLIENT_CORE = 1;

    private final BenchOptions options;
    private final Children children;

    RawUcx(BenchOptions options, Children children) {
        this.options = options;
        this.children = children;
    }

    /**
     * The last line of figures of a run.
     *
     * @param medianMicros time between two messages, or half a round trip
     * @param messagesPerSecond messages one way
     */
    record Figures(double medianMicros, double messagesPerSecond) {
        private static final int FIELDS = 8;

        /** Finds them in what the program printed; null where there are none. */
        static Figures parse(List<String> output) {
            Figures last = null;
            for (String line : output) {
                String[] fields = line.strip().split("\\s+");
                if (fields.length >= FIELDS && fields[0].chars().allMatch(Character::isDigit)) {
                    last = new Figures(Double.parseDouble(fields[1]), Double.parseDouble(fields[7]));
                }
            }
            return last;
        }
    }

    /** Runs a scenario of one size, or a sweep over sizes. */
    PairRunner.Run run(Scenario scenario, int port) throws LaunchException, InterruptedException {
        if (Stream.of(System.getenv("PATH").split(":")).noneMatch(each -> Files.isExecutable(Path.of(each, PROGRAM)))) {
            throw new UnavailableException("there is no ucx_perftest (package ucx-utils)");
        }
        Map<String, Double> results = new LinkedHashMap<>();
        boolean roundTrip = scenario.program().equals("ping-pong");
        if (scenario.axis().isSwept()) {
            for (int size : scenario.axis().values()) {
                measure(results, Reporter.AT + size, roundTrip, size, port);
            }
        } else {
            int size = Integer.parseInt(scenario.settings().getOrDefault("size", "16"));
            measure(results, "", roundTrip, size, port);
        }
        return new PairRunner.Run(results, Provider.RAW_UCX.carrier(), List.of());
    }

    private void measure(Map<String, Double> results, String point, boolean roundTrip, int size, int port)
            throws LaunchException, InterruptedException {
        double perSecond = perftest(roundTrip, size, FIRST_COUNT, port).messagesPerSecond();
        double seconds = options.measuredDuration().toMillis() / 1e3 / (point.isEmpty() ? 1 : BenchOptions.SWEEP_SHARE);
        int count = (int) Math.max(FIRST_COUNT, Math.min(MAX_COUNT, perSecond * seconds));
        Duration before = ProcessorOfChildren.soFar();
        Figures figures = perftest(roundTrip, size, count, port);
        // Of both processes, which do the same: half of it each, and with their start, which is short beside the rest.
        double processor = ProcessorOfChildren.soFar().minus(before).toNanos() / NANOS_PER_MICRO / 2 / count;
        results.put("cpu-client" + point, processor);
        results.put("cpu-server" + point, processor);
        if (roundTrip) {
            results.put("p50" + point, 2 * figures.medianMicros());
            results.put("mean" + point, MICROS_PER_SECOND / figures.messagesPerSecond() * 2);
            results.put("rate" + point, figures.messagesPerSecond() / 2);
        } else {
            results.put("rate" + point, figures.messagesPerSecond());
            results.put("bytes" + point, figures.messagesPerSecond() * size);
        }
    }

    private Figures perftest(boolean roundTrip, int size, int count, int port)
            throws LaunchException, InterruptedException {
        Consumer<String> nobody = text -> {};
        Child server = children.start("ucx-server", command(SERVER_CORE, "-p", Integer.toString(port)), nobody);
        try {
            List<String> arguments = command(
                    CLIENT_CORE,
                    "127.0.0.1",
                    "-p",
                    Integer.toString(port),
                    "-t",
                    roundTrip ? "tag_lat" : "tag_bw",
                    "-s",
                    Integer.toString(size),
                    "-n",
                    Integer.toString(count),
                    "-w",
                    Integer.toString(Math.max(FIRST_COUNT / WARMUP_SHARE, count / WARMUP_SHARE)),
                    "-f");
            Figures figures = Figures.parse(awaitClient(server, arguments));
            if (figures == null) {
                throw server.failure("ucx_perftest printed no figures");
            }
            return figures;
        } finally {
            children.stop(List.of(server));
        }
    }

    /** What the client prints. Nothing tells when the server listens: a client that finds nobody is started again. */
    private List<String> awaitClient(Child server, List<String> command) throws LaunchException, InterruptedException {
        long end = System.nanoTime() + START_TIMEOUT.toNanos();
        while (true) {
            Child client = children.start("ucx-client", command, text -> {});
            try {
                client.awaitExit(TIMEOUT);
                return client.output();
            } catch (LaunchException e) {
                if (!server.isAlive() || System.nanoTime() - end > 0) {
                    throw e;
                }
                Thread.sleep(POLL_MILLIS);
            } finally {
                children.stop(List.of(client));
            }
        }
    }

    private static List<String> command(int core, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of("/usr/bin/env", "UCX_TLS=posix", "UCX_WARN_UNUSED_ENV_VARS=n", "UCX_RNDV_THRESH=inf"));
        command.addAll(JvmCommand.pinning(core));
        command.add(PROGRAM);
        command.addAll(List.of(arguments));
        return command;
    }
}
