package org.ucxnio.connect;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The first bytes on a companion port, from the server: a client that does not get them has sent nothing to anyone. Big-endian,
 * {@value #LENGTH} bytes: {@code magic:8 version:2 port:2 zero:4}.
 */
final class Greeting {
    static final int LENGTH = 16;

    /** The carriage return and line feed show a transfer that meddles with text. */
    private static final long MAGIC = 0x5543584e494f0d0aL;

    private Greeting() {}

    static ByteBuffer encode(int port) {
        return ByteBuffer.allocate(LENGTH)
                .putLong(MAGIC)
                .putShort((short) Hello.VERSION)
                .putShort((short) port)
                .putInt(0)
                .flip();
    }

    /** Whether a greeting begins at the buffer's position, and nothing else that a server may say: no control message is of this type. */
    static boolean begins(ByteBuffer source) {
        return source.hasRemaining() && source.get(source.position()) == (byte) (MAGIC >>> 56);
    }

    /** Checks a greeting. */
    static void check(ByteBuffer source, int expectedPort) throws IOException {
        if (source.getLong() != MAGIC) {
            throw new IOException("the companion port belongs to another program");
        }
        int version = Short.toUnsignedInt(source.getShort());
        if (version != Hello.VERSION) {
            throw new IOException("protocol version " + version + " where " + Hello.VERSION + " is spoken");
        }
        int port = Short.toUnsignedInt(source.getShort());
        if (port != expectedPort) {
            throw new IOException("the companion stands for port " + port + ", not " + expectedPort);
        }
        if (source.getInt() != 0) {
            throw new IOException("a greeting with unknown options");
        }
    }
}
