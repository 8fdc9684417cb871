package org.ucxnio.session;

import java.net.InetSocketAddress;
import org.ucxnio.link.Home;
import org.ucxnio.link.Lane;

/** A TCP connection that can move to a link. Called by the session thread; none of its methods waits. */
public interface Movable {
    InetSocketAddress local();

    InetSocketAddress remote();

    /** Whether it is open, nothing of it is shut down, and the kernel has the connection as established at this moment. */
    boolean isEstablished();

    /** Where a link of its own should live; null where it does not matter. */
    Home home();

    /**
     * The peer may switch to this lane from now on.
     *
     * @return false where the channel is closed; then nobody has looked at what the peer offers, nor will
     */
    boolean hear(Lane lane);

    /** The peer will not use what {@link #hear} was told, and nobody looks at it any more. */
    void unhear();

    /**
     * This end may: it switches at once where no write is under way, otherwise the next write does.
     *
     * @return false where the channel is closed; the lane is the caller's to retire then
     */
    boolean speak(Lane lane);

    /** The session of its lane is over, and the lane knows: wakes whoever sleeps there. */
    void sessionEnded();

    /** It stays plain for the reason that people are told. */
    void staysPlain(String reason);
}
