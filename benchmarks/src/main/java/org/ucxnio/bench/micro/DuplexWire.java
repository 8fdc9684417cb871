package org.ucxnio.bench.micro;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** One connection that sends and receives at once, in either of the two ways to use it. */
interface DuplexWire extends AutoCloseable {
    /** Reads until {@code buffer} is full or the stream ends. */
    void read(ByteBuffer buffer) throws IOException;

    /** Writes all of {@code buffer}. */
    void write(ByteBuffer buffer) throws IOException;

    /**
     * Sends {@code messages} messages of {@code size} bytes and receives and verifies as many.
     *
     * @param out a message, filled
     * @param in where received bytes go
     */
    void exchange(long messages, int size, ByteBuffer out, ByteBuffer in) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;

    /** Wraps a connected channel. */
    static DuplexWire of(SocketChannel channel, boolean selector) throws IOException {
        return selector ? new SelectorDuplex(channel) : new BlockingDuplex(channel);
    }

    /** Reads once what still belongs to {@code total} bytes, verifies it, and returns its length. */
    static int receive(SocketChannel channel, ByteBuffer in, StreamCheck check, long offset, long total)
            throws IOException {
        in.clear().limit((int) Math.min(in.capacity(), total - offset));
        int count = channel.read(in);
        if (count < 0) {
            throw new IOException("the stream ended after %d of %d bytes".formatted(offset, total));
        }
        if (count > 0) {
            check.accept(in, offset, count);
        }
        return count;
    }
}
