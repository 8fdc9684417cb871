package org.ucxnio.link;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Both directions of one connection, off TCP, at one of its ends. Each end opens its own and tells the other where it is. Owned by the
 * session's thread.
 */
public interface Lane {
    Medium medium();

    /** What selectors have to progress for it; null for nothing. */
    Driver driver();

    /** Puts what the peer has to know into a message. */
    void describe(ByteBuffer message);

    /**
     * Reads what the peer's end has put, and prepares to use it.
     *
     * @throws IOException where it cannot be used; nobody has looked at it
     */
    void join(ByteBuffer message) throws IOException;

    /** The reading end: behind {@link #join}, once. Null where the link has failed meanwhile. */
    Source source(Carried connection);

    /** The writing end: behind {@link #join}, once. */
    Sink sink(Carried connection);

    /** Gives all back; the peer does not look at it, nor will. */
    void free();

    /** Gives the writing end back, which the peer may look at and nobody has written to. */
    void retire();
}
