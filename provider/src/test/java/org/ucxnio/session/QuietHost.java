package org.ucxnio.session;

import java.io.Closeable;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** One that reaches no other host, and takes no notice of what it is told. */
public abstract class QuietHost implements Host {
    @Override
    public boolean reaches(InetAddress address) {
        return false;
    }

    @Override
    public boolean yieldPort(int port) {
        return false;
    }

    @Override
    public void accepted(Movable connection) {
        // Nobody is told.
    }

    @Override
    public void closed(Movable connection) {
        // Nobody is told.
    }

    @Override
    public Closeable listening(InetSocketAddress bound) {
        return () -> {};
    }
}
