package org.ucxnio.session;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.ucxnio.ring.Block;
import org.ucxnio.ring.RingMemory;

/** A TCP connection that can move to rings. Called by the session thread; none of its methods waits. */
public interface Movable {
    InetSocketAddress local();

    InetSocketAddress remote();

    /** Whether it is open, nothing of it is shut down, and the kernel has the connection as established at this moment. */
    boolean isEstablished();

    /**
     * The ring that the peer may switch to from now on.
     *
     * @return false where the channel is closed; then nobody has looked at the block, nor will
     */
    boolean hear(RingMemory memory, ByteBuffer peerBlock);

    /** The peer will not use what {@link #hear} was told, and nobody looks at it any more. */
    void unhear();

    /**
     * The ring to write to: switches at once where no write is under way, otherwise the next write does.
     *
     * @return false where the channel is closed; the block is the caller's to retire then
     */
    boolean speak(RingMemory memory, Block block);

    /** The session of its rings is over, {@link RingMemory#isAlive} says so already: wakes whoever sleeps on them. */
    void sessionEnded();

    /** It stays plain for the reason that people are told. */
    void staysPlain(String reason);
}
