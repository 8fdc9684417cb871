package org.ucxnio.jdk;

import org.ucxnio.counters.Log;

/** The JDK's classes of read-only buffers. Thread-safe. */
public final class ReadOnlyBuffers {
    private static final String[] CLASSES = {"java.nio.HeapByteBufferR", "java.nio.DirectByteBufferR"};

    private ReadOnlyBuffers() {}

    /**
     * Loads them. As long as a process has none the JVM compiles what works with buffers as if there would never be one. Behind the first it
     * throws away, and compiles anew, reads and writes that have been fast till then: some tenth of a second of processor time. The JDK makes one
     * when it looks into its own modules for a resource, as it may for the first text that a program formats.
     */
    public static void load() {
        for (String name : CLASSES) {
            try {
                // Not by making one: that may wait for direct memory.
                Class.forName(name);
            } catch (ClassNotFoundException e) {
                Log.debug("This JDK has other classes of buffers: " + e.getMessage());
            }
        }
    }
}
