package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** The client's connections of one thread and one selector, each with at most one message under way. */
final class PingConnections implements AutoCloseable {
    private final Options options;
    private final int size;
    private final Selector selector;
    private final Set<SelectionKey> ready;
    private final List<Ping> pings = new ArrayList<>();

    /** One connection and the message under way on it. */
    private static final class Ping {
        final SocketChannel channel;
        final ByteBuffer buffer;
        long number;
        long sentNanos;

        Ping(SocketChannel channel, ByteBuffer buffer) {
            this.channel = channel;
            this.buffer = buffer;
        }
    }

    PingConnections(Options options) throws IOException {
        this.options = options;
        size = options.size();
        selector = Selector.open();
        ready = selector.selectedKeys();
    }

    /** Opens {@code count} connections more. */
    void open(SocketAddress server, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open(server);
            channel.configureBlocking(false);
            Sockets.withoutDelay(channel);
            Ping ping = new Ping(channel, options.buffer(size));
            Message.fill(ping.buffer);
            ping.number = (long) pings.size() << Integer.SIZE;
            channel.register(selector, SelectionKey.OP_READ, ping);
            pings.add(ping);
        }
    }

    int count() {
        return pings.size();
    }

    Selector selector() {
        return selector;
    }

    /**
     * Keeps one message under way on every connection for {@code durationNanos} (0: exactly one each) and records each
     * round trip in {@code histogram}, ns.
     */
    void exchange(long durationNanos, Histogram histogram) throws IOException {
        long now = System.nanoTime();
        long end = now + durationNanos;
        for (Ping ping : pings) {
            send(ping, System.nanoTime());
        }
        int underWay = pings.size();
        while (underWay > 0) {
            selector.select();
            for (SelectionKey key : ready) {
                Ping ping = (Ping) key.attachment();
                if (receive(ping)) {
                    now = System.nanoTime();
                    histogram.recordValue(now - ping.sentNanos);
                    if (now - end < 0) {
                        send(ping, now);
                    } else {
                        underWay--;
                    }
                }
            }
            ready.clear();
        }
    }

    private void send(Ping ping, long nowNanos) throws IOException {
        ByteBuffer buffer = ping.buffer;
        buffer.clear();
        Message.stamp(buffer, size, ++ping.number);
        ping.sentNanos = nowNanos;
        while (buffer.hasRemaining()) {
            ping.channel.write(buffer);
        }
        buffer.clear();
    }

    private boolean receive(Ping ping) throws IOException {
        if (ping.channel.read(ping.buffer) < 0) {
            throw new IOException("the server closed a connection");
        }
        if (ping.buffer.hasRemaining()) {
            return false;
        }
        Message.check(ping.buffer, size, ping.number);
        return true;
    }

    @Override
    public void close() throws IOException {
        for (Ping ping : pings) {
            ping.channel.close();
        }
        selector.close();
    }
}
