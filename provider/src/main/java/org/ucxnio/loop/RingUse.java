package org.ucxnio.loop;

import org.ucxnio.counters.Counter;

/** How much this process has used rings. Thread-safe. */
public final class RingUse {
    /**
     * Bytes in rings by which the code that carries them is compiled: twenty thousand messages of a hundred bytes and their answers. The
     * JVM compiles a method for good when it has been called so often.
     */
    static final long COMPILED_BYTES = 4 << 20;

    private RingUse() {}

    /** Whether the code that carries bytes in rings has been used so much that the JVM has compiled it. */
    public static boolean isCompiled() {
        return isCompiledBy(Counter.RING_BYTES_SENT.get() + Counter.RING_BYTES_RECEIVED.get());
    }

    static boolean isCompiledBy(long bytes) {
        return bytes >= COMPILED_BYTES;
    }
}
