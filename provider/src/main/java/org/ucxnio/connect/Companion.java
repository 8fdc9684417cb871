package org.ucxnio.connect;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.ucxnio.counters.Log;

/**
 * The companion listener of a server channel.
 *
 * <p>Its port may be somebody else's when it is wanted: that of a listener, or the ephemeral port of an ordinary client. The latter
 * belongs to the client on that address while its connection is open and, in TIME-WAIT, for 60 s after; Linux makes an exception
 * only where both sockets have set {@code SO_REUSEADDR} and the client was bound before it connected, which clients do not do (seen
 * with 6.18). The companion then goes on trying in the background, every second for as long as a TIME-WAIT takes, then every ten
 * seconds, until it is closed. It does the same when it loses its listener to an error. Connections to the server are plain meanwhile.
 *
 * <p>{@link #close}, {@link #resume} and {@link #receiveBuffer} are thread-safe.
 */
public final class Companion implements ControlLoop.Handler {
    private static final int QUICK_TRIES = 70;
    private static final long QUICK_TRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SLOW_TRY_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** How long nothing is accepted when the process has no descriptor left, or whatever else keeps it from that. */
    private static final long ACCEPT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Connector connector;
    private final InetSocketAddress plain;
    private final int port;
    private final int backlog;
    private final AcceptQueue queue;

    // -- guarded by this --
    private Integer receiveBuffer;
    private int failures;
    private boolean closed;

    /** That of the listener; null while the port is not ours. */
    private Registration registration;
    // -- end --

    /** Written, with the monitor held, before the loop serves the listener that it is for. */
    private volatile Ticket ticket;

    // -- owned by the control loop --
    private int handshakes;

    /** Handshakes that wait for their clients, the oldest first. */
    private final Set<ServerHandshake> waiting = new LinkedHashSet<>();
    // -- end --

    private Companion(
            Connector connector,
            InetSocketAddress plain,
            int port,
            int backlog,
            Integer receiveBuffer,
            AcceptQueue queue) {
        this.connector = connector;
        this.plain = plain;
        this.port = port;
        this.backlog = backlog;
        this.receiveBuffer = receiveBuffer;
        this.queue = queue;
    }

    static Companion open(
            Connector connector,
            InetSocketAddress plain,
            int port,
            int backlog,
            Integer receiveBuffer,
            AcceptQueue queue) {
        Companion companion = new Companion(connector, plain, port, backlog, receiveBuffer, queue);
        companion.tryToOpen();
        return companion;
    }

    private synchronized void tryToOpen() {
        if (closed) {
            return;
        }
        try {
            ServerSocketChannel bound = bind();
            try {
                serve(bound);
            } catch (IOException | RuntimeException | Error e) {
                letGo();
                ControlLoop.close(bound);
                throw e;
            }
            if (failures > 0) {
                failures = 0;
                Log.info("Companion port " + port + " is open");
            }
        } catch (IOException | RuntimeException | Error e) {
            tryLater(e);
        }
    }

    private ServerSocketChannel bind() throws IOException {
        // Who listens on 0.0.0.0 is not to be reached over IPv6.
        ServerSocketChannel unbound = plain.getAddress() instanceof Inet4Address
                ? connector.platform().openServerSocketChannel(StandardProtocolFamily.INET)
                : connector.platform().openServerSocketChannel();
        try {
            unbound.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            if (receiveBuffer != null) {
                unbound.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
            }
            unbound.bind(new InetSocketAddress(plain.getAddress(), port), backlog);
            unbound.configureBlocking(false);
            return unbound;
        } catch (IOException | RuntimeException | Error e) {
            ControlLoop.close(unbound);
            throw e;
        }
    }

    private void serve(ServerSocketChannel bound) throws IOException {
        ticket = connector.handshakes().ticket(listenerId(bound));
        registration = connector.loop().register(bound, 0, this);
        connector.opened(this);
        registration.interest(SelectionKey.OP_ACCEPT);
    }

    private long listenerId(ServerSocketChannel bound) throws IOException {
        InetSocketAddress address = (InetSocketAddress) bound.getLocalAddress();
        boolean anywhere = address.getAddress().isAnyLocalAddress();
        return connector
                .posix()
                .listenerId(
                        anywhere
                                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort())
                                : address);
    }

    /** With the monitor held. */
    private void tryLater(Throwable cause) {
        if (failures++ == 0) {
            Log.warn("Connections to port " + plainPort() + " are plain until its companion port " + port
                    + " can be had: " + cause.getMessage());
        }
        long delay = failures <= QUICK_TRIES ? QUICK_TRY_NANOS : SLOW_TRY_NANOS;
        connector.loop().execute(() -> connector.loop().schedule(delay, this::tryToOpen));
    }

    @Override
    public void onReady(Registration ready) throws IOException {
        while (queue.hasRoom() && handshakes < backlog) {
            SocketChannel socket = accept(ready);
            if (socket == null) {
                return;
            }
            queue.takeEarlier();
            handshakes++;
            try {
                ServerHandshake.begin(connector, this, socket);
            } catch (IOException e) {
                handshakes--;
                ControlLoop.close(socket);
                Log.debug("A handshake ended at its start: " + e.getMessage());
            }
        }
        ready.interest(0);
    }

    /** The next client, or null where there is none for now. */
    private SocketChannel accept(Registration ready) throws IOException {
        try {
            return ready.channel(ServerSocketChannel.class).accept();
        } catch (IOException e) {
            ready.interest(0);
            connector.loop().schedule(ACCEPT_PAUSE_NANOS, this::listen);
            Log.warnOnce("accept" + port, "Companion port " + port + " cannot accept for now: " + e.getMessage());
            return null;
        }
    }

    void waits(ServerHandshake handshake) {
        waiting.add(handshake);
    }

    /** Takes in what has come for handshakes that began before this one. */
    void lookAtEarlier(ServerHandshake one) {
        for (ServerHandshake handshake : List.copyOf(waiting)) {
            if (handshake == one) {
                return;
            }
            handshake.look();
        }
    }

    void handshakeEnded(ServerHandshake handshake) {
        waiting.remove(handshake);
        handshakes--;
        listen();
    }

    /** There is room in the accept queue again. */
    public void resume() {
        connector.loop().execute(this::listen);
    }

    private synchronized void listen() {
        try {
            if (registration != null) {
                registration.interest(SelectionKey.OP_ACCEPT);
            }
        } catch (IOException e) {
            Log.debug("Companion port " + port + " is served no more");
        }
    }

    @Override
    public synchronized void onFailure(IOException cause) {
        letGo();
        if (!closed) {
            tryLater(cause);
        }
    }

    /** Sets the size of the receive buffer that accepted sockets inherit. Any thread. */
    public synchronized void receiveBuffer(int bytes) throws IOException {
        receiveBuffer = bytes;
        if (isOpen()) {
            registration.channel(ServerSocketChannel.class).setOption(StandardSocketOptions.SO_RCVBUF, bytes);
        }
    }

    /** The port this companion stands for. */
    int plainPort() {
        return plain.getPort();
    }

    /** The companion port itself. */
    public int port() {
        return port;
    }

    /** For clients that were accepted, to come back with. */
    Ticket ticket() {
        return ticket;
    }

    AcceptQueue queue() {
        return queue;
    }

    public synchronized void close() {
        closed = true;
        letGo();
    }

    private void letGo() {
        connector.forget(this);
        if (registration != null) {
            registration.close();
            registration = null;
        }
    }

    /** Whether it has its port. */
    synchronized boolean isOpen() {
        return registration != null;
    }
}
