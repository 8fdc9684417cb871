package org.ucxnio.bench.launch;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.ucxnio.bench.child.Expectation;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.launch.ChildStarter.Job;
import org.ucxnio.bench.measure.ProcessorTime;

/**
 * Runs one fresh JVM after another for as long as all rounds of another benchmark take. One before them is not measured:
 * it warms the server, and it checks what carries the bytes, which the others have no time for.
 */
final class FreshRunner {
    private static final Duration LIFE_TIMEOUT = Duration.ofSeconds(30);
    private static final int TIMEOUT_FACTOR = 4;
    private static final int LIVES_AT_LEAST = 5;
    private static final String ROLE = "once";
    private static final String NOT_CHECKED = "expect=" + Expectation.ANY.setting();

    private final BenchOptions options;
    private final Children children;
    private final ChildStarter starter;
    private final Progress progress;

    FreshRunner(BenchOptions options, Children children, ChildStarter starter, Progress progress) {
        this.options = options;
        this.children = children;
        this.starter = starter;
        this.progress = progress;
    }

    /** Fresh clients of one server. */
    PairRunner.Run runClients(Scenario scenario, Variant variant, int port)
            throws LaunchException, InterruptedException {
        String address = "port=" + port;
        Child server = starter.start(
                Job.of(scenario, "server", variant.server(), List.of(address)), Place.HERE, ChildStarter.NOT_PINNED);
        try {
            server.await(Reporter.READY, LIFE_TIMEOUT);
            List<String> settings = List.of(address, "rounds=1", variant.expectation(scenario, variant.client()));
            Child first = starter.startFresh(new Job(scenario, "short", ROLE, variant.client(), settings));
            List<String> complaints = check(scenario, first, server);
            long serverStart = ProcessorTime.of(server.clockPort());
            Lives lives = live(Job.of(scenario, ROLE, variant.client(), List.of(address, NOT_CHECKED)));
            Map<String, Double> results = lives.results(ProcessorTime.of(server.clockPort()) - serverStart);
            children.stop(List.of(server));
            return new PairRunner.Run(results, first.transcript().last(Reporter.CARRIED_BY), complaints);
        } finally {
            children.stop(List.of(server));
        }
    }

    /** Fresh JVMs with both sides in them. */
    PairRunner.Run runAlone(Scenario scenario, Variant variant) throws LaunchException, InterruptedException {
        String address = "port=0";
        Provider provider = variant.client();
        Child first = starter.startFresh(
                Job.of(scenario, ROLE, provider, List.of(address, variant.expectation(scenario, variant.client()))));
        List<String> complaints = check(scenario, first, first);
        Lives lives = live(Job.of(scenario, ROLE, provider, List.of(address, NOT_CHECKED)));
        return new PairRunner.Run(lives.results(0), first.transcript().last(Reporter.CARRIED_BY), complaints);
    }

    private List<String> check(Scenario scenario, Child first, Child server)
            throws LaunchException, InterruptedException {
        try {
            first.awaitExit(options.expectedDuration(scenario)
                    .multipliedBy(TIMEOUT_FACTOR)
                    .plus(LIFE_TIMEOUT));
        } catch (LaunchException e) {
            throw first == server
                    ? e
                    : new LaunchException(e.getMessage() + server.failure("").getMessage(), e);
        } finally {
            children.stop(List.of(first));
        }
        return first.transcript().all(Reporter.NOT_ACCELERATED);
    }

    private Lives live(Job job) throws LaunchException, InterruptedException {
        Lives lives = Lives.begin();
        long end = System.nanoTime() + options.measuredDuration().toNanos();
        while (System.nanoTime() - end < 0 || lives.count() < LIVES_AT_LEAST) {
            progress.detail("process " + (lives.count() + 1));
            Child child = starter.startFresh(job);
            try {
                lives.add(child.awaitExit(LIFE_TIMEOUT), child.transcript().results());
            } finally {
                children.stop(List.of(child));
            }
        }
        return lives;
    }
}
