package org.ucxnio.transport;

import java.nio.ByteBuffer;
import org.ucxnio.ucx.NativeMemory;

/**
 * A part of a slab that holds bytes on their way. Positions are relative to {@link #base}. Guarded by the lock of the
 * worker that owns the pool.
 */
final class Slice {
    final SlicePool.Slab slab;
    final NativeMemory memory;
    final ByteBuffer buffer;
    final int base;
    final int capacity;
    final int id;

    /** First byte not yet consumed (receiving) or not yet submitted (sending). */
    int read;

    /** End of the bytes written so far. */
    int write;

    /** Messages under way that UCX still reads from this slice. */
    int pending;

    /** No longer filled: returns to the pool as soon as nothing is pending. */
    boolean detached;

    Slice next;

    Slice(SlicePool.Slab slab, NativeMemory memory, int base, int capacity, int id) {
        this.slab = slab;
        this.memory = memory;
        this.buffer = memory.buffer();
        this.base = base;
        this.capacity = capacity;
        this.id = id;
    }

    int space() {
        return capacity - write;
    }

    int readable() {
        return write - read;
    }

    void reset() {
        read = 0;
        write = 0;
        pending = 0;
        detached = false;
        next = null;
    }
}
