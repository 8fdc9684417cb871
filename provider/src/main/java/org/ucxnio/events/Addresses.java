package org.ucxnio.events;

import java.net.InetSocketAddress;

/** Addresses as events have them: those of a connection that is closed meanwhile may be unknown. */
final class Addresses {
    private Addresses() {}

    static String literal(InetSocketAddress address) {
        return address == null ? null : address.getAddress().getHostAddress();
    }

    static int port(InetSocketAddress address) {
        return address == null ? 0 : address.getPort();
    }
}
