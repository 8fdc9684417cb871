package org.ucxnio.session;

import java.net.InetSocketAddress;
import org.ucxnio.link.Home;
import org.ucxnio.link.Lane;

/** A TCP connection that can move to a link. Called by the session thread; none of its methods waits. */
public abstract class Movable {
    // -- the accepted table's, guarded by its monitor --

    /** Whether it is among the last that were accepted, with those accepted before and behind it. */
    boolean isListed;

    Movable older;
    Movable newer;

    /** By what it is found; null where it is not. */
    AddressPair found;

    // -- end --

    /** The one that is under way, or was done; null for none. {@link Members} changes it. */
    volatile Pairing pairing;

    public abstract InetSocketAddress local();

    public abstract InetSocketAddress remote();

    /** Whether it is open, nothing of it is shut down, and the kernel has the connection as established at this moment. */
    public abstract boolean isEstablished();

    /** Where a link of its own should live; null where it does not matter. */
    public abstract Home home();

    /** Of one that asks: whether threads will sleep for its bytes on words of memory, as platform threads do, rather than selectors or virtual ones. */
    public abstract boolean hasSleepers();

    /**
     * The peer may switch to this lane from now on.
     *
     * @return false where the channel is closed; then nobody has looked at what the peer offers, nor will
     */
    public abstract boolean hear(Lane lane);

    /** The peer will not use what {@link #hear} was told, and nobody looks at it any more. */
    public abstract void unhear();

    /**
     * This end may: it switches at once where no write is under way, otherwise the next write does.
     *
     * @return false where the channel is closed; the lane is the caller's to retire then
     */
    public abstract boolean speak(Lane lane);

    /** The session of its lane is over, and the lane knows: wakes whoever sleeps there. */
    public abstract void sessionEnded();

    /** This process ends in order: the peer is to take what the connection has sent by then for all of it, as the kernel has it. */
    public abstract void exits();

    /** It stays plain for the reason that people are told. */
    public abstract void staysPlain(String reason);
}
