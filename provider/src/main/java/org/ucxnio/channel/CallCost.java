package org.ucxnio.channel;

/**
 * Processor time that a process uses for one of its calls, in all that it does: an average in which what is older counts less. Owned by one thread at a
 * time.
 */
final class CallCost {
    /** This part of the average stays with each addition: with five of these in a second half of it is a second old at most. */
    private static final double STAYS = 7.0 / 8;

    private double nanos;
    private double calls;

    /** Adds what both have grown by. */
    void add(long moreNanos, long moreCalls) {
        nanos = nanos * STAYS + moreNanos;
        calls = calls * STAYS + moreCalls;
    }

    boolean isAbove(long nanosOfCall) {
        return nanos > calls * nanosOfCall;
    }
}
