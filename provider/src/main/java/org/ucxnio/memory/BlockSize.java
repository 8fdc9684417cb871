package org.ucxnio.memory;

import org.ucxnio.ring.Block;

/** The sizes that blocks have, {@link Block#isSize}, by classes: a class is the n in 4 KiB x 4^n. */
final class BlockSize {
    static final int CLASSES = 6;

    private static final int SMALLEST_LOG = log(Block.MIN_BYTES);

    private BlockSize() {}

    /** The class of a valid size. */
    static int classOf(int bytes) {
        if (!Block.isSize(bytes)) {
            throw new IllegalArgumentException("A block of " + bytes + " bytes");
        }
        return (log(bytes) - SMALLEST_LOG) / 2;
    }

    static int classOf(Block block) {
        return classOf(block.bytes());
    }

    static int bytes(int sizeClass) {
        return Block.MIN_BYTES << 2 * sizeClass;
    }

    private static int log(int bytes) {
        return Integer.numberOfTrailingZeros(bytes);
    }
}
