package org.ucxnio.session;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The two addresses of a connection, as one of its ends sees them. Immutable. A record's methods are made at their first use: no record. */
final class AddressPair {
    private final InetSocketAddress local;
    private final InetSocketAddress remote;

    AddressPair(InetSocketAddress local, InetSocketAddress remote) {
        this.local = local;
        this.remote = remote;
    }

    /** That of a connection; null where it has no addresses (any more). */
    static AddressPair of(Movable connection) {
        InetSocketAddress local = connection.local();
        InetSocketAddress remote = connection.remote();
        boolean known = local != null && remote != null && local.getAddress() != null && remote.getAddress() != null;
        return known ? new AddressPair(local, remote) : null;
    }

    InetSocketAddress local() {
        return local;
    }

    InetSocketAddress remote() {
        return remote;
    }

    /** Whether both connect the same two addresses, at whatever ports. */
    boolean hasSameHosts(AddressPair other) {
        return local.getAddress().equals(other.local.getAddress())
                && remote.getAddress().equals(other.remote.getAddress());
    }

    /** As the other end sees it. */
    AddressPair mirrored() {
        return new AddressPair(remote, local);
    }

    /** Whether the addresses name an end without its interface, which {@link InetAddress#equals} does not compare. */
    boolean needsInterface() {
        return local.getAddress().isLinkLocalAddress() || remote.getAddress().isLinkLocalAddress();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddressPair pair && local.equals(pair.local) && remote.equals(pair.remote);
    }

    @Override
    public int hashCode() {
        return 31 * local.hashCode() + remote.hashCode();
    }

    @Override
    public String toString() {
        return local + " - " + remote;
    }
}
