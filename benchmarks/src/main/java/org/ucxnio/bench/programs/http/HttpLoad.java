package org.ucxnio.bench.programs.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.ucxnio.bench.child.Acceleration;
import org.ucxnio.bench.child.Expectation;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.Pace;
import org.ucxnio.bench.measure.ThreadedLoad;

/** A thread for each connection, which asks as fast as answers come or, with a {@code rate} above 0, so often a second over all. */
final class HttpLoad {
    private final Settings settings;
    private final Reporter reporter;

    HttpLoad(Settings settings, Reporter reporter) {
        this.settings = settings;
        this.reporter = reporter;
    }

    /** Measures and reports. */
    void measure() throws IOException, InterruptedException {
        int count = settings.integer("connections");
        byte[] body = Body.of(settings.integer("size"));
        ThreadedLoad load = new ThreadedLoad(settings, reporter);
        List<KeptConnection> connections = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            KeptConnection connection = new KeptConnection(settings.integer("port"), body);
            connections.add(connection);
            Pace pace = Pace.of(settings.integer("rate"), i, count, start);
            load.add(() -> {
                long due = pace.await();
                connection.exchange();
                return due;
            });
        }
        load.measure(count);
        Acceleration.check(reporter, Expectation.of(settings.text("expect")), count);
        for (KeptConnection connection : connections) {
            connection.close();
        }
    }
}
