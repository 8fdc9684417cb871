package org.ucxnio.bench.programs.ratis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.ratis.client.RaftClient;
import org.ucxnio.bench.child.Acceleration;
import org.ucxnio.bench.child.Expectation;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.ThreadedLoad;

/** Threads with a client each that add one to the counter, and wait until the peers have agreed on it. */
final class CounterLoad {
    private final Settings settings;
    private final Reporter reporter;
    private final Quorum quorum;
    private final LongAdder added = new LongAdder();

    CounterLoad(Settings settings, Reporter reporter) {
        this.settings = settings;
        this.reporter = reporter;
        quorum = new Quorum(settings);
    }

    /** Measures and reports. */
    void measure() throws IOException, InterruptedException {
        int count = settings.integer("threads");
        ThreadedLoad load = new ThreadedLoad(settings, reporter);
        List<RaftClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            RaftClient client = quorum.newClient();
            clients.add(client);
            load.add(addingOne(client));
        }
        load.measure(count);
        long counted = Counter.valueOf(clients.get(0).io().sendReadOnly(Counter.ONE_MORE));
        if (counted != added.sum()) {
            throw new IllegalStateException(added + " were added, but " + counted + " were counted");
        }
        Acceleration.check(reporter, Expectation.of(settings.text("expect")), count);
        for (RaftClient client : clients) {
            client.close();
        }
    }

    private ThreadedLoad.Operation addingOne(RaftClient client) {
        long[] last = {0};
        return () -> {
            long start = System.nanoTime();
            long counted = Counter.valueOf(client.io().send(Counter.ONE_MORE));
            added.increment();
            if (counted <= last[0]) {
                throw new IllegalStateException(counted + " was counted behind " + last[0]);
            }
            last[0] = counted;
            return start;
        };
    }
}
