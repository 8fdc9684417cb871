package org.ucxnio.memory;

import org.ucxnio.ring.Block;

/** The sizes that blocks have: 4 KiB x 4^n, up to 4 MiB. A class is n. */
final class BlockSize {
    static final int SMALLEST = 4 << 10;
    static final int LARGEST = 4 << 20;
    static final int CLASSES = 6;

    private static final int SMALLEST_LOG = 12;

    private BlockSize() {}

    static boolean isValid(int bytes) {
        return bytes >= SMALLEST && bytes <= LARGEST && Integer.bitCount(bytes) == 1 && (log(bytes) & 1) == 0;
    }

    /** The class of a valid size. */
    static int classOf(int bytes) {
        if (!isValid(bytes)) {
            throw new IllegalArgumentException("A block of " + bytes + " bytes");
        }
        return (log(bytes) - SMALLEST_LOG) / 2;
    }

    static int classOf(Block block) {
        return classOf(block.bytes());
    }

    static int bytes(int sizeClass) {
        return SMALLEST << 2 * sizeClass;
    }

    private static int log(int bytes) {
        return Integer.numberOfTrailingZeros(bytes);
    }
}
