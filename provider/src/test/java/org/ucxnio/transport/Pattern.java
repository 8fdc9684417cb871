package org.ucxnio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

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
    static int write(Connection connection, long position, int count) throws IOException {
        return write(connection, ByteBuffer.wrap(bytes(position, count)));
    }

    static int write(Connection connection, ByteBuffer... buffers) throws IOException {
        return (int) connection.write(buffers, 0, buffers.length);
    }

    /** Reads once; returns what came, or null at the end of the stream. */
    static byte[] read(Connection connection, int most) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(most);
        long count = connection.read(new ByteBuffer[] {buffer}, 0, 1);
        if (count < 0) {
            return null;
        }
        byte[] bytes = new byte[(int) count];
        buffer.flip().get(bytes);
        return bytes;
    }
}
