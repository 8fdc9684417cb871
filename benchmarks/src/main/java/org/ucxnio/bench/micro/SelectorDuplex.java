package org.ucxnio.bench.micro;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A connection in non-blocking mode: one thread reads and writes as a selector says. */
final class SelectorDuplex implements DuplexWire {
    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;

    SelectorDuplex(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        selector = channel.provider().openSelector();
        key = channel.register(selector, SelectionKey.OP_READ);
    }

    @Override
    public void read(ByteBuffer buffer) throws IOException {
        key.interestOps(SelectionKey.OP_READ);
        int count = channel.read(buffer);
        while (buffer.hasRemaining() && count >= 0) {
            await();
            count = channel.read(buffer);
        }
    }

    @Override
    public void write(ByteBuffer buffer) throws IOException {
        key.interestOps(SelectionKey.OP_WRITE);
        channel.write(buffer);
        while (buffer.hasRemaining()) {
            await();
            channel.write(buffer);
        }
    }

    private void await() throws IOException {
        selector.select();
        selector.selectedKeys().clear();
    }

    @Override
    public void exchange(long messages, int size, ByteBuffer out, ByteBuffer in) throws IOException {
        key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        StreamCheck check = new StreamCheck(size);
        long total = messages * size;
        long received = 0;
        long begun = 0;
        out.clear().position(size);
        while (received < total || begun < messages || out.hasRemaining()) {
            selector.select();
            int ready = selector.selectedKeys().isEmpty() ? 0 : key.readyOps();
            selector.selectedKeys().clear();
            if ((ready & SelectionKey.OP_READ) != 0 && received < total) {
                received += DuplexWire.receive(channel, in, check, received, total);
            }
            if ((ready & SelectionKey.OP_WRITE) != 0) {
                begun = send(begun, messages, size, out);
            }
        }
    }

    /** Writes one message, or the rest of one, as an event loop does; returns how many have been begun. */
    private long send(long begun, long messages, int size, ByteBuffer out) throws IOException {
        long count = begun;
        if (!out.hasRemaining() && count < messages) {
            out.clear();
            Message.stamp(out, size, count++);
        }
        channel.write(out);
        if (!out.hasRemaining() && count == messages) {
            key.interestOps(SelectionKey.OP_READ);
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        channel.close();
        selector.close();
    }
}
