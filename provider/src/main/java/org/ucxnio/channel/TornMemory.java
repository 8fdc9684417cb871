package org.ucxnio.channel;

import org.ucxnio.counters.Log;
import org.ucxnio.link.Tokens;

/**
 * Whether the memory of a connection's rings has gone. A peer of the same user that is hostile, or has gone wrong, may cut the file of a
 * ring short. The JVM throws an {@link InternalError} where memory is touched that has gone, or a little later. It is taken by whoever
 * touches rings, so that it breaks this connection and not the thread that serves it. Thread-safe.
 */
final class TornMemory {
    /** Never another value, which the compiler does not know: it keeps the loop, and in it the look whether the JVM wants something. */
    private static volatile int rounds = 2;

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
        Log.debug("A connection is reset, as its peer has taken the memory of its ring away", cause);
        tokens.end();
        listeners.onReady();
    }

    /** Does something with rings, unless their memory has gone. */
    void touch(Runnable what) {
        if (!torn) {
            try {
                what.run();
                surface();
            } catch (InternalError e) {
                tear(e);
            }
        }
    }

    /** Has the JVM throw here what it would throw a little later: it does so behind a call of its own. */
    void surface() {
        Thread.holdsLock(this);
    }

    /**
     * The same for calls that take no longer than a call of the JVM's: it throws also where compiled code looks whether the thread has to
     * stop, as it does each time that a loop begins again. Java 17 alone throws behind calls of other kinds only.
     */
    static void surfaceInLoop() {
        int round = 0;
        while (round < rounds) {
            round++;
        }
    }
}
