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
    /** The smallest size, in bytes. */
    public static final int MIN_BYTES = 4 << 10;

    /** The largest size, in bytes. */
    public static final int MAX_BYTES = 4 << 20;

    /** Where in a block its reader says that it is done: its very last access. */
    public static final int READER_DONE = RingFormat.READER_DONE;

    /** The header and all commit words lie in this part of a block. */
    private static final int CLEARED_PART = 2;

    private static final byte[] ZEROS = new byte[16 << 10];

    /** Whether blocks may have this size: 4 KiB x 4^n up to 4 MiB. */
    public static boolean isSize(int bytes) {
        return bytes >= MIN_BYTES
                && bytes <= MAX_BYTES
                && Integer.bitCount(bytes) == 1
                && (Integer.numberOfTrailingZeros(bytes) & 1) == 0;
    }

    /** Size in bytes. */
    public int bytes() {
        return memory.capacity();
    }

    /**
     * Whether the reader will not look at the block any more. The acquire pairs with the reader's release: nothing that is written to
     * the block from now on can be seen by a read that came before.
     */
    public boolean isReaderDone() {
        return Words.getAcquire(memory, READER_DONE) != 0;
    }

    /** Makes a used block look like a new one to who reads it as a ring. The one who hands it to the peer publishes that. */
    public void clear() {
        int end = bytes() / CLEARED_PART;
        for (int at = 0; at < end; at += ZEROS.length) {
            memory.put(at, ZEROS, 0, Math.min(ZEROS.length, end - at));
        }
    }
}
