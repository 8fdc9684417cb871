package org.ucxnio.transport;

import java.util.Arrays;
import org.ucxnio.ring.RingWriter;
import org.ucxnio.ucx.MappedMemory;
import org.ucxnio.ucx.UcxEndpoint;

/**
 * An endpoint shared by all connections between one of our workers and one of a peer's. Guarded by the lock of the worker.
 */
final class Link {
    final byte[] remoteAddress;

    /** Connections that send over this link. */
    int references;

    /** Messages sent, so that a link that has been idle can be told. */
    long sent;

    boolean failed;

    /** It is known to lead to the worker it was opened to, see {@link WayToPeer}. */
    boolean confirmed;

    /** Where everything that belongs to a connection goes instead of the endpoint, once the peer has offered it. */
    RingWriter ring;

    /** A larger ring was asked for. */
    boolean growthWanted;

    private final SleeperLooks looks;
    private int ringId;
    private MappedMemory mapped;
    private UcxEndpoint endpoint;

    Link(byte[] remoteAddress, SleeperLooks looks) {
        this.remoteAddress = remoteAddress;
        this.looks = looks;
    }

    void open(UcxEndpoint opened) {
        endpoint = opened;
    }

    UcxEndpoint endpoint() {
        return endpoint;
    }

    /** Writes to this ring from now on. */
    void use(RingWriter writer, MappedMemory memory, int id) {
        leaveRing();
        ring = writer;
        mapped = memory;
        ringId = id;
        growthWanted = false;
    }

    /** The owner's number for {@link #ring}. */
    int ringId() {
        return ringId;
    }

    /** Before the endpoint or its worker ends. */
    void leaveRing() {
        if (mapped != null) {
            looks.unmap(mapped);
            mapped = null;
            ring = null;
        }
    }

    void close() {
        failed = true;
        leaveRing();
        endpoint.close();
    }

    /** A worker address as a map key. */
    record Key(byte[] address) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && Arrays.equals(address, key.address);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(address);
        }
    }
}
