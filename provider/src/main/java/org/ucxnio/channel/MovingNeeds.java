package org.ucxnio.channel;

import org.ucxnio.jdk.KernelSockets;

/** Native code that connections need once they move: loaded here rather than in an application's first wait. Thread-safe. */
public final class MovingNeeds {
    private static final class Holder {
        static final boolean LOADED = loadAll();

        private static boolean loadAll() {
            return KernelSockets.load() & BufferSessions.load();
        }
    }

    private MovingNeeds() {}

    /** Loads it, once; some ten milliseconds. */
    public static boolean load() {
        return Holder.LOADED;
    }
}
