package org.ucxnio.jmh;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.ucxnio.Snapshot;
import org.ucxnio.UcxNio;

/**
 * Both ends of one connection, in this process.
 *
 * @param client the end that connected
 * @param server the end that accepted
 */
record ChannelPair(SocketChannel client, SocketChannel server) implements AutoCloseable {
    private static final long MOVE_SECONDS = 10;
    private static final int SIZE = 16;

    /**
     * Has this JVM use a provider; before it opens any channel.
     *
     * @param name {@code jdk}, {@code rings} or {@code ucx}
     */
    static void use(String name) {
        if (!name.equals("jdk")) {
            System.setProperty("java.nio.channels.spi.SelectorProvider", "org.ucxnio.UcxSelectorProvider");
            System.setProperty("ucxnio.host", name);
            System.setProperty("ucxnio.switch.after", "0");
        }
    }

    static ChannelPair open() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel client = SocketChannel.open(listener.getLocalAddress());
            SocketChannel server = listener.accept();
            client.setOption(StandardSocketOptions.TCP_NODELAY, true);
            server.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new ChannelPair(client, server);
        }
    }

    /** Sends messages to and fro until {@code ends} ends of connections have left TCP. */
    void move(String name, int ends) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOVE_SECONDS);
        while (!name.equals("jdk") && moved(name) < ends) {
            if (System.nanoTime() - end > 0) {
                throw new IOException(moved(name) + " of " + ends + " ends have moved: " + UcxNio.report());
            }
            pass(client, server, buffer);
            pass(server, client, buffer);
        }
    }

    private static int moved(String name) {
        Snapshot snapshot = UcxNio.snapshot();
        return name.equals("ucx") ? (int) snapshot.acceleratedConnections() : (int) snapshot.ringConnections();
    }

    /** One message from {@code from} to {@code to}, which may be in blocking mode or not. */
    static void pass(SocketChannel from, SocketChannel to, ByteBuffer buffer) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            from.write(buffer);
        }
        buffer.clear();
        while (buffer.hasRemaining()) {
            if (to.read(buffer) < 0) {
                throw new IOException("the connection has ended");
            }
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
    }
}
