package org.ucxnio.it.moving;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.ucxnio.it.harness.Addresses;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Rings;
import org.ucxnio.it.harness.Traffic;

/**
 * A connection within this JVM. It is accepted when the test says so, and cannot move to rings before. One of the JDK's never moves,
 * and is there to show that a test expects what TCP does.
 */
final class Pair implements AutoCloseable {
    private final Flavour flavour;
    private final Traffic before;
    private final ServerSocketChannel listener;
    private final SocketChannel client;
    private SocketChannel server;

    private Pair(Flavour flavour) throws IOException {
        this.flavour = flavour;
        before = flavour.isOurs() ? traffic() : null;
        listener = flavour.provider().openServerSocketChannel();
        listener.bind(new InetSocketAddress(Addresses.literal("127.0.0.1"), Ports.free()));
        client = flavour.provider().openSocketChannel();
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        client.connect(listener.getLocalAddress());
    }

    private static Traffic traffic() {
        // The provider reads its properties at the first use of anything of ours.
        Flavour.RINGS.provider();
        return Traffic.ofOurs();
    }

    /** One that is connected and not accepted. */
    static Pair connect(Flavour flavour) throws IOException {
        return new Pair(flavour);
    }

    /** One that has moved, without any byte in it. */
    static Pair moved(Flavour flavour) throws IOException {
        Pair pair = connect(flavour);
        pair.accept();
        pair.awaitMoved();
        return pair;
    }

    SocketChannel client() {
        return client;
    }

    SocketChannel accept() throws IOException {
        server = listener.accept();
        server.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return server;
    }

    SocketChannel server() {
        return server;
    }

    /** Either end, the other one as {@code end(!isClient)}. */
    SocketChannel end(boolean isClient) {
        return isClient ? client : server;
    }

    /** Waits until both directions go through rings, if they ever will. */
    void awaitMoved() {
        if (flavour.isOurs()) {
            Rings.await(before.rings() + 2);
        }
    }

    /** Since this connection was opened, so many bytes were written to the kernel: at least and at most. */
    void expectOverTcp(long least, long most) {
        if (flavour.isOurs()) {
            assertThat(Traffic.ofOurs().tcpSent() - before.tcpSent()).isBetween(least, most);
        }
    }

    /** Since this connection was opened, at least so many bytes were written to rings. */
    void expectOverRings(long least) {
        if (flavour.isOurs()) {
            assertThat(bytesOverRings()).isGreaterThanOrEqualTo(least);
        }
    }

    /** Bytes that were written to rings since this connection was opened. */
    long bytesOverRings() {
        return flavour.isOurs() ? Traffic.ofOurs().ringSent() - before.ringSent() : 0;
    }

    @Override
    public void close() throws IOException {
        client.close();
        listener.close();
        if (server != null) {
            server.close();
        }
    }
}
