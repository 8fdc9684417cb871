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

    final TestFaults faults = new TestFaults();
    final FakeUcx ucx = new FakeUcx(FIFO, faults);
    final Transport left;
    final Transport right;

    private Processes(Config config) throws IOException {
        left = new Transport(config, ucx, posix());
        right = new Transport(config, ucx, posix());
    }

    static Posix posix() {
        return ServiceLoader.load(Posix.class).findFirst().orElseThrow();
    }

    /** @param properties names and values in turn */
    static Processes shared(String... properties) {
        Processes processes = SHARED.computeIfAbsent(List.of(properties), key -> fresh(properties));
        processes.faults.clear();
        return processes;
    }

    /** Processes no other test uses. */
    static Processes fresh(String... properties) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < properties.length; i += 2) {
            values.put(properties[i], properties[i + 1]);
        }
        try {
            return new Processes(Config.from(values::get));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Peer peer(Transport process) {
        Config config = process.config();
        return new Peer(process.processId(), true, config.windowBytes(), config.windowMessages());
    }
}
