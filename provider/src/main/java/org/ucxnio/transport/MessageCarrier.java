package org.ucxnio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntConsumer;
import org.ucxnio.config.Config;
import org.ucxnio.link.Carrier;
import org.ucxnio.ucx.UcxVersion;

/**
 * Carries connections in messages over UCX, and judges which peers that can be done with. Whoever gets here is trusted: that a worker
 * address is used at all is the session's to decide. Thread-safe.
 */
public final class MessageCarrier implements Carrier {
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
    private final Introduction own;
    private final boolean usesShmFolder;

    public MessageCarrier(Transport transport) throws IOException {
        this.transport = transport;
        Config config = transport.config();
        usesShmFolder = transport.hostTransports().contains("posix");
        this.own = new Introduction(
                transport.networkUnavailable() == null ? Introduction.FLAG_NETWORK_LINKS : 0,
                transport.processId(),
                HostIdentity.ofThisProcess(),
                shmParameters(transport.hostTransports()),
                UcxVersion.number(transport.library().version()),
                config.windowBytes(),
                config.windowMessages(),
                (int) ProcessHandle.current().pid());
    }

    private static long shmParameters(String transports) {
        StringBuilder text = new StringBuilder(transports).append(' ').append(Transport.SEGMENT_BYTES);
        for (String name : SHM_VARIABLES) {
            String value = System.getenv(name);
            text.append(' ').append(value == null ? "" : value);
        }
        return ByteBuffer.wrap(HostIdentity.hash(text.toString())).getLong();
    }

    @Override
    public int kind() {
        return KIND_UCX;
    }

    @Override
    public void introduce(ByteBuffer hello) {
        own.encode(hello);
    }

    @Override
    public Bond join(ByteBuffer hello, boolean onThisHost, IntConsumer notes) throws IOException {
        Introduction other = Introduction.decode(hello);
        String misfit = onThisHost ? hostMisfit(other) : networkMisfit(other);
        if (misfit != null) {
            throw new IOException(misfit);
        }
        return new MessageBond(
                transport,
                new Peer(
                        other.processId(),
                        onThisHost,
                        other.windowBytes(),
                        other.windowMessages(),
                        onThisHost ? HostIdentity.running(other.pid()) : () -> true),
                onThisHost ? this::hasRoom : () -> true);
    }

    private String hostMisfit(Introduction other) {
        if (!own.sameHostAs(other)) {
            return "peer in other namespaces of this host";
        }
        if (own.shmParameters() != other.shmParameters()) {
            return "peer with other shared-memory parameters";
        }
        return HostIdentity.reaches(other.pid()) ? null : "peer of this user whose memory the kernel does not show";
    }

    /** Whether there is memory for a further worker: it is made at the first use, when it is too late for plain TCP. */
    private boolean hasRoom() {
        return !usesShmFolder || Transport.SHM_FOLDER.toFile().getUsableSpace() >= LEAST_ROOM_BYTES;
    }

    /** A libucx before 1.14 can be aborted by a peer over the network that dies at the wrong moment, or is much newer. */
    private String networkMisfit(Introduction other) {
        if (!own.has(Introduction.FLAG_NETWORK_LINKS) || !other.has(Introduction.FLAG_NETWORK_LINKS)) {
            return "no UCX transport to other hosts";
        }
        int oldest = UcxVersion.number("1.14.0");
        return own.ucxVersion() < oldest || other.ucxVersion() < oldest ? "libucx before 1.14 on the network" : null;
    }
}
