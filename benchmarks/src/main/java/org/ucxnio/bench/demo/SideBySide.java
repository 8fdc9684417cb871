package org.ucxnio.bench.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ucxnio.bench.launch.Children;
import org.ucxnio.bench.launch.LaunchException;
import org.ucxnio.bench.launch.Progress;
import org.ucxnio.bench.launch.Provider;

/**
 * A program on several providers at the same time. Each warms up alone; then they take turns, one at a time, so that a moment in which the
 * machine is slow does not fall on one of them.
 */
final class SideBySide {
    private final Program program;
    private final Children children;
    private final Progress progress;
    private final Map<Provider, Pair> pairs = new LinkedHashMap<>();
    private boolean failed;

    SideBySide(Program program, Children children, Progress progress) {
        this.program = program;
        this.children = children;
        this.progress = progress;
    }

    /** Whether any of them failed, which was said by then. */
    boolean hasFailed() {
        return failed;
    }

    /** Returns what came of those that did not fail. */
    Map<Provider, Outcome> run(List<Provider> providers) throws InterruptedException {
        int turns = 0;
        for (Provider provider : providers) {
            progress.step(program.name() + " on " + provider.description());
            turns = Math.max(turns, start(provider));
        }
        progress.step(program.name() + ", all of them in turns");
        for (int i = 0; i < turns; i++) {
            for (Provider provider : List.copyOf(pairs.keySet())) {
                giveTurn(provider);
            }
        }
        Map<Provider, Outcome> outcomes = new LinkedHashMap<>();
        for (Map.Entry<Provider, Pair> each : pairs.entrySet()) {
            try {
                outcomes.put(each.getKey(), each.getValue().end(children));
            } catch (LaunchException e) {
                fail(each.getKey(), e);
            }
        }
        return outcomes;
    }

    /** Returns how many turns it takes: none where it failed. */
    private int start(Provider provider) throws InterruptedException {
        try {
            Pair pair = program.start(provider, children, progress);
            int turns = pair.awaitTurns();
            pairs.put(provider, pair);
            return turns;
        } catch (LaunchException e) {
            fail(provider, e);
            return 0;
        }
    }

    private void giveTurn(Provider provider) throws InterruptedException {
        try {
            pairs.get(provider).giveTurn();
        } catch (LaunchException e) {
            pairs.remove(provider);
            fail(provider, e);
        }
    }

    /** The others are still worth seeing. Its processes end with those of all. */
    private void fail(Provider provider, LaunchException cause) {
        failed = true;
        progress.clear();
        System.err.printf("%s on %s failed. %s%n", program.name(), provider.description(), cause.getMessage());
    }
}
