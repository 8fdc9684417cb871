package org.ucxnio.it.storm;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * One end of a stream, which it makes up as it goes: who writes it, then pieces of random sizes, each behind its length and checksum,
 * then a piece of no length with the checksum of all. For one thread at a time.
 */
final class Source {
    static final int LARGEST = 1 << 20;
    static final int HEAD = 2 * Integer.BYTES;

    private static final int SIZES = 21;
    private static final byte[] NOISE = new byte[2 * LARGEST];

    static {
        new java.util.Random(1).nextBytes(NOISE);
    }

    private final SplittableRandom random;
    private final ByteBuffer buffer;
    private final CRC32C all = new CRC32C();
    private long left;
    private boolean begun;
    private boolean ended;

    Source(int writer, SplittableRandom random, long bytes) {
        this.random = random;
        this.left = bytes;
        this.buffer = random.nextBoolean()
                ? ByteBuffer.allocate(LARGEST + HEAD + Integer.BYTES)
                : ByteBuffer.allocateDirect(LARGEST + HEAD + Integer.BYTES);
        buffer.putInt(0, writer);
    }

    /** Ends the stream behind the piece it is at. */
    void stop() {
        left = 0;
    }

    /** The next bytes to be written, in one or more buffers that are good until the next call; null behind the last. */
    ByteBuffer[] next() {
        if (ended) {
            return null;
        }
        buffer.clear();
        if (!begun) {
            begun = true;
            buffer.position(Integer.BYTES);
        }
        int length = (int) Math.min(left, 1 + random.nextInt(1 << random.nextInt(SIZES)));
        left -= length;
        if (length == 0) {
            ended = true;
            buffer.putInt(0).putInt((int) all.getValue());
        } else {
            int from = random.nextInt(NOISE.length - length);
            CRC32C one = new CRC32C();
            one.update(NOISE, from, length);
            all.update(NOISE, from, length);
            buffer.putInt(length).putInt((int) one.getValue()).put(NOISE, from, length);
        }
        return cut(buffer.flip());
    }

    /** Whether anything is left in the buffers of {@link #next}. */
    static boolean isLeft(ByteBuffer[] pieces) {
        for (ByteBuffer piece : pieces) {
            if (piece.hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    /** In one piece, or in several for a gathering write. */
    private ByteBuffer[] cut(ByteBuffer whole) {
        if (random.nextInt(3) > 0) {
            return new ByteBuffer[] {whole};
        }
        int middle = random.nextInt(whole.limit() + 1);
        return new ByteBuffer[] {whole.slice(0, middle), whole.slice(middle, whole.limit() - middle)};
    }
}
