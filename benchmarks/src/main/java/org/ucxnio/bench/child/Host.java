package org.ucxnio.bench.child;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** The host that the server of a measured pair runs on. */
public final class Host {
    /** System property of measured JVMs: the server's address, where that is another host. */
    public static final String ADDRESS = "bench.host";

    private Host() {}

    /** Where the server listens and its client finds it: on this host unless {@link #ADDRESS} says otherwise. */
    public static InetAddress address() {
        String address = System.getProperty(ADDRESS, "");
        try {
            return address.isEmpty() ? InetAddress.getLoopbackAddress() : InetAddress.getByName(address);
        } catch (UnknownHostException e) {
            throw new UncheckedIOException("no host " + address, e);
        }
    }
}
