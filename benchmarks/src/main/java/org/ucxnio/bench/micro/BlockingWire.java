package org.ucxnio.bench.micro;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A connection in blocking mode. */
final class BlockingWire implements Wire {
    private final SocketChannel channel;

    BlockingWire(SocketChannel channel) {
        this.channel = channel;
    }

    /** Wraps a connected channel, whose messages leave at once. */
    static BlockingWire of(SocketChannel channel) throws IOException {
        return new BlockingWire(Sockets.withoutDelay(channel));
    }

    @Override
    public int read(ByteBuffer buffer) throws IOException {
        return channel.read(buffer);
    }

    @Override
    public void write(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
