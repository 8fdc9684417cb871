package org.ucxnio.bench.programs.bookkeeper;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/** What an entry holds: a number, and bytes that follow from it. */
final class Entry {
    private Entry() {}

    /** An entry of {@code size} bytes, of which the first eight are its number. */
    static byte[] of(long number, int size) {
        if (size < Long.BYTES) {
            throw new IllegalArgumentException("not a size of entries here: " + size);
        }
        byte[] bytes = new byte[size];
        new SplittableRandom(number).nextBytes(bytes);
        ByteBuffer.wrap(bytes).putLong(0, number);
        return bytes;
    }

    /**
     * Checks every byte of an entry; returns its number.
     *
     * @throws IllegalStateException if they are not those of {@link #of}
     */
    static long check(byte[] bytes, int size) {
        long number = bytes.length < Long.BYTES ? 0 : ByteBuffer.wrap(bytes).getLong();
        if (!Arrays.equals(bytes, of(number, size))) {
            throw new IllegalStateException("the entry with number %d is not as it was written; it has %d bytes"
                    .formatted(number, bytes.length));
        }
        return number;
    }
}
