package org.ucxnio.jdk;

import org.ucxnio.counters.Log;

/**
 * Classes of the JDK that a process may have no use for before its connections move, and that extend classes which programs use. As long as they
 * are not there the JVM compiles what works with buffers, or with locks, as if there would never be one. When the first is loaded it throws
 * away, and compiles anew, all of that which has been fast till then, the programs' own code with it: some tenths of a second of processor time in a client of
 * Netty, at the very moment in which the code of rings is to be compiled. Thread-safe.
 */
public final class LateSubclasses {
    private static final String[] NAMES = {
        // The JDK makes read-only ones when it looks into its modules, as for the first text that a program formats.
        "java.nio.HeapByteBufferR",
        "java.nio.DirectByteBufferR",
        // What all locks extend is extended by timers; who waits for a lock, or for a signal, is put into a queue.
        "java.util.concurrent.ThreadPoolExecutor$Worker",
        "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionNode",
        "java.util.concurrent.locks.AbstractQueuedSynchronizer$ExclusiveNode",
    };

    /** Of Java 22 and later, where files are mapped as segments. */
    private static final String[] OF_SEGMENTS = {"jdk.internal.foreign.MappedMemorySegmentImpl"};

    private static volatile boolean loaded;

    private LateSubclasses() {}

    /** Loads them, once; some two milliseconds. To be called before the JVM has compiled much. */
    public static void load() {
        if (!loaded) {
            loaded = true;
            load(NAMES, true);
            if (Natives.hasForeignFunctions()) {
                load(OF_SEGMENTS, false);
            }
        }
    }

    /**
     * Not by making one: that may wait for direct memory. Those of segments would take twice as long to initialize, and are enough as they are. A call
     * of the application's that comes by goes on whatever happens here.
     */
    private static void load(String[] names, boolean initialize) {
        for (String name : names) {
            try {
                Class.forName(name, initialize, LateSubclasses.class.getClassLoader());
            } catch (ClassNotFoundException | RuntimeException | Error e) {
                Log.debug("This JDK has other classes, or there is no memory for them");
            }
        }
    }
}
