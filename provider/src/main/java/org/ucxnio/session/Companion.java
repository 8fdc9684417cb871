package org.ucxnio.session;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.TimeUnit;
import org.ucxnio.counters.Log;

/**
 * The companion port of a listener, where processes of trusted hosts begin sessions.
 *
 * <p>The port may be somebody else's when it is wanted: that of a listener, or the ephemeral port of an ordinary client. The latter
 * belongs to the client on that address while its connection is open and, in TIME-WAIT, for 60 s after; Linux makes an exception
 * only where both sockets have set {@code SO_REUSEADDR} and the client was bound before it connected, which clients do not do (seen
 * with 6.18). The companion then goes on trying in the background, every second for as long as a TIME-WAIT takes, then every ten
 * seconds, until it is closed. Connections to the server are plain meanwhile.
 *
 * <p>Owned by the session thread.
 */
final class Companion {
    private static final int QUICK_TRIES = 70;
    private static final long QUICK_TRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SLOW_TRY_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int BACKLOG = 128;

    private final SelectorProvider platform;
    private final SessionSetting setting;
    private final InetSocketAddress listener;
    private final int port;

    /** Null while the port is not ours. */
    private ServerSocketChannel channel;

    private int failures;
    private boolean closed;

    Companion(SelectorProvider platform, SessionSetting setting, InetSocketAddress listener, int port) {
        this.platform = platform;
        this.setting = setting;
        this.listener = listener;
        this.port = port;
    }

    int port() {
        return port;
    }

    void open() {
        if (closed || channel != null) {
            return;
        }
        try {
            ServerSocketChannel bound = bind();
            channel = bound;
            if (failures > 0) {
                Log.info("Companion port " + port + " is open");
            }
            failures = 0;
        } catch (IOException | RuntimeException e) {
            if (failures++ == 0) {
                Log.warn("Connections to port " + listener.getPort() + " are plain until its companion port " + port
                        + " can be had: " + e.getMessage());
            }
            setting.loop().schedule(failures <= QUICK_TRIES ? QUICK_TRY_NANOS : SLOW_TRY_NANOS, this::open);
        }
    }

    private ServerSocketChannel bind() throws IOException {
        // Who listens on 0.0.0.0 is not to be reached over IPv6.
        ServerSocketChannel bound = listener.getAddress() instanceof Inet4Address
                ? platform.openServerSocketChannel(StandardProtocolFamily.INET)
                : platform.openServerSocketChannel();
        boolean done = false;
        try {
            bound.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            bound.bind(new InetSocketAddress(listener.getAddress(), port), BACKLOG);
            bound.configureBlocking(false);
            Terms terms = new Terms(setting.network().carrier(), false, 0, listener.getPort());
            new Acceptor(setting, bound, terms, this::check).start();
            done = true;
            return bound;
        } finally {
            if (!done) {
                setting.loop().closeNow(bound);
            }
        }
    }

    /** Nobody else hears a word from us. */
    private void check(SocketChannel peer) throws IOException {
        InetAddress address = ((InetSocketAddress) peer.getRemoteAddress()).getAddress();
        if (!setting.network().trusts(address) || setting.network().isLocal(address)) {
            throw new IOException(address + " is not trusted");
        }
        peer.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /** The port is free on return. */
    void close() {
        closed = true;
        if (channel != null) {
            setting.loop().closeNow(channel);
            channel = null;
        }
    }
}
