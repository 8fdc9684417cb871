package org.ucxnio.channel;

import java.nio.ByteBuffer;
import org.ucxnio.jdk.KernelSockets;
import org.ucxnio.jdk.LateSubclasses;
import org.ucxnio.loop.Spinner;
import org.ucxnio.selector.VirtualThreads;

/**
 * What connections need once they move: loaded here rather than in an application's first wait. Thread-safe.
 *
 * <p>That is the way to the kernel, and the classes that only calls on a link use: virtual threads that meet at the first use of a class
 * keep their carriers until it is there.
 */
public final class MovingNeeds {
    private static final ByteBuffer[] NOTHING = {};

    private static volatile boolean loaded;

    private MovingNeeds() {}

    /** Loads it, once; some twenty milliseconds. */
    public static void load() {
        if (!loaded && KernelSockets.load()) {
            LateSubclasses.load();
            BufferSessions.load();
            FileBuffers.any(NOTHING, 0, 0);
            VirtualThreads.isCurrent();
            Spinner.ofThread(null, null, false);
            Spinner.ofThread(null, null, true);
            new RepeatedBuffers();
            loaded = true;
        }
    }
}
