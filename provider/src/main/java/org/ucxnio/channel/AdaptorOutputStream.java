package org.ucxnio.channel;

import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;

/** Writes a channel in blocking mode. */
final class AdaptorOutputStream extends OutputStream {
    private final UcxSocketChannel channel;

    AdaptorOutputStream(UcxSocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
        ByteBuffer source = ByteBuffer.wrap(bytes, offset, length);
        try {
            while (source.hasRemaining()) {
                channel.write(source);
            }
        } catch (ClosedChannelException e) {
            throw new SocketException("Socket closed");
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
