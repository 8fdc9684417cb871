package org.ucxnio.ucx;

import java.nio.ByteBuffer;

/** A peer's memory, mapped here. It stays usable when the peer dies. */
public interface MappedMemory extends AutoCloseable {

    /** The whole block, native byte order. Every byte may be changed by the peer at any time. */
    ByteBuffer buffer();

    /**
     * Ends the mapping. Idempotent. Whoever uses the buffer afterwards gets an {@link IllegalStateException}; nobody may be using it now, as
     * the JVM may interrupt such a thread.
     */
    @Override
    void close();
}
