package org.ucxnio.bench.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.launch.ChildStarter.Job;

/**
 * Runs a benchmark of several JVMs that are connected to each other. They start one after another, each when the one before it
 * listens; the last one measures them all.
 */
final class MeshRunner {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final int LEAST = 2;

    private final BenchOptions options;
    private final Children children;
    private final ChildStarter starter;

    MeshRunner(BenchOptions options, Children children, ChildStarter starter) {
        this.options = options;
        this.children = children;
        this.starter = starter;
    }

    PairRunner.Run run(Scenario scenario, Variant variant, Duration timeout)
            throws LaunchException, InterruptedException {
        int count = Integer.parseInt(options.setting(scenario, "processes"));
        if (count < LEAST) {
            throw new LaunchException("there must be " + LEAST + " processes at least");
        }
        String ports = "ports=" + ports(count);
        List<Child> started = new ArrayList<>();
        Path directory = children.newDirectory();
        try {
            for (int i = 0; i < count - 1; i++) {
                List<String> settings = List.of(
                        ports,
                        "number=" + i,
                        "directory=" + directory,
                        variant.expectation(scenario, variant.server()));
                Child member = starter.start(
                        Job.of(scenario, "member-" + i, variant.server(), settings),
                        Place.HERE,
                        ChildStarter.NOT_PINNED);
                started.add(member);
                member.await(Reporter.READY, START_TIMEOUT);
            }
            return measure(scenario, variant, ports, started, timeout);
        } finally {
            children.stop(started);
            Children.removeFiles(directory);
        }
    }

    private PairRunner.Run measure(
            Scenario scenario, Variant variant, String ports, List<Child> members, Duration timeout)
            throws LaunchException, InterruptedException {
        String clocks =
                members.stream().map(each -> Integer.toString(each.clockPort())).collect(Collectors.joining(","));
        List<String> settings = List.of(
                ports,
                "number=" + members.size(),
                "clock-ports=" + clocks,
                variant.expectation(scenario, variant.client()));
        Child client = starter.start(
                Job.of(scenario, "client", variant.client(), settings), Place.HERE, ChildStarter.NOT_PINNED);
        try {
            client.await(Reporter.DONE, timeout);
        } catch (LaunchException e) {
            // A member that failed has more to say than one that lost its connection with it.
            String ended = members.stream()
                    .filter(each -> !each.isAlive())
                    .map(each -> each.failure("has ended").getMessage())
                    .collect(Collectors.joining(System.lineSeparator()));
            throw new LaunchException(e.getMessage() + System.lineSeparator() + ended, e);
        } finally {
            children.stop(List.of(client));
        }
        Transcript said = client.transcript();
        return PairRunner.Run.of(variant, said, said.all(Reporter.NOT_ACCELERATED));
    }

    private static String ports(int count) throws LaunchException {
        Set<Integer> ports = new LinkedHashSet<>();
        while (ports.size() < count) {
            ports.add(Ports.free());
        }
        return ports.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
