package org.ucxnio.it.startup;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.ucxnio.it.harness.BytePattern;
import org.ucxnio.it.harness.Threads;
import org.ucxnio.it.harness.Traffic;

/**
 * Echoes within one JVM through whatever the default provider is and says whose channels those were. Argument {@code moved}: both
 * directions have left TCP before, or after a time in which they should have.
 */
final class EchoMain {
    /** Bytes sent each way. */
    static final int COUNT = 100_000;

    static final String MOVED = "moved";

    private static final int FEW = 100;
    private static final long PATIENCE_NANOS = 15_000_000_000L;

    private EchoMain() {}

    public static void main(String[] arguments) throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                    SocketChannel server = listener.accept();
                    Selector selector = Selector.open()) {
                if (arguments.length > 0) {
                    useUntilMoved(client, server);
                }
                transfer(client, server, COUNT);
                transfer(server, client, COUNT);
                System.out.println("CHANNELS " + client.getClass().getName() + " "
                        + listener.getClass().getName() + " "
                        + selector.getClass().getName());
                System.out.println(Traffic.ofOurs().toLine());
            }
        }
    }

    private static void useUntilMoved(SocketChannel client, SocketChannel server) throws Exception {
        long start = System.nanoTime();
        long before;
        do {
            before = Traffic.ofOurs().fastReceived();
            transfer(client, server, FEW);
            transfer(server, client, FEW);
        } while (Traffic.ofOurs().fastReceived() < before + 2 * FEW && System.nanoTime() - start < PATIENCE_NANOS);
    }

    private static void transfer(SocketChannel from, SocketChannel to, int count) throws Exception {
        Thread writer = Threads.daemon("writer", () -> {
            try {
                ByteBuffer source = ByteBuffer.allocate(count);
                new BytePattern(count).fill(source);
                source.flip();
                while (source.hasRemaining()) {
                    from.write(source);
                }
            } catch (IOException e) {
                e.printStackTrace();
            }
        });
        ByteBuffer target = ByteBuffer.allocate(count);
        while (target.hasRemaining() && to.read(target) >= 0) {
            // until all has come
        }
        new BytePattern(count).verify(target.flip());
        writer.join();
    }
}
