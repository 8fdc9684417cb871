package org.ucxnio.ucx;

import java.nio.ByteBuffer;

/** A peer's memory, mapped here. It stays usable when the peer dies. */
public interface MappedMemory extends AutoCloseable {

    /** The whole block, native byte order. Every byte may be changed by the peer at any time. */
    ByteBuffer buffer();

    /** Ends the mapping; the caller makes sure that no thread still uses it. Idempotent. */
    @Override
    void close();
}
