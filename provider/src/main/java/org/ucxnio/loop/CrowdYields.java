package org.ucxnio.loop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Whether the threads of a crowd yield before they sleep. Where they wait for each other, each runs for some microseconds, and what a thread waits for is
 * there when it is its turn again: nobody sleeps, and nobody has to be woken. That takes all of them. The kernel has who yields wait for a whole slice
 * of who does not (some milliseconds): one that runs for as long as it may, or many that sleep and are woken.
 *
 * <p>So all try at the same time, those of other processes as well, and for a moment: at a {@link #PERIOD_NANOS period} of the clock that processes
 * have in common. Where hardly any wait was in vain, or had a yield that came back late, they go on, until more of them are.
 *
 * <p>A process that comes to use rings when it has run for a while begins with a longer one: what is in the way of its threads is the JVM's compiler,
 * with the code of rings. While they yield it has most of a processor, and is done in a second or two. While they sleep and are woken it is one of
 * many and takes ten times as long, and for as long the slow code is in use. One for a process; thread-safe.
 */
class CrowdYields {
    /** A yield that takes longer is late. The turns of 32 threads with 20 us of work for each message take half of it. */
    static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * About half a second, a power of two. A trial that works needs code that is compiled and a moment in which the JVM's compiler has none of the
     * processors for long.
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

    /** The longest that the trial of a process takes that comes to use rings, behind its part that does not count: by then the compiler is done. */
    static final long FIRST_TRIAL_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Processor time that the kernel has taken for a process that has been used for a while. */
    static final long USED_NANOS = TimeUnit.SECONDS.toNanos(1);

    static final long FIRST_JOINING_NANOS = TimeUnit.MILLISECONDS.toNanos(128);

    /** What is known of it sooner tells nothing. */
    static final long FIRST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

    /** What may be bad of it, in percents. The compiler makes 18 to 33 of it bad, another process on each processor 33 to 51. */
    static final int BAD_IN_FIRST_TRIAL = 40;

    /** Waits that tell something. */
    static final int ENOUGH = 50;

    /** What may be bad of them between two looks, in percents. */
    static final int BAD_AT_ONCE = 10;

    /** How long nothing else counts: threads that sleep still are in the way of the others. */
    static final long YOUNG_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** What may be bad later of about the last {@link #RECENT_LOOKS}. More would show in the p99 of what the threads do. */
    static final int BAD_LATER = 2;

    static final int RECENT_LOOKS = 8;

    /** How often that is looked at. */
    static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(64);

    private final LongAdder bad = new LongAdder();
    private final LongAdder all = new LongAdder();

    // -- written with the monitor held --

    /** Threads yield whatever the clock says. */
    private volatile boolean on;

    /** The longer trial has begun, or is not needed. */
    private volatile boolean tried;

    /** That one is not over. */
    private boolean first;

    /** One trial in so many is made; a power of two. */
    private volatile int every = 1;

    /** Trials in vain since that was changed. */
    private int vain;

    /** Waits are counted, up to {@link #countedUntil}. */
    private volatile boolean counts;

    private volatile long countedUntil;

    /** Waits count from then on, while threads are to yield whatever the clock says. */
    private volatile long onSince;

    /** Sums in which each look has an eighth less weight than the one behind it. */
    private long recentlyBad;

    private long recently;
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
        if (!tried && beginFirst(now)) {
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

    private synchronized boolean beginFirst(long now) {
        if (!tried && isCompilerInTheWay()) {
            first = true;
            begin(now + FIRST_JOINING_NANOS, now + FIRST_LOOK_NANOS);
        }
        tried = true;
        return on;
    }

    /**
     * Whether the compiler has the code of rings to do, and nothing else. In a process that has just started it has the program's own as well, and what
     * looks like a crowd may be one thread and two compilers, each of which takes a slice for every yield.
     */
    boolean isCompilerInTheWay() {
        return !RingUse.isCompiled() && hasRunForAWhile(ProcessorTime.ofThisProcess());
    }

    static boolean hasRunForAWhile(ProcessorTime.OfProcess time) {
        return time.kernelNanos() >= USED_NANOS;
    }

    private void begin(long since, long until) {
        onSince = since;
        countedUntil = until;
        counts = true;
        on = true;
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
        if (on ? start - onSince >= 0 : inPeriod(start) >= JOINING_NANOS) {
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
        if (first) {
            judgeFirst(now);
        } else if (on) {
            judgeTurns(now);
        } else {
            judgeTrial(now);
        }
    }

    private boolean isBad(int percent) {
        return bad.sum() * 100 > all.sum() * percent;
    }

    private void judgeFirst(long now) {
        first = now - onSince < FIRST_TRIAL_NANOS;
        if (isBad(BAD_IN_FIRST_TRIAL)) {
            first = false;
            end();
        } else if (first) {
            countedUntil = now + LOOK_NANOS;
        } else {
            goOn(now);
        }
    }

    private void judgeTrial(long now) {
        boolean isBad = isBad(BAD_AT_ONCE);
        if (!isBad && all.sum() >= ENOUGH) {
            goOn(now);
            return;
        }
        if (isBad) {
            wasInVain();
        }
        end();
    }

    private void wasInVain() {
        if (++vain == VAIN_TRIALS) {
            every = Math.min(MAX_EVERY, 2 * every);
            vain = 0;
        }
    }

    private void goOn(long now) {
        recentlyBad = 0;
        recently = 0;
        forget();
        begin(now, now + LOOK_NANOS);
    }

    private void judgeTurns(long now) {
        if (all.sum() >= ENOUGH) {
            boolean isYoung = now - onSince <= YOUNG_NANOS;
            recentlyBad += bad.sum() - recentlyBad / RECENT_LOOKS;
            recently += all.sum() - recently / RECENT_LOOKS;
            if (isBad(BAD_AT_ONCE) || !isYoung && recentlyBad * 100 > recently * BAD_LATER) {
                endTurns(isYoung);
                return;
            }
            forget();
        }
        countedUntil = now + LOOK_NANOS;
    }

    private void endTurns(boolean isYoung) {
        if (isYoung) {
            wasInVain();
        } else {
            every = 1;
            vain = 0;
        }
        end();
    }

    private void end() {
        on = false;
        counts = false;
    }
}
