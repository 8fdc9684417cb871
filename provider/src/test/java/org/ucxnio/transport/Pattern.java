package org.ucxnio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.ucxnio.link.Sink;
import org.ucxnio.link.Source;

/** The bytes tests send: each tells its place in the stream. */
final class Pattern {
    private Pattern() {}

    static byte at(long position) {
        return (byte) (position * 31 + (position >>> 8) * 17 + (position >>> 16));
    }

    static byte[] bytes(long position, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = at(position + i);
        }
        return bytes;
    }

    /** Writes {@code count} bytes of the pattern; returns how many were taken. */
    static int write(Sink sink, long position, int count) throws IOException {
        return write(sink, ByteBuffer.wrap(bytes(position, count)));
    }

    static int write(Sink sink, ByteBuffer... buffers) throws IOException {
        return (int) sink.write(buffers, 0, buffers.length, Sink.MAX_BYTES);
    }

    /** Reads once; returns what came, or null at the end of the stream. */
    static byte[] read(Source source, int most) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(most);
        long count = source.read(new ByteBuffer[] {buffer}, 0, 1);
        if (count < 0) {
            return null;
        }
        byte[] bytes = new byte[(int) count];
        buffer.flip().get(bytes);
        return bytes;
    }
}
