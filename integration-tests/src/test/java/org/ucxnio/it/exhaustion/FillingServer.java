package org.ucxnio.it.exhaustion;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.ucxnio.it.harness.Threads;
import org.ucxnio.it.harness.Traffic;

/**
 * Echoes with an event loop on one port and with threads that block on another, fills its heap when it is told to, and goes on when an
 * allocation fails. Arguments: the two ports. Commands: {@code fill MILLISECONDS}, {@code threads}, {@code traffic}.
 */
final class FillingServer {
    private static final int BLOCKING_THREADS = 24;
    private static final int BUFFER_BYTES = 16 << 10;

    /** Sizes of what fills the heap, so that in the end there is no room for anything. */
    private static final int[] PIECES = {256 << 10, 16 << 10, 1 << 10, 64, 16};

    private static volatile int errors;

    private FillingServer() {}

    public static void main(String[] arguments) throws IOException {
        ServerSocketChannel forLoop = listen(arguments[0]);
        ServerSocketChannel forThreads = listen(arguments[1]);
        Threads.daemon("loop", () -> loop(forLoop));
        for (int i = 0; i < BLOCKING_THREADS; i++) {
            Threads.daemon("blocking", () -> serveBlocking(forThreads));
        }
        System.out.println("READY");
        try (var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            String line = commands.readLine();
            while (line != null) {
                answer(line.split(" "));
                line = commands.readLine();
            }
        }
    }

    private static ServerSocketChannel listen(String port) throws IOException {
        return ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", Integer.parseInt(port)), 200);
    }

    private static void answer(String[] command) {
        switch (command[0]) {
            case "fill" -> {
                boolean full = fill(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(command[1])));
                System.out.println("FILLED " + full + " " + errors);
            }
            case "threads" -> {
                StringBuilder names = new StringBuilder();
                Thread.getAllStackTraces()
                        .keySet()
                        .forEach(thread -> names.append(thread.getName()).append(' '));
                System.out.println("THREADS " + names);
            }
            case "traffic" -> System.out.println(Traffic.ofThisJvm().toLine());
            default -> throw new IllegalArgumentException(command[0]);
        }
    }

    /** Holds all the memory there is for so long; whether there was none left. Allocates nothing else. */
    private static boolean fill(long nanos) {
        Object[] last = null;
        boolean full = false;
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            for (int piece : PIECES) {
                try {
                    while (true) {
                        Object[] next = new Object[] {last, null};
                        next[1] = new byte[piece];
                        last = next;
                    }
                } catch (OutOfMemoryError e) {
                    full = true;
                }
            }
        }
        return full && last != null;
    }

    // -- event loop --------------------------------------------------------------------------------------------------

    private static void loop(ServerSocketChannel listener) {
        try {
            listener.configureBlocking(false);
            Selector selector = Selector.open();
            listener.register(selector, SelectionKey.OP_ACCEPT);
            while (true) {
                try {
                    turn(listener, selector);
                } catch (OutOfMemoryError e) {
                    errors++;
                }
            }
        } catch (IOException | RuntimeException e) {
            System.out.println("LOOP FAILED " + e);
        }
    }

    private static void turn(ServerSocketChannel listener, Selector selector) throws IOException {
        selector.select();
        Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
        while (keys.hasNext()) {
            SelectionKey key = keys.next();
            keys.remove();
            if (key.isAcceptable()) {
                accept(listener, selector);
            } else {
                echo(key);
            }
        }
    }

    private static void accept(ServerSocketChannel listener, Selector selector) throws IOException {
        // First: without it there is no use in a connection.
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        SocketChannel channel = listener.accept();
        if (channel != null) {
            boolean done = false;
            try {
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ, buffer);
                done = true;
            } finally {
                if (!done) {
                    channel.close();
                }
            }
        }
    }

    private static void echo(SelectionKey key) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        ByteBuffer buffer = (ByteBuffer) key.attachment();
        try {
            int count = channel.read(buffer);
            buffer.flip();
            channel.write(buffer);
            key.interestOps(
                    buffer.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
            buffer.compact();
            if (count < 0) {
                channel.close();
            }
        } catch (IOException e) {
            channel.close();
        } catch (OutOfMemoryError e) {
            errors++;
            if (buffer.limit() < buffer.capacity()) {
                // Between flip and compact.
                buffer.compact();
            }
            key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        }
    }

    // -- threads -----------------------------------------------------------------------------------------------------

    private static void serveBlocking(ServerSocketChannel listener) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        while (true) {
            try (SocketChannel channel = listener.accept()) {
                echo(channel, buffer);
            } catch (IOException e) {
                // The client has gone, or there was nothing to accept it with.
                buffer.clear();
            } catch (OutOfMemoryError e) {
                errors++;
            }
        }
    }

    private static void echo(SocketChannel channel, ByteBuffer buffer) throws IOException {
        int count = 0;
        while (count >= 0) {
            buffer.clear();
            count = read(channel, buffer);
            buffer.flip();
            while (buffer.hasRemaining()) {
                write(channel, buffer);
            }
        }
    }

    private static int read(SocketChannel channel, ByteBuffer buffer) throws IOException {
        try {
            return channel.read(buffer);
        } catch (OutOfMemoryError e) {
            errors++;
            return 0;
        }
    }

    private static void write(SocketChannel channel, ByteBuffer buffer) throws IOException {
        try {
            channel.write(buffer);
        } catch (OutOfMemoryError e) {
            errors++;
        }
    }
}
