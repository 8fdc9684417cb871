package org.ucxnio.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import org.ucxnio.config.Config;
import org.ucxnio.posix.Posix;
import org.ucxnio.ucx.fake.FakeUcx;

/**
 * Two processes that share a fake UCX. A transport lives as long as its JVM, so tests with the same configuration share them;
 * each brings worker groups of its own.
 */
final class Processes {
    /** Messages a worker's queue holds. */
    static final int FIFO = 64;

    private static final Map<List<String>, Processes> SHARED = new ConcurrentHashMap<>();
    private static final Map<List<String>, Processes> SHARED_STEPPED = new ConcurrentHashMap<>();

    final TestFaults faults = new TestFaults();
    final FakeUcx ucx = new FakeUcx(FIFO, faults);
    final Transport left;
    final Transport right;

    /** Null where the pollers go as they like. */
    private final SteppedPosix steps;

    private Processes(Config config, boolean stepped) throws IOException {
        steps = stepped ? new SteppedPosix(posix()) : null;
        Posix posix = stepped ? steps.posix() : posix();
        left = new Transport(config, ucx, posix);
        right = new Transport(config, ucx, posix);
    }

    static Posix posix() {
        return ServiceLoader.load(Posix.class).findFirst().orElseThrow();
    }

    /** @param properties names and values in turn */
    static Processes shared(String... properties) {
        return cleared(SHARED.computeIfAbsent(List.of(properties), key -> fresh(properties)));
    }

    /** The same, and their pollers move when the test says so. */
    static Processes sharedStepped(String... properties) {
        return cleared(SHARED_STEPPED.computeIfAbsent(List.of(properties), key -> freshStepped(properties)));
    }

    private static Processes cleared(Processes processes) {
        processes.faults.clear();
        return processes;
    }

    /** Processes no other test uses. */
    static Processes fresh(String... properties) {
        return make(false, properties);
    }

    static Processes freshStepped(String... properties) {
        return make(true, properties);
    }

    private static Processes make(boolean stepped, String... properties) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < properties.length; i += 2) {
            values.put(properties[i], properties[i + 1]);
        }
        try {
            return new Processes(Config.from(values::get), stepped);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Each poller does one round. */
    void step() {
        steps.step();
    }

    /** As one that goes on for as long as the test does. */
    static Peer peer(Transport process) {
        Config config = process.config();
        return new Peer(process.processId(), true, config.windowBytes(), config.windowMessages(), () -> true);
    }
}
