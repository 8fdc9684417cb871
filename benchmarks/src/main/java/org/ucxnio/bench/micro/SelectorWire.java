package org.ucxnio.bench.micro;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Set;

/**
 * A connection in non-blocking mode with a selector of its own: a read happens when the selector says so, a write is
 * tried at once and waits for the selector when the channel takes no more, as event loops do it.
 */
final class SelectorWire implements Wire {
    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final Set<SelectionKey> ready;

    SelectorWire(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        selector = channel.provider().openSelector();
        key = channel.register(selector, SelectionKey.OP_READ);
        ready = selector.selectedKeys();
    }

    @Override
    public int read(ByteBuffer buffer) throws IOException {
        while (true) {
            selector.select();
            int count = 0;
            for (SelectionKey each : ready) {
                if (each.isReadable()) {
                    count = channel.read(buffer);
                }
            }
            ready.clear();
            if (count != 0) {
                return count;
            }
        }
    }

    @Override
    public void write(ByteBuffer buffer) throws IOException {
        channel.write(buffer);
        if (buffer.hasRemaining()) {
            writeRest(buffer);
        }
    }

    private void writeRest(ByteBuffer buffer) throws IOException {
        key.interestOps(SelectionKey.OP_WRITE);
        while (buffer.hasRemaining()) {
            selector.select();
            ready.clear();
            channel.write(buffer);
        }
        key.interestOps(SelectionKey.OP_READ);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        selector.close();
    }
}
