package org.ucxnio.connect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.ucxnio.counters.Counter;
import org.ucxnio.counters.Log;
import org.ucxnio.posix.Posix;
import org.ucxnio.session.UserIds;
import org.ucxnio.transport.Transport;

/** Sets up connections: companions for server channels, attempts for clients. Thread-safe. */
public final class Connector {
    private static final int MAX_PORT = 65_535;

    /** Bound on remembered reasons: a hostile peer must not grow the map without end. */
    private static final int MAX_REASONS = 64;

    private final Transport transport;
    private final SelectorProvider platform;
    private final ControlLoop loop;
    private final PeerRules rules;
    private final Handshakes handshakes;
    private final Acquaintances acquaintances;
    private final Posix posix;
    private final Map<Integer, Companion> companions = new ConcurrentHashMap<>();
    private final Map<String, Integer> refusals = new ConcurrentHashMap<>();

    /** @param hostOverUcx whether UCX carries connections between processes of this host as well */
    public Connector(Transport transport, SelectorProvider platform, Posix posix, boolean hostOverUcx)
            throws IOException {
        this.transport = transport;
        this.platform = platform;
        this.loop = new ControlLoop(posix);
        this.rules = new PeerRules(
                transport.config(),
                posix,
                UserIds.ofThisProcess(),
                transport.networkUnavailable() == null,
                hostOverUcx);
        this.handshakes = new Handshakes(transport);
        this.acquaintances = new Acquaintances(this, posix);
        this.posix = posix;
        loop.start();
    }

    /** The companion port of {@code port}: above it, or below where there is no room above. */
    int companionPort(int port) {
        int offset = transport.config().companionOffset();
        return port + offset > MAX_PORT ? port - offset : port + offset;
    }

    /** Where the companion of {@code target} listens. */
    InetSocketAddress companion(InetSocketAddress target) {
        return new InetSocketAddress(target.getAddress(), companionPort(target.getPort()));
    }

    /** Why a connection to {@code target} is plain from the start, or null when {@link #connect} is worth it. */
    public String plainReason(InetSocketAddress target) {
        int companion = companionPort(target.getPort());
        return companion < 1 ? "port without companion" : rules.plainReason(target);
    }

    /**
     * Connects {@code first}, a socket not connected yet, where no other process has to be waited for: see {@link Acquaintances}.
     *
     * @return null where {@link #connect} has to go on with the socket
     */
    public Accepted connectNow(InetSocketAddress target, SocketChannel first) {
        return acquaintances.connect(target, first);
    }

    /** Starts a client's attempt on {@code first}, a socket that is fresh or has been through {@link #connectNow}. */
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
     * Opens the companion of a listener bound to {@code plain}, or has it go on trying; null where the port has no companion.
     *
     * @param receiveBuffer the size of the receive buffer that the application asked for, or null
     */
    public Companion openCompanion(InetSocketAddress plain, int backlog, Integer receiveBuffer, AcceptQueue queue) {
        int port = companionPort(plain.getPort());
        return port < 1 ? null : Companion.open(this, plain, port, backlog, receiveBuffer, queue);
    }

    /** The companion has its port. */
    void opened(Companion companion) {
        rules.forgetPort(companion.plainPort());
        companions.put(companion.port(), companion);
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

    /** Counts a handshake that this side refused. */
    void refused(String reason) {
        Counter.HANDSHAKES_REFUSED.increment();
        if (refusals.size() < MAX_REASONS || refusals.containsKey(reason)) {
            refusals.merge(reason, 1, Integer::sum);
        }
    }

    /** Handshakes that this side refused, by reason. */
    public Map<String, Integer> refusals() {
        return new TreeMap<>(refusals);
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

    Acquaintances acquaintances() {
        return acquaintances;
    }

    Posix posix() {
        return posix;
    }

    /** At the exit of the JVM, behind {@link Transport#flushForExit}: waits, within bounds, until the peers have what was said. */
    public void flushForExit(long deadlineNanos) {
        loop.awaitDelivery(deadlineNanos);
    }

    /** The JVM ends, behind {@link #flushForExit}: what still goes on must not keep it. */
    public void end() {
        loop.end();
    }

    /** Runs a task on the control thread. */
    public void execute(Runnable task) {
        loop.execute(task);
    }
}
