package org.ucxnio.channel;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.util.Objects;

/** Reads a channel in blocking mode, with the socket's timeout. */
final class AdaptorInputStream extends InputStream {
    private final UcxSocketChannel channel;
    private final SocketAdaptor socket;

    AdaptorInputStream(UcxSocketChannel channel, SocketAdaptor socket) {
        this.channel = channel;
        this.socket = socket;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length == 0) {
            return 0;
        }
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
        try {
            return channel.readWithin(ByteBuffer.wrap(bytes, offset, length), socket.readTimeoutNanos());
        } catch (ClosedChannelException e) {
            throw new SocketException("Socket closed");
        }
    }

    @Override
    public int available() throws IOException {
        return channel.available();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
