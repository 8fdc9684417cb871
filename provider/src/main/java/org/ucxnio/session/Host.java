package org.ucxnio.session;

import java.io.Closeable;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** What channels ask of the sessions with other processes. Thread-safe; no method waits. */
public interface Host {

    /** Whether processes at an address of another host may be asked for sessions. */
    boolean reaches(InetAddress address);

    /** Gives up a port that the application wants for itself, where a companion of ours holds it; false where none does. May wait a little. */
    boolean yieldPort(int port);

    /**
     * A connection that this process opened is worth a link: pairs it in the background. Once for each connection.
     *
     * @param pace where it is the first one for the peer's process: how fast it moves, and those behind it
     */
    void request(Movable connection, Pace pace);

    /** A connection that this process accepted: its client may ask for it from now on. */
    void accepted(Movable connection);

    /** The connection is closed, or will not move any more; {@code connection} was given to one of the above, or not. */
    void closed(Movable connection);

    /**
     * Lets clients find this process by the address it listens on.
     *
     * @return to be closed with the listener; never null, also where the name cannot be had
     */
    Closeable listening(InetSocketAddress bound);
}
