package org.ucxnio.channel;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

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
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length > 0) {
            channel.writeFully(ByteBuffer.wrap(bytes, offset, length));
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
