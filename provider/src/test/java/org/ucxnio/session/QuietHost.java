package org.ucxnio.session;

import java.net.InetAddress;

/** One that reaches no other host. */
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
    public void closed(Movable connection) {
        // Nobody is told.
    }
}
