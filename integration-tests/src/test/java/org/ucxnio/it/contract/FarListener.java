package org.ucxnio.it.contract;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.ucxnio.it.harness.Peer;
import org.ucxnio.it.harness.Ports;

/** A listener at the far end, for tests that connect in their own way. */
final class FarListener implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final Setting setting;
    private final Peer peer;
    private final String name = "l" + COUNT.incrementAndGet();
    private final int port;

    FarListener(Setting setting) throws IOException {
        this(setting, "127.0.0.1");
    }

    FarListener(Setting setting, String host) throws IOException {
        this.setting = setting;
        peer = setting.peer();
        port = Integer.parseInt(peer.call("listen " + name + " " + host + " " + Ports.free()));
    }

    InetSocketAddress address() {
        return Connection.loopback(port);
    }

    int port() {
        return port;
    }

    /** Begins to accept one connection, called {@code channel}; gives both its addresses as the peer sees them. */
    CompletableFuture<String> startAccept(String channel) {
        return peer.start("accept " + name + channel + " " + name + " " + setting.mode());
    }

    /** Accepts one connection. */
    String accept(String channel) {
        return Peer.await(startAccept(channel));
    }

    /** Lets the peer do something with an accepted connection, such as {@code read 100}. */
    String peer(String channel, String command) {
        String[] words = command.split(" ", 2);
        return peer.call(words[0] + " " + name + channel + (words.length > 1 ? " " + words[1] : ""));
    }

    @Override
    public void close() {
        peer.call("closeListener " + name);
    }
}
