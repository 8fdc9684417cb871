package org.ucxnio.connect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.ucxnio.config.Config;
import org.ucxnio.transport.Peer;
import org.ucxnio.transport.Transport;

/** What both sides of a handshake have in common: this process's hello, and the judgement on the peer's. Thread-safe. */
final class Handshakes {
    /** Fixed by {@link Transport}, unless the user's environment sets one of these. */
    private static final String[] SHM_VARIABLES = {
        "UCX_MM_FIFO_SIZE",
        "UCX_MM_FIFO_ELEM_SIZE",
        "UCX_MM_SEG_SIZE",
        "UCX_POSIX_FIFO_SIZE",
        "UCX_POSIX_FIFO_ELEM_SIZE",
        "UCX_POSIX_SEG_SIZE",
        "UCX_SYSV_FIFO_SIZE",
        "UCX_SYSV_FIFO_ELEM_SIZE",
        "UCX_SYSV_SEG_SIZE",
        "UCX_TLS"
    };

    /** Enough for the workers that a connection may need: UCX allocates 2.4 MB for each. */
    private static final long LEAST_ROOM_BYTES = 8 << 20;

    private final Transport transport;
    private final Hello own;
    private final Hello ownWithTicket;
    private final UUID secret = UUID.randomUUID();
    private final boolean usesShmFolder;

    Handshakes(Transport transport) throws IOException {
        this.transport = transport;
        Config config = transport.config();
        usesShmFolder = config.hostTransports().contains("posix");
        int flags = Hello.FLAG_HOST_LINKS | (transport.networkUnavailable() == null ? Hello.FLAG_NETWORK_LINKS : 0);
        this.own = new Hello(
                flags,
                transport.processId(),
                HostIdentity.ofThisProcess(),
                shmParameters(config),
                versionNumber(transport.library().version()),
                config.windowBytes(),
                config.windowMessages(),
                (int) ProcessHandle.current().pid());
        this.ownWithTicket = own.withTicket();
    }

    private static long shmParameters(Config config) {
        StringBuilder text =
                new StringBuilder(config.hostTransports()).append(' ').append(Transport.SEGMENT_BYTES);
        for (String name : SHM_VARIABLES) {
            String value = System.getenv(name);
            text.append(' ').append(value == null ? "" : value);
        }
        return ByteBuffer.wrap(HostIdentity.hash(text.toString())).getLong();
    }

    static int versionNumber(String version) {
        int number = 0;
        String[] parts = version.split("[^0-9]+");
        for (int i = 0; i < 3; i++) {
            int part = i < parts.length && !parts[i].isEmpty() ? Integer.parseInt(parts[i]) : 0;
            number = number << 8 | Math.min(part, 255);
        }
        return number;
    }

    Hello own() {
        return own;
    }

    /** As {@link #own}, where a ticket follows. */
    Hello ownWithTicket() {
        return ownWithTicket;
    }

    /** The ticket for clients of a companion, whose listening socket has the number {@code listener}. */
    Ticket ticket(long listener) {
        return listener == 0 ? Ticket.NONE : new Ticket(listener, secret);
    }

    /** Why the two processes cannot share a link, or null when they can. */
    String misfit(Hello other, boolean local) {
        if (!local) {
            return own.has(Hello.FLAG_NETWORK_LINKS) && other.has(Hello.FLAG_NETWORK_LINKS)
                    ? networkMisfit(other)
                    : "no UCX transport to other hosts";
        }
        String difference = difference(other);
        if (difference != null) {
            return difference;
        }
        if (!HostIdentity.reaches(other.pid())) {
            return "peer of this user whose memory the kernel does not show";
        }
        return hasRoom() ? null : "too little room in " + Transport.SHM_FOLDER;
    }

    /** What keeps a process of this host from sharing memory with this one, now and ever, or null. */
    String difference(Hello other) {
        if (!own.sameHostAs(other)) {
            return "peer in other namespaces of this host";
        }
        if (own.shmParameters() != other.shmParameters()) {
            return "peer with other shared-memory parameters";
        }
        return null;
    }

    /** Whether there is memory for a further worker: it is made at the first use, when it is too late for plain TCP. */
    boolean hasRoom() {
        return !usesShmFolder || Transport.SHM_FOLDER.toFile().getUsableSpace() >= LEAST_ROOM_BYTES;
    }

    /** A libucx before 1.14 can be aborted by a peer over the network that dies at the wrong moment, or is much newer. */
    private String networkMisfit(Hello other) {
        if (transport.isUnreachable(other.processId())) {
            return "UCX finds no way to it";
        }
        int oldest = versionNumber("1.14.0");
        return own.ucxVersion() < oldest || other.ucxVersion() < oldest ? "libucx before 1.14 on the network" : null;
    }

    static Peer peer(Hello hello, boolean local) {
        return new Peer(hello.processId(), local, hello.windowBytes(), hello.windowMessages());
    }

    static InetSocketAddress remoteAddress(java.nio.channels.SocketChannel socket) throws IOException {
        return (InetSocketAddress) socket.getRemoteAddress();
    }

    static InetSocketAddress localAddress(java.nio.channels.SocketChannel socket) throws IOException {
        return (InetSocketAddress) socket.getLocalAddress();
    }
}
