package org.ucxnio.transport;

import java.io.IOException;
import java.util.UUID;

/** Workers for tests of other packages. */
public final class TestWorkers {
    private static final int WINDOW_BYTES = 1 << 16;
    private static final int WINDOW_MESSAGES = 16;

    private TestWorkers() {}

    /** A worker for a peer process of this host that nobody else knows. */
    public static TransportWorker of(WorkerGroup group) throws IOException {
        return group.acquire(new Peer(UUID.randomUUID(), true, WINDOW_BYTES, WINDOW_MESSAGES, () -> true));
    }

    /** How often a worker was progressed. */
    public static long progressCount(TransportWorker worker) {
        return worker.progressCount();
    }
}
