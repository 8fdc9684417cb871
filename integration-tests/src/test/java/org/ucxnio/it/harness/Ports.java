package org.ucxnio.it.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Free ports whose companion is free as well. They lie below the ephemeral range, so that no outgoing connection takes
 * either of them in the meantime.
 */
public final class Ports {
    private static final int FIRST = 11_000;
    private static final int LAST = 20_999;
    private static final int OFFSET = 10_000;

    /** How many test JVMs may run side by side, each with ports of its own. */
    private static final int JVMS = 5;

    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int SHARE = (LAST - FIRST + 1) / JVMS;
    private static final int FIRST_OF_THIS_JVM =
            FIRST + Math.floorMod(Integer.getInteger("ucxnio.it.fork", 0), JVMS) * SHARE;
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(SHARE));

    private Ports() {}

    /**
     * A free port with a free companion port; another one each time. Waits where all are taken: for a minute the kernel keeps those of closed
     * connections, of which a fast machine makes as many as there are ports.
     */
    public static int free() throws IOException {
        long deadline = System.nanoTime() + KEPT_NANOS;
        int port = freeNow();
        while (port < 0 && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
            port = freeNow();
        }
        if (port < 0) {
            throw new IOException("No free pair of ports");
        }
        return port;
    }

    private static int freeNow() {
        for (int attempt = 0; attempt < SHARE; attempt++) {
            // Walking on rather than drawing: a client remembers for a while that a port has no companion.
            int port = FIRST_OF_THIS_JVM + Math.floorMod(NEXT.getAndIncrement(), SHARE);
            if (isFree(port) && isFree(companionOf(port))) {
                return port;
            }
        }
        return -1;
    }

    /** The port on which an accelerated listener expects accelerated clients. */
    public static int companionOf(int port) {
        return port + OFFSET <= 65_535 ? port + OFFSET : port - OFFSET;
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            // Where a closed connection is not forgotten one may listen, but not connect from.
            probe.setReuseAddress(false);
            probe.bind(new InetSocketAddress((InetAddress) null, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
