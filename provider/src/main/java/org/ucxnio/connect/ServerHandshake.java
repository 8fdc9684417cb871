package org.ucxnio.connect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.ucxnio.counters.Log;
import org.ucxnio.transport.Connection;

/** The server's side of one handshake. Owned by the control loop. */
final class ServerHandshake implements ControlLoop.Handler {
    static final byte ACCEPTED = 0;
    static final byte REFUSED = 1;

    /** Sent by the client when it agrees. */
    static final byte CONFIRMED = 0x55;

    private static final long DEADLINE_NANOS = 5_000_000_000L;

    private final Connector connector;
    private final Companion companion;
    private final SocketChannel socket;
    private final InetSocketAddress remote;
    private final boolean local;
    private final ByteBuffer incoming = ByteBuffer.allocate(Hello.LENGTH + 1);
    private Hello peer;
    private boolean done;

    private ServerHandshake(Connector connector, Companion companion, SocketChannel socket) throws IOException {
        this.connector = connector;
        this.companion = companion;
        this.socket = socket;
        this.remote = Handshakes.remoteAddress(socket);
        this.local = connector.rules().isLocal(remote.getAddress());
    }

    /** Greets a client that has just connected to the companion port, if it is trusted. */
    static void begin(Connector connector, Companion companion, SocketChannel socket) throws IOException {
        ServerHandshake handshake = new ServerHandshake(connector, companion, socket);
        handshake.greet();
    }

    private void greet() throws IOException {
        String distrust = connector.rules().distrust(Handshakes.localAddress(socket), remote);
        if (distrust != null) {
            refuse(distrust);
            return;
        }
        socket.configureBlocking(false);
        socket.setOption(java.net.StandardSocketOptions.TCP_NODELAY, true);
        socket.write(Greeting.encode(companion.plainPort()));
        incoming.limit(Hello.LENGTH);
        connector.loop().register(socket, SelectionKey.OP_READ, this);
        connector.loop().schedule(DEADLINE_NANOS, this::expire);
    }

    private void expire() {
        if (!done) {
            refuse("it did not finish its handshake");
        }
    }

    @Override
    public void onReady(SelectionKey key) throws IOException {
        int count = socket.read(incoming);
        if (count < 0) {
            finish();
            ControlLoop.close(socket);
            return;
        }
        if (incoming.hasRemaining()) {
            return;
        }
        incoming.flip();
        if (peer == null) {
            onHello();
        } else {
            onConfirmation();
        }
    }

    private void onHello() throws IOException {
        peer = Hello.decode(incoming);
        String misfit = connector.handshakes().misfit(peer, local);
        ByteBuffer answer = ByteBuffer.allocate(Hello.LENGTH + 1);
        connector.handshakes().own().encode(answer);
        answer.put(misfit == null ? ACCEPTED : REFUSED).flip();
        socket.write(answer);
        if (misfit != null) {
            refuse(misfit);
            return;
        }
        incoming.clear().limit(1);
    }

    private void onConfirmation() throws IOException {
        if (incoming.get() != CONFIRMED) {
            throw new IOException("no confirmation");
        }
        finish();
        String name = remote.toString();
        ControlConnection control = new ControlConnection(connector.loop(), socket, name);
        Connection connection = connector.transport().newConnection(Handshakes.peer(peer, local), name, control);
        control.start(connection);
        InetSocketAddress here =
                new InetSocketAddress(Handshakes.localAddress(socket).getAddress(), companion.plainPort());
        if (!companion.queue().offer(new Accepted(socket, connection, here, remote))) {
            control.abort();
            connection.close();
        }
    }

    private void refuse(String reason) {
        finish();
        connector.refused(reason);
        Log.warnOnce(
                "refused " + remote.getAddress() + reason,
                "Refused a handshake of " + remote + " on companion port " + companion.port() + ": " + reason);
        ControlLoop.close(socket);
        connector.loop().wakeUp();
    }

    private void finish() {
        if (!done) {
            done = true;
            companion.handshakeEnded();
        }
    }

    @Override
    public void onFailure(IOException cause) {
        refuse(String.valueOf(cause.getMessage()));
    }
}
