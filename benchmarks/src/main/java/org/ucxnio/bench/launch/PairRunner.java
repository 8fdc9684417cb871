package org.ucxnio.bench.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ucxnio.bench.child.Carried;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.launch.ChildStarter.Job;

/** Runs one benchmark once on one variant: starts its JVMs, waits for the figures, ends them. */
final class PairRunner {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final int TIMEOUT_FACTOR = 4;
    private static final int SERVER_CORE = 0;
    private static final int CLIENT_CORE = 1;

    private final BenchOptions options;
    private final Children children;
    private final ChildStarter starter;
    private final FreshRunner fresh;
    private final MeshRunner mesh;

    PairRunner(BenchOptions options, Children children, Progress progress) {
        this.options = options;
        this.children = children;
        starter = new ChildStarter(options, children, progress);
        fresh = new FreshRunner(options, children, starter, progress);
        mesh = new MeshRunner(options, children, starter);
    }

    /**
     * What one run said.
     *
     * @param results its figures
     * @param carriedBy what carried most of the bytes, as the client says
     * @param complaints what was not as it should be
     */
    record Run(Map<String, Double> results, String carriedBy, List<String> complaints) {}

    Run run(Scenario scenario, Variant variant) throws LaunchException, InterruptedException {
        int port = Ports.free();
        return switch (scenario.layout()) {
            case PAIR, PLAIN -> runPair(scenario, variant, port);
            case ALONE -> runAlone(scenario, variant, port);
            case FRESH_CLIENT -> fresh.runClients(scenario, variant, port);
            case FRESH -> fresh.runAlone(scenario, variant);
            case MESH -> mesh.run(scenario, variant, timeout());
        };
    }

    private Run runPair(Scenario scenario, Variant variant, int port) throws LaunchException, InterruptedException {
        List<Child> started = new ArrayList<>();
        Path directory = children.newDirectory();
        try {
            Child server = starter.start(
                    Job.of(
                            scenario,
                            "server",
                            variant.server(),
                            settings(scenario, variant, variant.server(), port, "directory=" + directory)),
                    SERVER_CORE);
            started.add(server);
            server.await(Reporter.READY, START_TIMEOUT);
            List<String> settings = settings(
                    scenario,
                    variant,
                    variant.client(),
                    port,
                    "peer-pid=" + server.pid(),
                    "clock-port=" + server.clockPort());
            Child client = starter.start(Job.of(scenario, "client", variant.client(), settings), CLIENT_CORE);
            started.add(0, client);
            client.awaitFigures(server, timeout());
            children.stop(started);
            return result(variant, client, server);
        } finally {
            children.stop(started);
            children.removeFiles(directory);
        }
    }

    private Run runAlone(Scenario scenario, Variant variant, int port) throws LaunchException, InterruptedException {
        List<String> settings = settings(scenario, variant, variant.client(), port);
        Child child = starter.start(Job.of(scenario, "alone", variant.client(), settings), ChildStarter.NOT_PINNED);
        try {
            child.await(Reporter.DONE, timeout());
            children.stop(List.of(child));
            return result(variant, child, child);
        } finally {
            children.stop(List.of(child));
        }
    }

    private static List<String> settings(
            Scenario scenario, Variant variant, Provider provider, int port, String... more) {
        List<String> settings = new ArrayList<>(List.of("port=" + port, variant.expectation(scenario, provider)));
        settings.addAll(List.of(more));
        return settings;
    }

    private static Run result(Variant variant, Child client, Child server) {
        List<String> complaints = new ArrayList<>(client.transcript().all(Reporter.NOT_ACCELERATED));
        Carried served = server.transcript().carried();
        if (variant.mixed() && !served.besidesTcp().isEmpty()) {
            complaints.add("server: " + served.besidesTcp());
        }
        return new Run(
                client.transcript().results(), client.transcript().last(Reporter.CARRIED_BY), List.copyOf(complaints));
    }

    private Duration timeout() {
        return options.expectedDuration().multipliedBy(TIMEOUT_FACTOR).plus(START_TIMEOUT);
    }
}
