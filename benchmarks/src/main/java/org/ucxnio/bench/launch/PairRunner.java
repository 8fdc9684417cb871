package org.ucxnio.bench.launch;

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

    PairRunner(BenchOptions options, Children children, Progress progress) {
        this.options = options;
        this.children = children;
        starter = new ChildStarter(options, children, progress);
        fresh = new FreshRunner(options, children, starter, progress);
    }

    /**
     * What one run said.
     *
     * @param results its figures
     * @param client what the client's provider carried
     * @param server what the server's provider carried
     * @param complaints what was not as it should be
     */
    record Run(Map<String, Double> results, Carried client, Carried server, List<String> complaints) {}

    Run run(Scenario scenario, Variant variant) throws LaunchException, InterruptedException {
        int port = Ports.free();
        return switch (scenario.layout()) {
            case PAIR, PLAIN -> runPair(scenario, variant, port);
            case ALONE -> runAlone(scenario, variant, port);
            case FRESH_CLIENT -> fresh.runClients(scenario, variant, port);
            case FRESH -> fresh.runAlone(scenario, variant);
        };
    }

    private Run runPair(Scenario scenario, Variant variant, int port) throws LaunchException, InterruptedException {
        List<Child> started = new ArrayList<>();
        try {
            Child server = starter.start(
                    Job.of(scenario, "server", variant.server(), settings(variant.server(), variant, port)),
                    SERVER_CORE);
            started.add(server);
            server.await(Reporter.READY, START_TIMEOUT);
            List<String> settings = settings(
                    variant.client(), variant, port, "peer-pid=" + server.pid(), "clock-port=" + server.clockPort());
            Child client = starter.start(Job.of(scenario, "client", variant.client(), settings), CLIENT_CORE);
            started.addFirst(client);
            client.awaitFigures(server, timeout());
            children.stop(started);
            return result(variant, client, server);
        } finally {
            children.stop(started);
        }
    }

    private Run runAlone(Scenario scenario, Variant variant, int port) throws LaunchException, InterruptedException {
        List<String> settings = settings(variant.client(), variant, port);
        Child child = starter.start(Job.of(scenario, "alone", variant.client(), settings), ChildStarter.NOT_PINNED);
        try {
            child.await(Reporter.DONE, timeout());
            children.stop(List.of(child));
            return result(variant, child, child);
        } finally {
            children.stop(List.of(child));
        }
    }

    private static List<String> settings(Provider provider, Variant variant, int port, String... more) {
        List<String> settings = new ArrayList<>(List.of("port=" + port, "expect=" + variant.expectation(provider)));
        settings.addAll(List.of(more));
        return settings;
    }

    private static Run result(Variant variant, Child client, Child server) {
        List<String> complaints = new ArrayList<>(client.transcript().all(Reporter.NOT_ACCELERATED));
        Carried served = server.transcript().carried();
        if (!variant.accelerated() && served.ucxTotal() > 0) {
            complaints.add("meant to be plain TCP, but the server moved " + served.ucxTotal() + " bytes through UCX");
        }
        return new Run(client.transcript().results(), client.transcript().carried(), served, List.copyOf(complaints));
    }

    private Duration timeout() {
        return options.expectedDuration().multipliedBy(TIMEOUT_FACTOR).plus(START_TIMEOUT);
    }
}
