package org.ucxnio.channel;

import org.ucxnio.jdk.KernelSockets;

/** Native code that connections need once they move: loaded here rather than in an application's first wait. Thread-safe. */
public final class MovingNeeds {
    private static volatile boolean loaded;

    private MovingNeeds() {}

    /** Loads it, once; some ten milliseconds. */
    public static void load() {
        if (!loaded && KernelSockets.load()) {
            BufferSessions.load();
            loaded = true;
        }
    }
}
