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
import org.ucxnio.counters.Log;

/** The companion listener of a server channel. {@link #close} and {@link #resume} are thread-safe. */
public final class Companion implements ControlLoop.Handler {
    private final Connector connector;
    private final ServerSocketChannel listener;
    private final int plainPort;
    private final int port;
    private final int backlog;
    private final AcceptQueue queue;
    private final Ticket ticket;

    /** Set before the loop first serves this. */
    private Registration registration;

    /** Owned by the control loop. */
    private int handshakes;

    /** Handshakes that wait for their clients, the oldest first; the control thread's. */
    private final Set<ServerHandshake> waiting = new LinkedHashSet<>();

    private Companion(
            Connector connector,
            ServerSocketChannel listener,
            int plainPort,
            int port,
            int backlog,
            AcceptQueue queue,
            Ticket ticket) {
        this.connector = connector;
        this.listener = listener;
        this.plainPort = plainPort;
        this.port = port;
        this.backlog = backlog;
        this.queue = queue;
        this.ticket = ticket;
    }

    static Companion open(
            Connector connector,
            InetSocketAddress plain,
            int port,
            int backlog,
            Integer receiveBuffer,
            AcceptQueue queue)
            throws IOException {
        // Who listens on 0.0.0.0 is not to be reached over IPv6.
        ServerSocketChannel listener = plain.getAddress() instanceof Inet4Address
                ? connector.platform().openServerSocketChannel(StandardProtocolFamily.INET)
                : connector.platform().openServerSocketChannel();
        try {
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            if (receiveBuffer != null) {
                listener.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
            }
            listener.bind(new InetSocketAddress(plain.getAddress(), port), backlog);
            listener.configureBlocking(false);
        } catch (IOException e) {
            listener.close();
            throw e;
        }
        Ticket ticket = connector.handshakes().ticket(listenerId(connector, listener));
        Companion companion = new Companion(connector, listener, plain.getPort(), port, backlog, queue, ticket);
        companion.registration = connector.loop().register(listener, 0, companion);
        companion.registration.interest(SelectionKey.OP_ACCEPT);
        return companion;
    }

    private static long listenerId(Connector connector, ServerSocketChannel listener) throws IOException {
        InetSocketAddress bound = (InetSocketAddress) listener.getLocalAddress();
        boolean anywhere = bound.getAddress().isAnyLocalAddress();
        return connector
                .posix()
                .listenerId(
                        anywhere ? new InetSocketAddress(InetAddress.getLoopbackAddress(), bound.getPort()) : bound);
    }

    @Override
    public void onReady(Registration ready) throws IOException {
        while (queue.hasRoom() && handshakes < backlog) {
            SocketChannel socket = listener.accept();
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

    private void listen() {
        try {
            registration.interest(SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            Log.debug("Companion port " + port + " is served no more");
        }
    }

    @Override
    public void onFailure(IOException cause) {
        Log.warn("Companion port " + port + " is closed, new connections to port " + plainPort + " are plain: "
                + cause.getMessage());
    }

    /** Sets the size of the receive buffer that accepted sockets inherit. Any thread. */
    public void receiveBuffer(int bytes) throws IOException {
        if (listener.isOpen()) {
            listener.setOption(StandardSocketOptions.SO_RCVBUF, bytes);
        }
    }

    /** The port this companion stands for. */
    int plainPort() {
        return plainPort;
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

    public void close() {
        connector.forget(this);
        registration.close();
    }
}
