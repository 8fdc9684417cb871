package org.ucxnio.it.harness;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Addresses, written as numbers. */
public final class Addresses {
    private Addresses() {}

    public static InetAddress literal(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(e);
        }
    }
}
