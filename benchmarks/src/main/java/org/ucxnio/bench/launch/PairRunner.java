package org.ucxnio.bench.launch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ucxnio.bench.child.Carried;
import org.ucxnio.bench.child.Reporter;

/** Runs one benchmark once on one variant: starts its JVMs, waits for the figures, ends them. */
final class PairRunner {
    private static final String MAIN = "org.ucxnio.bench.micro.MicroMain";
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final int TIMEOUT_FACTOR = 4;
    private static final int SERVER_CORE = 0;
    private static final int CLIENT_CORE = 1;
    private static final int NOT_PINNED = -1;

    /** A fixed heap and the plainest collector, so that neither grows into the figures. */
    private static final List<String> JVM_FLAGS =
            List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch");

    private final BenchOptions options;
    private final Children children;
    private final Progress progress;

    PairRunner(BenchOptions options, Children children, Progress progress) {
        this.options = options;
        this.children = children;
        this.progress = progress;
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
        return scenario.layout() == Scenario.Layout.ALONE
                ? runAlone(scenario, variant, port)
                : runPair(scenario, variant, port);
    }

    private Run runPair(Scenario scenario, Variant variant, int port) throws LaunchException, InterruptedException {
        List<Child> started = new ArrayList<>();
        try {
            Child server = start("server", variant.server(), SERVER_CORE, scenario, variant, port, List.of());
            started.add(server);
            server.await(Reporter.READY, START_TIMEOUT);
            List<String> peer = List.of("peer-pid=" + server.pid());
            Child client = start("client", variant.client(), CLIENT_CORE, scenario, variant, port, peer);
            started.addFirst(client);
            client.awaitFigures(server, timeout());
            children.stop(started);
            return result(variant, client, server);
        } finally {
            children.stop(started);
        }
    }

    private Run runAlone(Scenario scenario, Variant variant, int port) throws LaunchException, InterruptedException {
        Child child = start("alone", variant.client(), NOT_PINNED, scenario, variant, port, List.of());
        try {
            child.await(Reporter.DONE, timeout());
            children.stop(List.of(child));
            return result(variant, child, child);
        } finally {
            children.stop(List.of(child));
        }
    }

    private Child start(
            String role,
            Provider provider,
            int core,
            Scenario scenario,
            Variant variant,
            int port,
            List<String> moreSettings)
            throws LaunchException {
        List<String> arguments = new ArrayList<>(List.of(scenario.program(), role));
        arguments.add("port=" + port);
        arguments.add("expect=" + expectation(provider, variant));
        arguments.addAll(options.common());
        scenario.settings().forEach((key, value) -> arguments.add(key + '=' + value));
        arguments.addAll(options.overrides(scenario));
        arguments.addAll(moreSettings);
        JvmCommand command = new JvmCommand(provider)
                .flags(JVM_FLAGS)
                .flags(options.jvmFlags())
                .flags(provider == Provider.UCX ? options.ucxFlags() : List.of())
                .main(MAIN)
                .arguments(arguments)
                .core(options.pinned() ? core : NOT_PINNED);
        return children.start(role, command, role.equals("server") ? text -> {} : progress::detail);
    }

    private static String expectation(Provider provider, Variant variant) {
        if (provider == Provider.JDK) {
            return "any";
        }
        return variant.accelerated() ? "yes" : "no";
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
