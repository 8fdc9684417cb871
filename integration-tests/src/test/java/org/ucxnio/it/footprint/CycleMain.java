package org.ucxnio.it.footprint;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ref.Reference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.ucxnio.it.harness.Threads;
import org.ucxnio.it.harness.Traffic;

/**
 * Does the same thing again and again in one JVM, which is both ends of its connections. Reads lines: {@code cycles n},
 * {@code selectors n}, {@code pairs n}, {@code idle n}, {@code heap}, {@code traffic}.
 */
final class CycleMain {
    private static final long PAUSE_NANOS = 2_000_000;

    private final ServerSocketChannel listener;
    private final InetSocketAddress address;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
    private final List<SocketChannel> kept = new ArrayList<>();

    /** A client and what it talks to. */
    private record Pair(SocketChannel client, SocketChannel server) {
        void close() throws IOException {
            client.close();
            server.close();
        }
    }

    private CycleMain(int port) throws IOException {
        listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
        address = (InetSocketAddress) listener.getLocalAddress();
    }

    /** Argument: the port of the listener. */
    public static void main(String[] arguments) throws Exception {
        CycleMain program = new CycleMain(Integer.parseInt(arguments[0]));
        System.out.println("READY");
        try (var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            String line = commands.readLine();
            while (line != null) {
                String[] words = line.split(" ");
                System.out.println(program.execute(words[0], words.length > 1 ? Integer.parseInt(words[1]) : 0));
                line = commands.readLine();
            }
        }
        Reference.reachabilityFence(program);
        System.exit(0);
    }

    private String execute(String command, int count) throws Exception {
        switch (command) {
            case "cycles" -> cycles(count);
            case "selectors" -> selectors(count);
            case "pairs" -> pairs(count);
            case "idle" -> idle(count);
            case "heap" -> {
                return "HEAP " + heap();
            }
            case "traffic" -> {
                return Traffic.ofThisJvm().toLine();
            }
            default -> throw new IllegalArgumentException(command);
        }
        return "DONE " + command;
    }

    private Pair connect() throws IOException {
        return new Pair(SocketChannel.open(address), listener.accept());
    }

    /** Connect, echo, close. The ends take turns in closing first; some connections have time to move to rings, others move meanwhile. */
    private void cycles(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            Pair pair = connect();
            if (i % 3 == 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            ping(pair);
            if (i % 2 == 0) {
                pair.client().close();
                expectEnd(pair.server());
            } else {
                pair.server().close();
                expectEnd(pair.client());
            }
            pair.close();
        }
    }

    private void ping(Pair pair) throws IOException {
        send(pair.client(), pair.server());
        send(pair.server(), pair.client());
    }

    private void send(SocketChannel from, SocketChannel to) throws IOException {
        buffer.clear().limit(100);
        while (buffer.hasRemaining()) {
            from.write(buffer);
        }
        buffer.clear().limit(100);
        while (buffer.hasRemaining()) {
            if (to.read(buffer) < 0) {
                throw new IOException("An early end");
            }
        }
    }

    private void expectEnd(SocketChannel channel) throws IOException {
        if (channel.read(buffer.clear()) != -1) {
            throw new IllegalStateException("Not the end of the stream");
        }
    }

    /** Opens a selector with two connections that are used through it, and closes all again. */
    private void selectors(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            Selector selector = Selector.open();
            List<Pair> pairs = List.of(connect(), connect());
            for (Pair pair : pairs) {
                pair.server().configureBlocking(false).register(selector, SelectionKey.OP_READ);
                pair.client().write(buffer.clear().limit(10));
            }
            int readable = 0;
            while (readable < pairs.size()) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    ((SocketChannel) key.channel()).read(buffer.clear());
                    readable++;
                }
                selector.selectedKeys().clear();
            }
            boolean selectorFirst = i % 2 == 0;
            if (selectorFirst) {
                selector.close();
            }
            for (Pair pair : pairs) {
                pair.close();
            }
            selector.close();
        }
    }

    /** Opens connections, uses each once, and keeps them. */
    private void pairs(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            Pair pair = connect();
            ping(pair);
            kept.add(pair.client());
            kept.add(pair.server());
        }
    }

    /** Opens connections and registers the accepted ends with a selector in which a thread waits for ever. */
    private void idle(int count) throws IOException {
        Selector selector = Selector.open();
        for (int i = 0; i < count; i++) {
            Pair pair = connect();
            ping(pair);
            kept.add(pair.client());
            kept.add(pair.server());
            pair.server().configureBlocking(false).register(selector, SelectionKey.OP_READ);
        }
        Threads.daemon("idle", () -> {
            try {
                while (selector.isOpen()) {
                    selector.select();
                    selector.selectedKeys().clear();
                }
            } catch (IOException e) {
                e.printStackTrace();
            }
        });
    }

    private static long heap() throws InterruptedException {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            // Cleaners run behind the collection.
            Thread.sleep(50);
            used = Math.min(
                    used,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return used;
    }
}
