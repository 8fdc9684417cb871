package org.ucxnio.connect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ucxnio.counters.Log;
import org.ucxnio.posix.Posix;
import org.ucxnio.transport.Transport;

/** Sets up connections: companions for server channels, attempts for clients. Thread-safe. */
public final class Connector {
    private static final int MAX_PORT = 65_535;

    private final Transport transport;
    private final SelectorProvider platform;
    private final ControlLoop loop;
    private final PeerRules rules;
    private final Handshakes handshakes;
    private final Map<Integer, Companion> companions = new ConcurrentHashMap<>();

    public Connector(Transport transport, SelectorProvider platform, Posix posix) throws IOException {
        this.transport = transport;
        this.platform = platform;
        this.loop = new ControlLoop(platform);
        this.rules = new PeerRules(transport.config(), posix, transport.networkUnavailable() == null);
        this.handshakes = new Handshakes(transport);
        loop.start();
    }

    /** The companion port of {@code port}: above it, or below where there is no room above. */
    int companionPort(int port) {
        int offset = transport.config().companionOffset();
        return port + offset > MAX_PORT ? port - offset : port + offset;
    }

    /** Why a connection to {@code target} is plain from the start, or null when {@link #connect} is worth it. */
    public String plainReason(InetSocketAddress target) {
        int companion = companionPort(target.getPort());
        return companion < 1 ? "port without companion" : rules.plainReason(target);
    }

    /** Starts a client's attempt on {@code first}, a socket not connected yet. */
    public ConnectAttempt connect(
            InetSocketAddress target,
            SocketChannel first,
            ConnectAttempt.SocketFactory sockets,
            ConnectAttempt.Listener listener) {
        ConnectAttempt attempt = new ConnectAttempt(this, target, sockets, listener);
        loop.execute(() -> attempt.start(first));
        return attempt;
    }

    /**
     * Opens the companion of a listener bound to {@code plain}; null, with a line in the log, where that cannot be.
     *
     * @param receiveBuffer the size of the receive buffer that the application asked for, or null
     */
    public Companion openCompanion(InetSocketAddress plain, int backlog, Integer receiveBuffer, AcceptQueue queue) {
        rules.forgetPort(plain.getPort());
        int port = companionPort(plain.getPort());
        if (port < 1) {
            return null;
        }
        try {
            Companion companion = Companion.open(this, plain, port, backlog, receiveBuffer, queue);
            companions.put(port, companion);
            return companion;
        } catch (IOException e) {
            Log.warn("Connections to port " + plain.getPort() + " are plain: its companion port " + port
                    + " cannot be had (" + e.getMessage() + ")");
            return null;
        }
    }

    /** Gives up the companion that holds {@code port}, which the application wants for itself. */
    public boolean yieldPort(int port) {
        Companion companion = companions.get(port);
        if (companion == null) {
            return false;
        }
        companion.close();
        Log.warn("Connections to port " + companion.plainPort() + " are plain from now on: the application binds its"
                + " companion port " + port);
        return true;
    }

    /** Watches a non-blocking listener of the kernel for a thread that waits in a blocking accept. */
    public AcceptWatch watch(ServerSocketChannel listener, Runnable onAcceptable) {
        return new AcceptWatch(loop, listener, onAcceptable);
    }

    void forget(Companion companion) {
        companions.remove(companion.port(), companion);
    }

    public Transport transport() {
        return transport;
    }

    SelectorProvider platform() {
        return platform;
    }

    ControlLoop loop() {
        return loop;
    }

    PeerRules rules() {
        return rules;
    }

    Handshakes handshakes() {
        return handshakes;
    }

    /** Runs a task on the control thread. */
    public void execute(Runnable task) {
        loop.execute(task);
    }
}
