package org.ucxnio.session;

import java.net.InetSocketAddress;

/** What channels ask of the sessions with other processes of this host. Thread-safe; no method waits. */
public interface Host {

    /** A connection that this process opened is worth a ring: pairs it in the background. Once for each connection. */
    void request(Movable connection);

    /** A connection that this process accepted: its client may ask for it from now on. */
    void accepted(Movable connection);

    /** The connection is closed, or will not move any more; {@code connection} was given to one of the above, or not. */
    void closed(Movable connection);

    /**
     * Lets clients of this host find this process by the address it listens on.
     *
     * @return to be closed with the listener; never null, also where the name cannot be had
     */
    AutoCloseable listening(InetSocketAddress bound);
}
