package org.ucxnio.bench.measure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.ucxnio.bench.child.Acceleration;
import org.ucxnio.bench.child.Expectation;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;

/**
 * A load of several threads, one operation at a time each. It is measured with the settings that all benchmarks share, and with
 * {@code clock-port} or {@code clock-ports}: where other processes tell their processor time. With {@code servers}, only so many of these
 * are servers; the others are clients with a load of their own, which they {@linkplain #tell tell} on the port that {@code ports} has
 * for each process. The load is then that of all clients.
 */
public final class ThreadedLoad {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Settings settings;
    private final Reporter reporter;
    private final List<LatencyRecorder> recorders = new ArrayList<>();
    private final List<LoadThread> threads = new ArrayList<>();

    public ThreadedLoad(Settings settings, Reporter reporter) {
        this.settings = settings;
        this.reporter = reporter;
    }

    /** One operation. */
    @FunctionalInterface
    public interface Operation {
        /** Does it; returns the moment from which it counts, as {@link System#nanoTime} tells it. */
        long run() throws Exception;
    }

    /** Adds a thread that repeats {@code operation}, which is its alone. */
    public void add(Operation operation) {
        LatencyRecorder recorder = new LatencyRecorder();
        recorders.add(recorder);
        threads.add(new LoadThread(operation, recorder, "load-" + threads.size()));
    }

    /**
     * Warms up, measures, reports and ends all threads.
     *
     * @param connections number of connections that should move before the measurement
     * @throws IllegalStateException if an operation has failed
     */
    public void measure(int connections) throws InterruptedException {
        threads.forEach(LoadThread::start);
        Thread.sleep(settings.number("warmup-ms"));
        Acceleration.awaitMove(Expectation.of(settings.text("expect")), connections);
        new LoadMeter(settings.integer("rounds"), reporter, Clocks.of(settings))
                .measure(settings.number("round-ms") * NANOS_PER_MILLI, sources());
        threads.forEach(LoadThread::stop);
        for (LoadThread thread : threads) {
            thread.await();
        }
    }

    /**
     * Keeps up the load until this JVM ends, for another client that measures.
     *
     * @param check throws an exception where operations were not as they should be; an exception of it, and an operation that fails,
     *     ends this JVM
     */
    public void tell(Runnable check) throws IOException {
        threads.forEach(LoadThread::start);
        ToldLatencies.tell(port(settings.integer("number")), recorders, () -> {
            threads.forEach(LoadThread::check);
            check.run();
        });
    }

    private List<LatencySource> sources() {
        List<LatencySource> sources = new ArrayList<>(recorders);
        if (settings.has("servers")) {
            int own = settings.integer("number");
            for (int i = settings.integer("servers"); i < own; i++) {
                sources.add(new ToldLatencies(port(i)));
            }
        }
        return sources;
    }

    private int port(int process) {
        return settings.integers("ports")[process];
    }
}
