package org.ucxnio.it.programs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ucxnio.it.harness.Threads;

/**
 * One end of many connections that exchange a message each and then idle, all registered with one selector in which a thread waits.
 * Arguments: {@code server} or {@code client}, port, number of connections to open at the command {@code open}. Command {@code heap}
 * tells the bytes in use after a collection.
 */
public final class IdleEnds {
    private static final long PATIENCE_S = 120;

    private final Selector selector;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64);
    private CountDownLatch answers;

    private IdleEnds() throws IOException {
        selector = Selector.open();
    }

    public static void main(String[] arguments) throws IOException {
        IdleEnds ends = new IdleEnds();
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[1]));
        boolean isServer = arguments[0].equals("server");
        if (isServer) {
            ServerSocketChannel listener = ServerSocketChannel.open().bind(address, 1000);
            listener.configureBlocking(false).register(ends.selector, SelectionKey.OP_ACCEPT);
        }
        Threads.daemon("idle", () -> ends.run(isServer));
        Commands.print("READY");
        Commands.serve(Map.of(
                "open 1", () -> ends.open(address, 1),
                "open", () -> ends.open(address, Integer.parseInt(arguments[2])),
                "heap", () -> "HEAP " + heap()));
    }

    /** Opens connections one after the other, writes to each, and waits for all the answers. */
    private String open(InetSocketAddress server, int count) throws IOException, InterruptedException {
        CountDownLatch latch = new CountDownLatch(count);
        answers = latch;
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open(server);
            channel.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            selector.wakeup();
            channel.write(ByteBuffer.wrap(new byte[] {7}));
        }
        return latch.await(PATIENCE_S, TimeUnit.SECONDS)
                ? "OPENED"
                : "FAILED: " + latch.getCount() + " answers are missing";
    }

    private void run(boolean isServer) {
        try {
            while (true) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isAcceptable()) {
                        acceptAll((ServerSocketChannel) key.channel());
                    } else {
                        serve((SocketChannel) key.channel(), isServer);
                    }
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException | RuntimeException e) {
            Commands.print("FAILED " + e);
            e.printStackTrace();
        }
    }

    private void acceptAll(ServerSocketChannel listener) throws IOException {
        for (SocketChannel channel = listener.accept(); channel != null; channel = listener.accept()) {
            channel.configureBlocking(false).register(selector, SelectionKey.OP_READ);
        }
    }

    private void serve(SocketChannel channel, boolean isServer) throws IOException {
        int count = channel.read(buffer.clear());
        if (count < 0) {
            channel.close();
        } else if (count > 0 && isServer) {
            channel.write(buffer.flip());
        } else if (count > 0) {
            answers.countDown();
        }
    }

    private static long heap() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(50);
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
