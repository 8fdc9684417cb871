package org.ucxnio.loop;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Leaves the carriers of virtual threads to others in turn. A virtual thread that gives way stays with its carrier, which takes none from
 * elsewhere while it has any: those that a timer, the kernel or a platform thread has made ready would wait for as long as two that spin talk to
 * each other. One that spins alone does not keep others waiting. So where several have spun for a turn, without one moment when but one did, those
 * that are about to spin sleep instead, until there is such a moment. One for a process; thread-safe.
 */
final class CarrierTurns {
    /** Less than the kernel has threads wait for each other. Longer ones make others wait as much longer, shorter ones have threads sleep for nothing. */
    static final long TURN_NANOS = 3_000_000;

    private final AtomicInteger spinning = new AtomicInteger();

    /** When a thread last found no more than one that spun. A lost write makes a turn shorter. */
    private volatile long alone = System.nanoTime();

    /** Whether the calling thread may spin; each true is followed by one {@link #leave}. */
    boolean enter(long now) {
        if (spinning.get() <= 1) {
            alone = now;
        } else if (now - alone > TURN_NANOS) {
            return false;
        }
        spinning.incrementAndGet();
        return true;
    }

    void leave() {
        spinning.decrementAndGet();
    }
}
