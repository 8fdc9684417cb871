package org.ucxnio.it.contract;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.ucxnio.it.harness.Addresses;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Rings;

/** Whose channels the two ends of a connection within this JVM are, with all that a script has opened. */
final class Sides implements AutoCloseable {
    /** Long enough for what was sent to arrive: messages over UCX need several threads for that, each of which has to get a processor. */
    private static final long SETTLE_MS = Flavour.isMessagesHere() ? 150 : 30;

    private static final int LONGER = 8;

    /** How many scripts want that at the moment. */
    private static final AtomicInteger PATIENT = new AtomicInteger();

    /** Of a class that nobody knows. */
    static final SocketAddress ODD = new SocketAddress() {
        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
            return "odd";
        }
    };

    static final InetSocketAddress UNRESOLVED = InetSocketAddress.createUnresolved("name.invalid", 80);

    private static final int SILENT_FILLERS = 3;

    private final Flavour client;
    private final Flavour server;
    private final boolean moved;
    private final List<Closeable> opened = new ArrayList<>();

    /** @param moved whether a pair has moved to rings before a script gets it */
    private Sides(Flavour client, Flavour server, boolean moved) {
        this.client = client;
        this.server = server;
        this.moved = moved;
    }

    /** The JDK's on either side. */
    static Sides ofTheJdk() {
        return new Sides(Flavour.JDK, Flavour.JDK, false);
    }

    /** Every combination within this JVM; that of the JDK with itself shows that the scripts read the same every time. */
    static List<Sides> all() {
        return Setting.Pairing.wanted().stream()
                .filter(pairing -> pairing != Setting.Pairing.RINGS_LATER
                        && pairing != Setting.Pairing.UCX_MESSAGES_WITH_RINGS_PEER)
                .map(pairing -> new Sides(pairing.local(), pairing.remote(), pairing.hasMoved()))
                .toList();
    }

    static void settle() throws InterruptedException {
        Thread.sleep(PATIENT.get() > 0 ? LONGER * SETTLE_MS : SETTLE_MS);
    }

    /** Runs something for which what was sent has more time to arrive, and for all that runs beside it. */
    static <T> T patiently(Callable<T> script) throws Exception {
        PATIENT.incrementAndGet();
        try {
            return script.call();
        } finally {
            PATIENT.decrementAndGet();
        }
    }

    static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(Addresses.literal("127.0.0.1"), port);
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    static ByteBuffer room(int bytes) {
        return ByteBuffer.allocate(bytes);
    }

    /** Reads until the buffer is full, or the stream at its end. */
    static void fill(ByteBuffer buffer, SocketChannel channel) throws IOException {
        while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
            // until it is full
        }
    }

    Flavour client() {
        return client;
    }

    Flavour server() {
        return server;
    }

    /** That of a side that is ours, where there is one. */
    Flavour ours() {
        return client.isOurs() ? client : server;
    }

    /** Whether both sides are ours. */
    boolean areOurs() {
        return client.isOurs() && server.isOurs();
    }

    /** Closes it when the script is over. */
    <T extends Closeable> T with(T resource) {
        opened.add(resource);
        return resource;
    }

    SocketChannel socket() throws IOException {
        return with(client.provider().openSocketChannel());
    }

    SocketChannel nonBlockingSocket() throws IOException {
        SocketChannel channel = socket();
        channel.configureBlocking(false);
        return channel;
    }

    ServerSocketChannel unboundListener() throws IOException {
        return with(server.provider().openServerSocketChannel());
    }

    ServerSocketChannel listener() throws IOException {
        return unboundListener().bind(loopback(Ports.free()));
    }

    /** A selector that takes the channels of both ends. */
    Selector selector() throws IOException {
        return with(ours().provider().openSelector());
    }

    /** Two connected channels: the client's and the server's. */
    SocketChannel[] pair() throws IOException {
        try (ServerSocketChannel listener = server.provider().openServerSocketChannel()) {
            listener.bind(loopback(Ports.free()));
            int before = moved ? Rings.open() : 0;
            SocketChannel connecting = socket();
            connecting.connect(listener.getLocalAddress());
            SocketChannel[] pair = {connecting, with(listener.accept())};
            if (moved) {
                Rings.await(before + pair.length);
            }
            return pair;
        }
    }

    SocketChannel[] nonBlockingPair() throws IOException {
        SocketChannel[] pair = pair();
        pair[0].configureBlocking(false);
        pair[1].configureBlocking(false);
        return pair;
    }

    /** An address where nobody listens. */
    static InetSocketAddress deadAddress() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, Addresses.literal("127.0.0.1"))) {
            return (InetSocketAddress) socket.getLocalSocketAddress();
        }
    }

    /** An address that never answers: a listener of the kernel whose backlog is full. */
    SocketAddress silentAddress() throws Exception {
        ServerSocket full = with(new ServerSocket());
        full.bind(loopback(0), 1);
        for (int i = 0; i < SILENT_FILLERS; i++) {
            SocketChannel filler = with(Flavour.JDK.provider().openSocketChannel());
            filler.configureBlocking(false);
            filler.connect(full.getLocalSocketAddress());
        }
        settle();
        return full.getLocalSocketAddress();
    }

    @Override
    public void close() throws IOException {
        for (int i = opened.size() - 1; i >= 0; i--) {
            Closeable each = opened.get(i);
            if (!(each instanceof Channel channel) || channel.isOpen()) {
                each.close();
            }
        }
        opened.clear();
    }

    @Override
    public String toString() {
        return client + " to " + server + (moved ? ", moved" : "");
    }
}
