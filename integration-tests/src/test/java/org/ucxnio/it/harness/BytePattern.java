package org.ucxnio.it.harness;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An endless stream of bytes in which every byte depends on its position, so that a lost, doubled or misplaced byte is
 * found. Not thread-safe: one reader or one writer walks along it.
 */
public final class BytePattern {
    private final long seed;
    private long position;

    public BytePattern(long seed) {
        this.seed = seed;
    }

    /** The position of the next byte. */
    public long position() {
        return position;
    }

    /** Fills what remains of the buffer with the next bytes and leaves it full. */
    public void fill(ByteBuffer buffer) {
        ByteBuffer target = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        while (target.hasRemaining() && (position & 7) != 0) {
            target.put(byteAt(position++));
        }
        while (target.remaining() >= Long.BYTES) {
            target.putLong(word(position >>> 3));
            position += Long.BYTES;
        }
        while (target.hasRemaining()) {
            target.put(byteAt(position++));
        }
        buffer.position(buffer.limit());
    }

    /**
     * Compares what remains of the buffer with the next bytes and leaves it empty.
     *
     * @throws IllegalStateException naming the first position that differs
     */
    public void verify(ByteBuffer buffer) {
        ByteBuffer source = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        while (source.hasRemaining()) {
            if ((position & 7) == 0
                    && source.remaining() >= Long.BYTES
                    && source.getLong(source.position()) == word(position >>> 3)) {
                source.position(source.position() + Long.BYTES);
                position += Long.BYTES;
            } else {
                verifyByte(source);
            }
        }
        buffer.position(buffer.limit());
    }

    private void verifyByte(ByteBuffer source) {
        byte expected = byteAt(position);
        byte actual = source.get();
        if (expected != actual) {
            throw new IllegalStateException("Wrong byte at position " + position + " of the stream with seed " + seed
                    + ": expected " + expected + " but got " + actual + ", " + source.remaining()
                    + " bytes of the buffer follow" + whereItBelongs(source));
        }
        position++;
    }

    /** Looks for the bytes that came in the neighbourhood of where they belong, to tell loss from doubling. */
    private String whereItBelongs(ByteBuffer source) {
        int length = Math.min(16, source.remaining() + 1);
        int start = source.position() - 1;
        long from = Math.max(0, position - (1 << 20));
        for (long candidate = from; candidate < position + (1 << 20); candidate++) {
            int matched = 0;
            while (matched < length && byteAt(candidate + matched) == source.get(start + matched)) {
                matched++;
            }
            if (matched == length && length >= 8) {
                return "; they belong to position " + candidate;
            }
        }
        return "";
    }

    private byte byteAt(long at) {
        return (byte) (word(at >>> 3) >>> ((at & 7) << 3));
    }

    private long word(long index) {
        long z = seed + index * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
