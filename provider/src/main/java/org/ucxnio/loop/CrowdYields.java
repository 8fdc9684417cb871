package org.ucxnio.loop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Whether the threads of a crowd yield before they sleep. Where they wait for each other, each runs for some microseconds, and what a thread waits for is
 * there when it is its turn again: nobody sleeps, and nobody has to be woken. That takes all of them. The kernel has who yields wait for a whole slice
 * of who does not (some milliseconds): one that runs for as long as it may, or many that sleep and are woken.
 *
 * <p>So all try at the same time, those of other processes as well, and for a moment: at a {@link #PERIOD_NANOS period} of the clock that processes
 * have in common. Where hardly any yield has come back late they go on, until more of them do. One for a process; thread-safe.
 */
final class CrowdYields {
    /** A yield that takes longer is late. The turns of 32 threads with 20 us of work for each message take half of it. */
    static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** About 2 s, a power of two. */
    static final long PERIOD_NANOS = 1L << 31;

    /** How long all try: 17 ms, a power of two. */
    static final long TRIAL_NANOS = 1L << 24;

    /** The first part of that, which does not count: threads that sleep do not yet yield. */
    static final long JOINING_NANOS = TRIAL_NANOS / 4;

    /** Behind trials in vain only one in so many is made: one in 4 s. */
    static final int MAX_EVERY = 2;

    /** Yields that tell something. */
    static final int ENOUGH = 50;

    /** What may be late of them, in percents, in a trial and for two seconds behind it: threads that sleep still are in the way of the others. */
    static final int LATE_AT_FIRST = 10;

    static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The same later. More would show in the p99 of what the threads do. */
    static final int LATE_LATER = 2;

    /** How often that is looked at. */
    static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(64);

    private final LongAdder late = new LongAdder();
    private final LongAdder inTime = new LongAdder();

    // -- written with the monitor held --

    /** Threads yield outside of trials. */
    private volatile boolean on;

    /** One trial in so many is made; a power of two. */
    private volatile int every = 1;

    /** Yields are counted, up to {@link #countedUntil}. */
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
            late.reset();
            inTime.reset();
            countedUntil = end;
            counts = true;
        }
    }

    /**
     * To be told of each yield behind {@link #mayYield}.
     *
     * @param before when it began
     * @param now when it came back
     * @return whether it was late
     */
    boolean yielded(long before, long now) {
        boolean isLate = now - before > LATE_NANOS;
        if (on || inPeriod(before) >= JOINING_NANOS) {
            (isLate ? late : inTime).increment();
        }
        if (counts && now - countedUntil >= 0) {
            judge(now);
        }
        return isLate;
    }

    private synchronized void judge(long now) {
        if (!counts || now - countedUntil < 0) {
            return;
        }
        long all = late.sum() + inTime.sum();
        int percent = on && now - onSince > FIRST_NANOS ? LATE_LATER : LATE_AT_FIRST;
        boolean isGood = late.sum() * 100 <= all * percent;
        if (on && (isGood || all < ENOUGH)) {
            goOn(now, all >= ENOUGH);
        } else if (isGood && all >= ENOUGH) {
            on = true;
            onSince = now;
            goOn(now, true);
        } else {
            end(now, isGood);
        }
    }

    private void goOn(long now, boolean afresh) {
        if (afresh) {
            late.reset();
            inTime.reset();
        }
        countedUntil = now + LOOK_NANOS;
    }

    private void end(long now, boolean nothingTold) {
        if (on && now - onSince > PERIOD_NANOS) {
            every = 1;
        } else if (!nothingTold) {
            every = Math.min(MAX_EVERY, 2 * every);
        }
        on = false;
        counts = false;
    }
}
