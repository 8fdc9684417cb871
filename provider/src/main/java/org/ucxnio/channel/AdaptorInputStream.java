package org.ucxnio.channel;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
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
        return length == 0
                ? 0
                : channel.readBlocking(ByteBuffer.wrap(bytes, offset, length), socket.readTimeoutNanos());
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
