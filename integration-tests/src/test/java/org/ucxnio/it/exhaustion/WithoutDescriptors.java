package org.ucxnio.it.exhaustion;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import org.ucxnio.it.harness.Traffic;

/**
 * Uses up its descriptors, makes calls, gives the descriptors back and makes them again; prints a line {@code CALL} for each call, with
 * what came of it. Without descriptors it says so and waits for a line of standard input. In the end it logs, asks what time it is in two
 * places, and says whether new connections within it have moved.
 */
final class WithoutDescriptors {
    /** The line that says that there are no descriptors. */
    static final String EXHAUSTED = "EXHAUSTED";

    private static final long PATIENCE_NANOS = 15_000_000_000L;
    private static final long QUIET_NANOS = 300_000_000;
    private static final int SELECT_MS = 10_000;
    private static final int FEW = 100;

    private final List<Closeable> used = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(FEW);
    private final ServerSocketChannel listener;
    private final Selector selector;
    private final SocketChannel client;
    private final SocketChannel server;

    /** Bound when there are no descriptors. */
    private final ServerSocketChannel late;

    /** Connects to the listener, which cannot accept it then. */
    private final SocketChannel pending;

    private interface Call {
        Object run() throws IOException;
    }

    private WithoutDescriptors() throws IOException {
        listener = ServerSocketChannel.open();
        late = ServerSocketChannel.open();
        pending = SocketChannel.open();
        selector = Selector.open();
        listener.bind(new InetSocketAddress("127.0.0.1", 0));
        client = SocketChannel.open(listener.getLocalAddress());
        server = listener.accept();
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_READ);
    }

    public static void main(String[] arguments) throws Exception {
        new WithoutDescriptors().run();
    }

    private void run() throws Exception {
        // What the calls load is loaded then.
        calls("before");
        useUp();
        say(
                "without",
                "bind",
                () -> late.bind(new InetSocketAddress("127.0.0.1", 0)).isOpen());
        calls("without");
        say("without", "connect", () -> pending.connect(listener.getLocalAddress()));
        say("without", "accept", () -> listener.accept().isOpen());
        System.out.println(EXHAUSTED);
        System.in.read();
        for (Closeable each : used) {
            each.close();
        }
        calls("again");
        say("again", "accept", () -> listener.accept().isConnected());
        say(
                "again",
                "time zone",
                () -> ZonedDateTime.now(ZoneId.of("Europe/Paris")).getZone());
        say(
                "again",
                "another time zone",
                () -> ZonedDateTime.now(ZoneId.of("Asia/Tokyo")).getZone());
        Logger.getLogger("application").warning("the application's line");
        Logger.getLogger("application").info("another line of it");
        if (Traffic.ofThisJvm().active()) {
            awaitMoved();
        }
        System.exit(0);
    }

    /** Takes also what other threads, which begin what they do beside the application, give back for a while. */
    private void useUp() throws InterruptedException {
        long last = System.nanoTime();
        while (System.nanoTime() - last < QUIET_NANOS) {
            try {
                used.add(new FileInputStream("/dev/null"));
                last = System.nanoTime();
            } catch (IOException e) {
                // There is none at the moment.
                Thread.sleep(1);
            }
        }
    }

    private static void say(String when, String name, Call call) {
        String outcome;
        try {
            outcome = String.valueOf(call.run());
        } catch (IOException | RuntimeException | Error e) {
            outcome = e.toString();
        }
        System.out.println("CALL " + when + " " + name + ": " + outcome);
    }

    private void calls(String when) {
        say(when, "Selector.open", () -> closed(Selector.open()));
        say(when, "SocketChannel.open", () -> closed(SocketChannel.open()));
        say(when, "ServerSocketChannel.open", () -> closed(ServerSocketChannel.open()));
        say(when, "DatagramChannel.open", () -> closed(DatagramChannel.open()));
        say(when, "Pipe.open", () -> closed(Pipe.open().source()));
        say(when, "selectNow", selector::selectNow);
        say(when, "write", () -> client.write(buffer.clear()));
        say(when, "select", () -> selector.select(SELECT_MS));
        say(when, "selected", () -> selector.selectedKeys().size());
        selector.selectedKeys().clear();
        say(when, "read", () -> server.read(buffer.clear()));
        say(when, "nothing left", () -> server.read(buffer.clear()));
        say(when, "select for a moment", () -> selector.select(1));
    }

    private static boolean closed(Closeable opened) throws IOException {
        opened.close();
        return true;
    }

    private void awaitMoved() throws IOException {
        long start = System.nanoTime();
        try (SocketChannel near = SocketChannel.open(listener.getLocalAddress());
                SocketChannel far = listener.accept()) {
            // Both ends of this connection. The one that was there before may stay what it is.
            int wanted = Traffic.ofThisJvm().rings() + 2;
            while (Traffic.ofThisJvm().rings() < wanted && System.nanoTime() - start < PATIENCE_NANOS) {
                pass(far, near);
                pass(near, far);
            }
            System.out.println("MOVED " + (Traffic.ofThisJvm().rings() >= wanted));
            System.out.println(org.ucxnio.UcxNio.report());
        }
    }

    private void pass(SocketChannel from, SocketChannel to) throws IOException {
        from.write(buffer.clear());
        int left = buffer.capacity();
        while (left > 0) {
            left -= to.read(buffer.clear().limit(left));
        }
    }
}
