package org.ucxnio.connect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
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
    private final ByteBuffer incoming = ByteBuffer.allocate(Hello.LENGTH + Ticket.LENGTH);
    private Hello peer;
    private Registration registration;
    private boolean done;

    private ServerHandshake(Connector connector, Companion companion, SocketChannel socket) throws IOException {
        this.connector = connector;
        this.companion = companion;
        this.socket = socket;
        this.remote = Handshakes.remoteAddress(socket);
        this.local = connector.rules().isLocal(remote.getAddress());
    }

    /** Begins with a client that has just connected to the companion port. */
    static void begin(Connector connector, Companion companion, SocketChannel socket) throws IOException {
        ServerHandshake handshake = new ServerHandshake(connector, companion, socket);
        try {
            handshake.start();
        } catch (RuntimeException | Error e) {
            handshake.onFailure(new IOException(e));
        }
    }

    /** Who brings a ticket is let in, whoever else is trusted is greeted first, whatever it has said already. */
    private void start() throws IOException {
        socket.configureBlocking(false);
        incoming.limit(Hello.LENGTH);
        receive();
        if (!done && !bringsTicket()) {
            greetOrRefuse();
        }
        if (!done && !incoming.hasRemaining()) {
            try {
                onReceived();
            } catch (IOException e) {
                onFailure(e);
            }
        }
    }

    private boolean bringsTicket() {
        return !incoming.hasRemaining() && Hello.announcesTicket(incoming);
    }

    private void greetOrRefuse() throws IOException {
        String obstacle = greet();
        if (obstacle != null) {
            // The kernel does not know who has left at once, but all that it said is here then.
            receive();
            if (!done && !bringsTicket()) {
                refuse(obstacle);
            }
        }
    }

    /** Speaks first, to a client that is trusted; returns what keeps it from that, or null. */
    private String greet() throws IOException {
        String distrust = connector.rules().distrust(Handshakes.localAddress(socket), remote);
        if (distrust != null) {
            return distrust;
        }
        try {
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.write(Greeting.encode(companion.plainPort()));
        } catch (IOException e) {
            return "it is gone: " + e.getMessage();
        }
        registration = connector.loop().register(socket, SelectionKey.OP_READ, this);
        connector.loop().schedule(DEADLINE_NANOS, this::expire);
        companion.waits(this);
        return null;
    }

    private void expire() {
        if (!done) {
            refuse("it did not finish its handshake");
        }
    }

    @Override
    public void onReady(Registration ready) throws IOException {
        if (receive()) {
            onReceived();
        }
    }

    /** Reads what is waited for; returns whether all of it is there. */
    private boolean receive() throws IOException {
        if (socket.read(incoming) < 0) {
            finish();
            close();
            return false;
        }
        if (peer == null && incoming.position() == Hello.LENGTH && Hello.announcesTicket(incoming)) {
            incoming.limit(Hello.LENGTH + Ticket.LENGTH);
            socket.read(incoming);
        }
        return !incoming.hasRemaining();
    }

    private void onReceived() throws IOException {
        incoming.flip();
        if (peer != null) {
            onConfirmation();
        } else if (Hello.announcesTicket(incoming)) {
            onTicket();
        } else {
            onHello();
        }
    }

    /**
     * The client has been here before and does not wait for an answer. It is too late for plain TCP: what may change between two
     * connections, such as the room for shared memory, the client has looked at before it connected.
     */
    private void onTicket() throws IOException {
        peer = Hello.decode(incoming);
        if (!local || !companion.ticket().isUsable() || !companion.ticket().equals(Ticket.decode(incoming))) {
            throw new IOException("it brought a ticket that is not ours");
        }
        String difference = connector.handshakes().difference(peer);
        if (difference != null) {
            throw new IOException(difference);
        }
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        companion.lookAtEarlier(this);
        deliver(true);
    }

    private void onHello() throws IOException {
        peer = Hello.decode(incoming);
        String misfit = connector.handshakes().misfit(peer, local);
        ByteBuffer answer = ByteBuffer.allocate(Hello.LENGTH + 1 + Ticket.LENGTH);
        connector.handshakes().own().encode(answer);
        answer.put(misfit == null ? ACCEPTED : REFUSED);
        (misfit == null && local ? companion.ticket() : Ticket.NONE).encode(answer);
        socket.write(answer.flip());
        if (misfit != null) {
            refuse(misfit);
            return;
        }
        incoming.clear().limit(1);
    }

    /** Whoever has said all goes on its way, and may connect once more: it is to be accepted in that order. */
    void look() {
        try {
            if (!done && receive()) {
                onReceived();
            }
        } catch (IOException e) {
            onFailure(e);
        }
    }

    private void onConfirmation() throws IOException {
        if (incoming.get() != CONFIRMED) {
            throw new IOException("no confirmation");
        }
        deliver(false);
    }

    private void deliver(boolean moreHasArrived) throws IOException {
        finish();
        String name = remote.toString();
        ControlConnection control = new ControlConnection(connector.loop(), socket, name);
        Connection connection = connector.transport().newConnection(Handshakes.peer(peer, local), name, control);
        control.start(connection, registration);
        if (moreHasArrived) {
            // Such as where the client receives: who accepts the connection can then write to it right away.
            control.receiveNow();
        }
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
        close();
    }

    private void close() {
        if (registration == null) {
            ControlLoop.close(socket);
        } else {
            registration.close();
        }
    }

    private void finish() {
        if (!done) {
            done = true;
            companion.handshakeEnded(this);
        }
    }

    @Override
    public void onFailure(IOException cause) {
        refuse(String.valueOf(cause.getMessage()));
    }
}
