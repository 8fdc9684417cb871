package org.ucxnio.it.programs;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.ucxnio.it.harness.BytePattern;

/** Byte patterns as arrays and in streams. */
final class Patterns {
    private static final int PIECE_BYTES = 8192;

    private Patterns() {}

    static byte[] array(long seed, int length) {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        new BytePattern(seed).fill(buffer);
        return buffer.array();
    }

    static void verify(byte[] bytes, long seed, int length) {
        if (bytes.length != length) {
            throw new IllegalStateException(bytes.length + " bytes instead of " + length);
        }
        new BytePattern(seed).verify(ByteBuffer.wrap(bytes));
    }

    static void write(OutputStream out, long seed, long length) throws IOException {
        BytePattern pattern = new BytePattern(seed);
        ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
        long left = length;
        while (left > 0) {
            piece.clear().limit((int) Math.min(left, PIECE_BYTES));
            pattern.fill(piece);
            out.write(piece.array(), 0, piece.limit());
            left -= piece.limit();
        }
    }

    static void verify(InputStream in, long seed, long length) throws IOException {
        BytePattern pattern = new BytePattern(seed);
        byte[] piece = new byte[PIECE_BYTES];
        int count = in.read(piece);
        while (count >= 0) {
            pattern.verify(ByteBuffer.wrap(piece, 0, count));
            count = in.read(piece);
        }
        if (pattern.position() != length) {
            throw new IllegalStateException(pattern.position() + " bytes instead of " + length);
        }
    }
}
