package org.ucxnio.ucx;

import java.nio.ByteBuffer;

/** A peer's memory, mapped here. It stays usable when the peer dies. */
public interface MappedMemory extends AutoCloseable {

    /** The whole block, native byte order. Every byte may be changed by the peer at any time. */
    ByteBuffer buffer();

    /** Ends the mapping. A thread that still uses the buffer gets an {@link IllegalStateException}, at any time. Idempotent. */
    @Override
    void close();
}
