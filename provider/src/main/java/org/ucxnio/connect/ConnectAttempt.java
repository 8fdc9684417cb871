package org.ucxnio.connect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.ucxnio.transport.Connection;

/**
 * A client's way to a connection: the companion port first; where nothing there speaks our protocol, the port itself as plain
 * TCP, on a fresh socket. Owned by the control loop, but for {@link #abandon}.
 */
public final class ConnectAttempt implements ControlLoop.Handler {

    /** Opens kernel sockets for an attempt, each with the options and the local address the application asked for. */
    public interface SocketFactory {
        SocketChannel open() throws IOException;
    }

    /** Hears how the attempt ended, exactly once, on the control thread. */
    public interface Listener {
        void onAccelerated(Accepted connection);

        void onPlain(SocketChannel connected, String reason);

        void onFailed(IOException cause);
    }

    private enum Step {
        COMPANION,
        GREETING,
        HELLO,
        PLAIN,
        DONE
    }

    private final Connector connector;
    private final InetSocketAddress target;
    private final SocketFactory sockets;
    private final Listener listener;
    private final boolean local;
    private final ByteBuffer incoming = ByteBuffer.allocate(Hello.LENGTH + 1 + Ticket.LENGTH);

    private Step step = Step.COMPANION;
    private SocketChannel socket;
    private Registration registration;
    private String plainReason;
    private boolean remember;

    /** Written by any thread, read by the loop's. */
    private volatile boolean abandoned;

    ConnectAttempt(Connector connector, InetSocketAddress target, SocketFactory sockets, Listener listener) {
        this.connector = connector;
        this.target = target;
        this.sockets = sockets;
        this.listener = listener;
        this.local = connector.rules().isLocal(target.getAddress());
    }

    /** Begins with a socket that is fresh, or on its way to the companion or there already. Loop's thread. */
    void start(SocketChannel first) {
        socket = first;
        if (abandoned) {
            end(new java.nio.channels.AsynchronousCloseException());
            return;
        }
        try {
            socket.configureBlocking(false);
            connector.loop().schedule(connector.transport().config().companionTimeoutNanos(), this::expire);
            if (socket.isConnected() || !socket.isConnectionPending() && socket.connect(connector.companion(target))) {
                onCompanionConnected();
            } else {
                watch(SelectionKey.OP_CONNECT);
            }
        } catch (IOException e) {
            goPlain("peer not accelerated", true);
        } catch (RuntimeException | Error e) {
            end(new IOException(e));
        }
    }

    private void expire() {
        if (step != Step.PLAIN && step != Step.DONE) {
            goPlain("companion port did not answer in time", true);
        }
    }

    /** The application closed the channel. Any thread. */
    public void abandon() {
        abandoned = true;
        connector.loop().execute(() -> {
            if (step != Step.DONE) {
                end(new java.nio.channels.AsynchronousCloseException());
            }
        });
    }

    @Override
    public void onReady(Registration ready) throws IOException {
        if (step == Step.PLAIN) {
            socket.finishConnect();
            finishPlain();
        } else if (step == Step.COMPANION) {
            socket.finishConnect();
            onCompanionConnected();
        } else {
            receive();
        }
    }

    private void onCompanionConnected() throws IOException {
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        step = Step.GREETING;
        incoming.clear().limit(Greeting.LENGTH);
        watch(SelectionKey.OP_READ);
    }

    private void watch(int ops) throws IOException {
        if (registration == null) {
            registration = connector.loop().register(socket, ops, this);
        } else {
            registration.interest(ops);
        }
    }

    private void letGo() {
        if (registration != null) {
            registration.end();
            registration = null;
        }
    }

    private void receive() throws IOException {
        if (socket.read(incoming) < 0) {
            throw new IOException("the companion hung up");
        }
        if (incoming.hasRemaining()) {
            return;
        }
        incoming.flip();
        if (step == Step.GREETING) {
            onGreeting();
        } else {
            onAnswer();
        }
    }

    private void onGreeting() throws IOException {
        Greeting.check(incoming, target.getPort());
        // Not before: until the server has accepted, the kernel cannot say whose the other end is.
        String distrust = connector.rules().distrust(Handshakes.localAddress(socket), Handshakes.remoteAddress(socket));
        if (distrust != null) {
            goPlain(distrust, true);
            return;
        }
        step = Step.HELLO;
        incoming.clear();
        ByteBuffer hello = ByteBuffer.allocate(Hello.LENGTH);
        connector.handshakes().own().encode(hello);
        socket.write(hello.flip());
    }

    private void onAnswer() throws IOException {
        Hello peer = Hello.decode(incoming);
        String misfit = connector.handshakes().misfit(peer, local);
        if (misfit != null || incoming.get() != ServerHandshake.ACCEPTED) {
            goPlain(misfit == null ? "peer refused the handshake" : misfit, true);
            return;
        }
        socket.write(ByteBuffer.wrap(new byte[] {ServerHandshake.CONFIRMED}));
        step = Step.DONE;
        String name = target.toString();
        ControlConnection control = new ControlConnection(connector.loop(), socket, name);
        Connection connection = connector.transport().newConnection(Handshakes.peer(peer, local), name, control);
        control.start(connection, registration);
        if (local) {
            connector.acquaintances().remember(target, Ticket.decode(incoming), peer);
        }
        InetSocketAddress here = Handshakes.localAddress(socket);
        InetSocketAddress there =
                new InetSocketAddress(Handshakes.remoteAddress(socket).getAddress(), target.getPort());
        listener.onAccelerated(new Accepted(socket, connection, here, there));
    }

    @Override
    public void onFailure(IOException cause) {
        if (step == Step.PLAIN) {
            end(cause);
        } else if (step != Step.DONE) {
            goPlain(step == Step.COMPANION ? "peer not accelerated" : String.valueOf(cause.getMessage()), true);
        }
    }

    private void goPlain(String reason, boolean rememberIt) {
        step = Step.PLAIN;
        plainReason = reason;
        remember = rememberIt;
        try {
            letGo();
            resetAndClose(socket);
            socket = sockets.open();
            socket.configureBlocking(false);
            if (socket.connect(target)) {
                finishPlain();
            } else {
                watch(SelectionKey.OP_CONNECT);
            }
        } catch (IOException e) {
            end(e);
        } catch (RuntimeException | Error e) {
            end(new IOException(e));
        }
    }

    /** Without the wait of an orderly end, which would keep a local port that the application chose. */
    private static void resetAndClose(SocketChannel socket) {
        try {
            socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            // closed already; there is nothing to reset
        }
        ControlLoop.close(socket);
    }

    private void finishPlain() throws IOException {
        letGo();
        step = Step.DONE;
        if (remember) {
            connector.rules().rememberPlain(target, plainReason);
        }
        listener.onPlain(socket, plainReason);
    }

    private void end(IOException cause) {
        step = Step.DONE;
        if (socket != null) {
            letGo();
            ControlLoop.close(socket);
        }
        listener.onFailed(cause);
    }
}
