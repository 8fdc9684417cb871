package org.ucxnio.bench.micro;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;

/** An echo server of any number of connections: one thread, one selector. */
final class SelectorEcho {
    private final Options options;
    private final int size;

    SelectorEcho(Options options) {
        this.options = options;
        size = options.size();
    }

    /** Serves for ever. */
    void run(ServerSocketChannel listener) throws IOException {
        Selector selector = Selector.open();
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        Set<SelectionKey> ready = selector.selectedKeys();
        while (true) {
            selector.select();
            for (SelectionKey key : ready) {
                handle(key, selector);
            }
            ready.clear();
        }
    }

    private void handle(SelectionKey key, Selector selector) throws IOException {
        if (key.isReadable()) {
            echo(key);
        } else if (key.isAcceptable()) {
            accept((ServerSocketChannel) key.channel(), selector);
        }
    }

    private void accept(ServerSocketChannel listener, Selector selector) throws IOException {
        SocketChannel channel = listener.accept();
        while (channel != null) {
            channel.configureBlocking(false);
            Sockets.withoutDelay(channel);
            channel.register(selector, SelectionKey.OP_READ, options.buffer(size));
            channel = listener.accept();
        }
    }

    private void echo(SelectionKey key) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        ByteBuffer buffer = (ByteBuffer) key.attachment();
        if (channel.read(buffer) < 0) {
            channel.close();
            return;
        }
        if (buffer.hasRemaining()) {
            return;
        }
        buffer.flip();
        // One message is under way on a connection at a time, so the channel takes it whole.
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }
}
