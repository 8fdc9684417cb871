package org.ucxnio.it.startup;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.ucxnio.it.harness.BytePattern;
import org.ucxnio.it.harness.ChannelIo;
import org.ucxnio.it.harness.Mode;
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
    private static final byte MORE = 1;
    private static final byte LAST = 2;
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

    /** Two threads that do next to nothing between their calls, and so have the connection move on busy processors as well. */
    private static void useUntilMoved(SocketChannel client, SocketChannel server) throws Exception {
        Thread echo = Threads.daemon("echo", () -> echoUntilLast(server));
        long start = System.nanoTime();
        ChannelIo io = ChannelIo.of(client, Mode.BLOCKING);
        long before;
        do {
            before = Traffic.ofOurs().fastReceived();
            exchange(io, MORE);
        } while (Traffic.ofOurs().fastReceived() < before + 2 * FEW && System.nanoTime() - start < PATIENCE_NANOS);
        exchange(io, LAST);
        echo.join();
    }

    private static void exchange(ChannelIo client, byte first) throws IOException {
        ByteBuffer message = ByteBuffer.allocate(FEW).put(0, first);
        client.writeFully(message);
        client.readFully(message.clear());
    }

    private static void echoUntilLast(SocketChannel server) {
        ByteBuffer message = ByteBuffer.allocate(FEW);
        try {
            ChannelIo io = ChannelIo.of(server, Mode.BLOCKING);
            do {
                io.readFully(message.clear());
                io.writeFully(message.flip());
            } while (message.get(0) != LAST);
        } catch (IOException e) {
            e.printStackTrace();
        }
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
