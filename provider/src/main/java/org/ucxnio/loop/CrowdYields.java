package org.ucxnio.loop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Whether the threads of a crowd yield before they sleep. Where they wait for each other, each runs for some microseconds, and what a thread waits for is
 * there when it is its turn again: nobody sleeps, and nobody has to be woken. That takes all of them. The kernel has who yields wait for a whole slice
 * of who does not (some milliseconds): one that runs for as long as it may, or many that sleep and are woken.
 *
 * <p>So all try at the same time, those of other processes as well, and for a moment: at a {@link #PERIOD_NANOS period} of the clock that processes
 * have in common. Where hardly any wait was in vain, or had a yield that came back late, they go on, until more of them are. One for a process;
 * thread-safe.
 */
final class CrowdYields {
    /** A yield that takes longer is late. The turns of 32 threads with 20 us of work for each message take half of it. */
    static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * About half a second, a power of two. A trial that works needs code that is compiled and a moment in which the JVM's compiler has none of the
     * processors for long: behind a move the fifth trial or the tenth works.
     */
    static final long PERIOD_NANOS = 1L << 29;

    /** How long all try: 17 ms, a power of two, and 3 % of the time. */
    static final long TRIAL_NANOS = 1L << 24;

    /** The first part of that, which does not count: threads that sleep do not yet yield. */
    static final long JOINING_NANOS = TRIAL_NANOS / 4;

    /** Behind so many trials in vain every second one is left out, behind as many more again of what is left. */
    static final int VAIN_TRIALS = 8;

    /** In the end one in so many is made, a power of two: one in 4 s. */
    static final int MAX_EVERY = 8;

    /** Waits that tell something. */
    static final int ENOUGH = 50;

    /** What may be bad of them, in percents, in a trial and for two seconds behind it: threads that sleep still are in the way of the others. */
    static final int BAD_AT_FIRST = 10;

    static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The same later. More would show in the p99 of what the threads do. */
    static final int BAD_LATER = 2;

    /** How often that is looked at. */
    static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(64);

    private final LongAdder bad = new LongAdder();
    private final LongAdder all = new LongAdder();

    // -- written with the monitor held --

    /** Threads yield outside of trials. */
    private volatile boolean on;

    /** One trial in so many is made; a power of two. */
    private volatile int every = 1;

    /** Trials in vain since that was changed. */
    private int vain;

    /** Waits are counted, up to {@link #countedUntil}. */
    private volatile boolean counts;

    private volatile long countedUntil;

    private long onSince;
    // -- end --

    /**
     * Whether a thread of a crowd is to yield.
     *
     * @param now the time by {@link System#nanoTime}
     */
    boolean mayYield(long now) {
        if (on) {
            return true;
        }
        if (inPeriod(now) >= TRIAL_NANOS || (now / PERIOD_NANOS & every - 1) != 0) {
            return false;
        }
        long end = now - inPeriod(now) + TRIAL_NANOS;
        if (!counts || countedUntil != end) {
            countUntil(end);
        }
        return true;
    }

    private static long inPeriod(long time) {
        return time & PERIOD_NANOS - 1;
    }

    private synchronized void countUntil(long end) {
        if (!on && (!counts || countedUntil != end)) {
            forget();
            countedUntil = end;
            counts = true;
        }
    }

    private void forget() {
        bad.reset();
        all.reset();
    }

    /**
     * To be told of each wait with yields.
     *
     * @param start when it began
     * @param now the time by {@link System#nanoTime}
     * @param good what it waited for is there, and no yield was late
     */
    void waited(long start, long now, boolean good) {
        if (on || inPeriod(start) >= JOINING_NANOS) {
            all.increment();
            if (!good) {
                bad.increment();
            }
        }
        if (counts && now - countedUntil >= 0) {
            judge(now);
        }
    }

    private synchronized void judge(long now) {
        if (!counts || now - countedUntil < 0) {
            return;
        }
        long waits = all.sum();
        int percent = on && now - onSince > FIRST_NANOS ? BAD_LATER : BAD_AT_FIRST;
        boolean isGood = bad.sum() * 100 <= waits * percent;
        if (isGood && waits >= ENOUGH) {
            onSince = on ? onSince : now;
            on = true;
            forget();
            countedUntil = now + LOOK_NANOS;
        } else if (on && waits < ENOUGH) {
            countedUntil = now + LOOK_NANOS;
        } else {
            end(now, isGood);
        }
    }

    private void end(long now, boolean nothingTold) {
        if (on && now - onSince > FIRST_NANOS) {
            every = 1;
            vain = 0;
        } else if (!nothingTold && ++vain == VAIN_TRIALS) {
            every = Math.min(MAX_EVERY, 2 * every);
            vain = 0;
        }
        on = false;
        counts = false;
    }
}
