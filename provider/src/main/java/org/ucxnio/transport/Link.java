package org.ucxnio.transport;

import java.util.Arrays;
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

    /** Something was sent. */
    boolean begun;

    /** The first send has not left: UCX's own request to the peer is not known to be answered. */
    boolean asking;

    /** It is known to lead to the worker it was opened to, see {@link Connection#reach}. */
    boolean confirmed;

    private UcxEndpoint endpoint;

    Link(byte[] remoteAddress) {
        this.remoteAddress = remoteAddress;
    }

    void open(UcxEndpoint opened) {
        endpoint = opened;
    }

    UcxEndpoint endpoint() {
        return endpoint;
    }

    void close() {
        failed = true;
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
