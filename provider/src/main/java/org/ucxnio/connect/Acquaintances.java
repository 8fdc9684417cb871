package org.ucxnio.connect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ucxnio.posix.Posix;
import org.ucxnio.transport.Connection;

/**
 * The servers of this host that a handshake was made with before. A further connection to one is complete as soon as the kernel has
 * connected the socket, as with TCP: hello and ticket go out at once and nothing is waited for, no other thread takes part.
 *
 * <p>Nobody else ever sees them: the kernel's number for a listening socket is never used again, so a listener that has the number on
 * the ticket after the socket was connected is the one that it was connected to, and belongs to the process that gave the ticket.
 * Thread-safe.
 */
final class Acquaintances {
    private static final int MAX_REMEMBERED = 4096;

    private record Acquaintance(Ticket ticket, Hello peer) {}

    private final Connector connector;
    private final Posix posix;
    private final Map<InetSocketAddress, Acquaintance> known = new ConcurrentHashMap<>();

    Acquaintances(Connector connector, Posix posix) {
        this.connector = connector;
        this.posix = posix;
    }

    /** Remembers a server of this host, unless it can only be reached through somebody else's listener. */
    void remember(InetSocketAddress target, Ticket ticket, Hello peer) {
        if (ticket.isUsable() && posix.listenerId(connector.companion(target)) == ticket.listener()) {
            if (known.size() >= MAX_REMEMBERED) {
                known.clear();
            }
            known.put(target, new Acquaintance(ticket, peer));
        }
    }

    /**
     * Connects a fresh socket to an acquaintance.
     *
     * @return null where that cannot be; the socket is untouched then, or on its way to the companion, or closed
     */
    Accepted connect(InetSocketAddress target, SocketChannel socket) {
        Acquaintance acquaintance = known.get(target);
        if (acquaintance == null) {
            return null;
        }
        if (!connector.handshakes().hasRoom()) {
            // The long way tells, and ends in plain TCP.
            known.remove(target, acquaintance);
            return null;
        }
        try {
            Accepted connected = connect(target, socket, acquaintance);
            if (connected == null) {
                known.remove(target, acquaintance);
            }
            return connected;
        } catch (IOException | RuntimeException e) {
            known.remove(target, acquaintance);
            ControlLoop.close(socket);
            return null;
        }
    }

    private Accepted connect(InetSocketAddress target, SocketChannel socket, Acquaintance acquaintance)
            throws IOException {
        InetSocketAddress companion = connector.companion(target);
        socket.configureBlocking(false);
        boolean connected = socket.connect(companion) || socket.finishConnect();
        if (!connected || posix.listenerId(companion) != acquaintance.ticket().listener()) {
            return null;
        }
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        ByteBuffer words = ByteBuffer.allocate(Hello.LENGTH + Ticket.LENGTH);
        connector.handshakes().ownWithTicket().encode(words);
        acquaintance.ticket().encode(words);
        socket.write(words.flip());
        ControlConnection control = new ControlConnection(connector.loop(), socket, target.toString());
        Connection connection = connector
                .transport()
                .newConnection(Handshakes.peer(acquaintance.peer(), true), target.toString(), control);
        control.start(connection, target.getPort());
        return new Accepted(socket, connection, Handshakes.localAddress(socket), target);
    }
}
