package org.ucxnio.it.contract;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.ucxnio.it.harness.Addresses;
import org.ucxnio.it.harness.BytePattern;
import org.ucxnio.it.harness.ChannelIo;
import org.ucxnio.it.harness.Peer;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Rings;

/** A connection between a channel under test and a peer that carries out commands. */
final class Connection implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final int BUFFER_BYTES = 64 << 10;

    private final Peer peer;
    private final String name;
    private final ChannelIo io;
    private final String peerAddresses;
    private final BytePattern outgoing = new BytePattern(22);
    private final BytePattern incoming = new BytePattern(11);

    private Connection(Peer peer, String name, ChannelIo io, String peerAddresses) {
        this.peer = peer;
        this.name = name;
        this.io = io;
        this.peerAddresses = peerAddresses;
    }

    /** Opens one, which has moved to rings where that is what the setting says. */
    static Connection open(Setting setting) throws IOException {
        boolean moves = setting.pairing().hasMoved();
        int before = moves ? Rings.open() : 0;
        Connection connection = setting.role() == Setting.Role.CLIENT ? connect(setting) : accept(setting);
        if (moves) {
            Rings.await(before + (setting.placement() == Setting.Placement.ONE_JVM ? 2 : 1));
        }
        return connection;
    }

    private static Connection connect(Setting setting) throws IOException {
        Peer peer = setting.peer();
        String name = "c" + COUNT.incrementAndGet();
        int port = Integer.parseInt(peer.call("listen " + name + " 127.0.0.1 " + Ports.free()));
        CompletableFuture<String> accepted = peer.start("accept " + name + " " + name + " " + setting.mode());
        SocketChannel channel = setting.flavour().provider().openSocketChannel();
        channel.connect(loopback(port));
        String peerAddresses = Peer.await(accepted);
        peer.call("closeListener " + name);
        return new Connection(peer, name, ChannelIo.of(channel, setting.mode()), peerAddresses);
    }

    private static Connection accept(Setting setting) throws IOException {
        Peer peer = setting.peer();
        String name = "c" + COUNT.incrementAndGet();
        try (ServerSocketChannel listener = setting.flavour().provider().openServerSocketChannel()) {
            int port = Ports.free();
            listener.bind(loopback(port));
            CompletableFuture<String> connected =
                    peer.start("connect " + name + " 127.0.0.1 " + port + " " + setting.mode());
            SocketChannel channel = listener.accept();
            String peerAddresses = Peer.await(connected);
            return new Connection(peer, name, ChannelIo.of(channel, setting.mode()), peerAddresses);
        }
    }

    static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(Addresses.literal("127.0.0.1"), port);
    }

    /** The channel under test. */
    SocketChannel channel() {
        return io.channel();
    }

    ChannelIo io() {
        return io;
    }

    /** Local and remote address as the peer sees them. */
    String peerAddresses() {
        return peerAddresses;
    }

    /** The bytes that the peer expects next. */
    BytePattern outgoing() {
        return outgoing;
    }

    /** The bytes that the peer sends next. */
    BytePattern incoming() {
        return incoming;
    }

    /** Writes the next bytes of the pattern. */
    void write(long count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        long left = count;
        while (left > 0) {
            buffer.clear().limit((int) Math.min(left, BUFFER_BYTES));
            left -= buffer.remaining();
            outgoing.fill(buffer);
            io.writeFully(buffer.flip());
        }
    }

    /** Reads and checks exactly this many bytes. */
    void read(long count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        long left = count;
        while (left > 0) {
            buffer.clear().limit((int) Math.min(left, BUFFER_BYTES));
            int length = io.readSome(buffer);
            if (length < 0) {
                throw new AssertionError("End of stream, " + left + " of " + count + " bytes missing");
            }
            left -= length;
            incoming.verify(buffer.flip());
        }
    }

    /** Reads and checks until the end of the stream; returns how many bytes came. */
    long readToEnd() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        long total = 0;
        int length = io.readSome(buffer);
        while (length >= 0) {
            incoming.verify(buffer.flip());
            total += length;
            length = io.readSome(buffer.clear());
        }
        return total;
    }

    /** Lets the peer do something with its end, such as {@code read 100}, and waits for it. */
    String peer(String command) {
        return Peer.await(peerStarts(command));
    }

    /** Lets the peer begin to do something with its end. */
    CompletableFuture<String> peerStarts(String command) {
        String[] words = command.split(" ", 2);
        return peer.start(words[0] + " " + name + (words.length > 1 ? " " + words[1] : ""));
    }

    /** Proves that bytes still flow both ways. */
    void ping() throws IOException {
        CompletableFuture<String> written = peerStarts("write 100");
        read(100);
        Peer.await(written);
        CompletableFuture<String> received = peerStarts("read 100");
        write(100);
        Peer.await(received);
    }

    @Override
    public void close() throws IOException {
        io.close();
        peer("close");
    }
}
