package org.ucxnio.bench.zookeeper;

import java.io.IOException;
import java.util.Arrays;

/** How long it takes to open a session: TCP connection, handshake, and the server's entry in its log. */
final class SessionTimes {
    private static final int WARMUP = 10;
    private static final int MEASURED = 31;
    private static final double NANOS_PER_MICRO = 1e3;

    private SessionTimes() {}

    static double medianMicros(String address) throws IOException, InterruptedException {
        long[] nanos = new long[MEASURED];
        for (int i = -WARMUP; i < MEASURED; i++) {
            long start = System.nanoTime();
            Session session = Session.open(address);
            if (i >= 0) {
                nanos[i] = System.nanoTime() - start;
            }
            session.close();
        }
        Arrays.sort(nanos);
        return nanos[MEASURED / 2] / NANOS_PER_MICRO;
    }
}
