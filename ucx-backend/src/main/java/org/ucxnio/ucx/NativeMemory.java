package org.ucxnio.ucx;

import java.nio.ByteBuffer;

/** A block of memory outside the heap that UCX can send from. */
public interface NativeMemory extends AutoCloseable {

    /** The whole block, native byte order, position 0. Callers use absolute methods only and never keep it past close. */
    ByteBuffer buffer();

    /** Frees the block. The caller makes sure that no operation and no thread still uses it. Idempotent. */
    @Override
    void close();
}
