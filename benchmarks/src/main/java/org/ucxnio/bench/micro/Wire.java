package org.ucxnio.bench.micro;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** One connection in either of the two ways to use it, so that a program is written once for both. */
interface Wire extends AutoCloseable {
    /** Reads at least one byte into {@code buffer}, waiting as long as it takes; negative at the end of the stream. */
    int read(ByteBuffer buffer) throws IOException;

    /** Writes all of {@code buffer}, waiting as long as it takes. */
    void write(ByteBuffer buffer) throws IOException;

    @Override
    void close() throws IOException;

    /** Wraps a connected channel. */
    static Wire of(SocketChannel channel, boolean selector) throws IOException {
        return selector ? new SelectorWire(channel) : new BlockingWire(channel);
    }

    /** Reads until {@code buffer} is full; false if the stream ended first. */
    static boolean readFully(Wire wire, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (wire.read(buffer) < 0) {
                return false;
            }
        }
        return true;
    }
}
