package org.ucxnio.bench.launch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Free TCP ports whose companion port is free too, both outside the kernel's range of ephemeral ports. */
public final class Ports {
    private static final int FIRST = 11_000;
    private static final int LAST = 20_999;
    private static final int COMPANION_DISTANCE = 10_000;
    private static final int ATTEMPTS = 200;

    private Ports() {}

    public static int free() throws LaunchException {
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
            if (isFree(port) && isFree(port + COMPANION_DISTANCE)) {
                return port;
            }
        }
        throw new LaunchException("no free port between " + FIRST + " and " + LAST);
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
