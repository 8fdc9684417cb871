package org.ucxnio.ring;

import java.nio.ByteBuffer;

/**
 * A piece of shared memory that holds one ring. Immutable; the memory behind it is both processes'.
 *
 * @param slab number of the slab, as the peer knows it
 * @param offset where the block begins in the slab, in bytes
 * @param memory the block itself: native byte order, position 0, its capacity is the block's size; absolute access only
 */
public record Block(int slab, int offset, ByteBuffer memory) {
    /** Size in bytes. */
    public int bytes() {
        return memory.capacity();
    }
}
