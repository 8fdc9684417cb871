package org.ucxnio.it.startup;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.ucxnio.it.harness.BytePattern;
import org.ucxnio.it.harness.Traffic;

/** Echoes within one JVM through whatever the default provider is and says whose channels those were. */
final class EchoMain {
    /** Bytes sent each way. */
    static final int COUNT = 100_000;

    private EchoMain() {}

    public static void main(String[] arguments) throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                    SocketChannel server = listener.accept();
                    Selector selector = Selector.open()) {
                transfer(client, server);
                transfer(server, client);
                System.out.println("CHANNELS " + client.getClass().getName() + " "
                        + listener.getClass().getName() + " "
                        + selector.getClass().getName());
                System.out.println(Traffic.ofUcx().toLine());
            }
        }
    }

    private static void transfer(SocketChannel from, SocketChannel to) throws Exception {
        Thread writer = Thread.ofPlatform().start(() -> {
            try {
                ByteBuffer source = ByteBuffer.allocate(COUNT);
                new BytePattern(COUNT).fill(source);
                source.flip();
                while (source.hasRemaining()) {
                    from.write(source);
                }
            } catch (java.io.IOException e) {
                e.printStackTrace();
            }
        });
        ByteBuffer target = ByteBuffer.allocate(COUNT);
        while (target.hasRemaining() && to.read(target) >= 0) {
            // until all has come
        }
        new BytePattern(COUNT).verify(target.flip());
        writer.join();
    }
}
