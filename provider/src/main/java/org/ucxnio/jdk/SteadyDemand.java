package org.ucxnio.jdk;

import java.util.concurrent.TimeUnit;

/**
 * Whether something is asked for so often that it is worth a price, and not only for a moment: where connections move each has its questions,
 * and the processors have other things to do. Thread-safe.
 */
final class SteadyDemand {
    /** From the first question on nothing counts: all connections to a peer have moved by then. */
    static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final int enough;

    // -- guarded by this --
    private boolean begun;
    private long since;
    private int asked;
    // -- end --

    /** @param enough questions behind the first time that are worth the price */
    SteadyDemand(int enough) {
        this.enough = enough;
    }

    /** A question, at a time in nanoseconds; true for one of them, with which it is worth it. */
    synchronized boolean isWorthIt(long now) {
        if (!begun) {
            begun = true;
            since = now;
        }
        return now - since >= FIRST_NANOS && ++asked == enough;
    }
}
