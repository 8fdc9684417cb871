package org.ucxnio.channel;

import java.nio.ByteBuffer;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.LateErrors;
import org.ucxnio.link.Tokens;

/**
 * Whether the memory of a connection's rings has gone. A peer of the same user that is hostile, or has gone wrong, may cut the file of a
 * ring short. The JVM throws an {@link InternalError} where memory is touched that has gone, or a little later. It is taken by whoever
 * touches rings, so that it breaks this connection and not the thread that serves it. Thread-safe.
 */
final class TornMemory {
    private final Tokens tokens;
    private final Listeners listeners;

    /** Nobody touches a ring any more, and the connection is reset. Only rises. */
    private volatile boolean torn;

    TornMemory(Tokens tokens, Listeners listeners) {
        this.tokens = tokens;
        this.listeners = listeners;
    }

    boolean isTorn() {
        return torn;
    }

    /** The memory of a ring has gone. */
    void tear(InternalError cause) {
        torn = true;
        takeNext();
        Log.debug("A connection is reset, as its peer has taken the memory of its ring away", cause);
        tokens.end();
        listeners.onReady();
    }

    /** The same in a call that has moved a buffer on, and is to be made once more. */
    void tear(InternalError cause, ByteBuffer buffer, int position) {
        buffer.position(position);
        tear(cause);
    }

    /** Locks are let go of on the way to whoever takes the first error, which touches rings as well. */
    private static void takeNext() {
        try {
            LateErrors.surface();
        } catch (InternalError e) {
            Log.debug("Another one, behind the first", e);
        }
    }

    /** Does something with rings, unless their memory has gone. */
    void touch(Runnable what) {
        if (!torn) {
            try {
                what.run();
                LateErrors.surface();
            } catch (InternalError e) {
                tear(e);
            }
        }
    }
}
