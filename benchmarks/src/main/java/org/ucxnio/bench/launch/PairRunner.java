package org.ucxnio.bench.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
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
    private final RawUcx rawUcx;

    PairRunner(BenchOptions options, Children children, Progress progress) {
        this.options = options;
        this.children = children;
        starter = new ChildStarter(options, children, progress);
        rawUcx = new RawUcx(options, children);
        fresh = new FreshRunner(options, children, starter, progress);
        mesh = new MeshRunner(options, children, starter);
    }

    /**
     * What one run said.
     *
     * @param results its figures
     * @param carriedBy what carried most of the bytes, as the client says
     * @param complaints what was not as it should be
     * @param histograms all its latencies, where it reported them
     * @param rates operations a second by the seconds since the beginning
     */
    record Run(
            Map<String, Double> results,
            String carriedBy,
            List<String> complaints,
            Map<String, Histogram> histograms,
            Map<Double, Double> rates) {

        Run(Map<String, Double> results, String carriedBy, List<String> complaints) {
            this(results, carriedBy, complaints, Map.of(), Map.of());
        }

        /** What a client on {@code variant} said. */
        static Run of(Variant variant, Transcript client, List<String> complaints) {
            Provider provider = variant.client();
            return new Run(
                    client.results(),
                    provider.isOurs() ? client.last(Reporter.CARRIED_BY) : provider.carrier(),
                    List.copyOf(complaints),
                    client.histograms(),
                    client.series("rate"));
        }
    }

    Run run(Scenario scenario, Variant variant) throws LaunchException, InterruptedException {
        int port = Ports.free();
        if (variant.client() == Provider.RAW_UCX) {
            return rawUcx.run(scenario, port);
        }
        return switch (scenario.layout()) {
            case PAIR, PLAIN -> runPair(scenario, variant, port, Place.HERE, Place.HERE);
            case NETWORK -> runOverNetwork(scenario, variant, port);
            case ALONE -> runAlone(scenario, variant, port);
            case FRESH_CLIENT -> fresh.runClients(scenario, variant, port);
            case FRESH -> fresh.runAlone(scenario, variant);
            case MESH -> mesh.run(scenario, variant, timeout(scenario));
        };
    }

    private Run runOverNetwork(Scenario scenario, Variant variant, int port)
            throws LaunchException, InterruptedException {
        try (NetworkPair network = NetworkPair.open()) {
            return runPair(scenario, variant, port, network.server(), network.client());
        }
    }

    private Run runPair(Scenario scenario, Variant variant, int port, Place serverPlace, Place clientPlace)
            throws LaunchException, InterruptedException {
        List<Child> started = new ArrayList<>();
        Path directory = children.newDirectory();
        try {
            Child server = starter.start(
                    Job.of(
                            scenario,
                            "server",
                            variant.server(),
                            settings(scenario, variant, variant.server(), port, "directory=" + directory)),
                    serverPlace,
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
            Child client =
                    starter.start(Job.of(scenario, "client", variant.client(), settings), clientPlace, CLIENT_CORE);
            started.add(0, client);
            client.awaitFigures(server, timeout(scenario));
            children.stop(started);
            return result(variant, client, server);
        } finally {
            children.stop(started);
            Children.removeFiles(directory);
        }
    }

    private Run runAlone(Scenario scenario, Variant variant, int port) throws LaunchException, InterruptedException {
        List<String> settings = settings(scenario, variant, variant.client(), port);
        Child child = starter.start(
                Job.of(scenario, "alone", variant.client(), settings), Place.HERE, ChildStarter.NOT_PINNED);
        try {
            child.await(Reporter.DONE, timeout(scenario));
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
        return Run.of(variant, client.transcript(), complaints);
    }

    private Duration timeout(Scenario scenario) {
        return options.expectedDuration(scenario).multipliedBy(TIMEOUT_FACTOR).plus(START_TIMEOUT);
    }
}
