package org.ucxnio.loop;

import java.util.function.BooleanSupplier;

/**
 * One waiter's spinning: asks the process-wide {@link SpinGovernor}, and its own memory whether spinning has paid off lately. After
 * spins in vain it spins less and less often, after successes more often again: it spins where most spins pay off. A spin that is
 * refused changes nothing. While it spins it offers its processor every {@link #YIELD_NANOS}, but for the first moment and where it is to
 * spin without regard to others. In a crowd, where it may not spin, it has others run by turns, if these do so as well ({@link CrowdYields}).
 * Owned by one thread at a time.
 *
 * <p>Two threads that both sleep between their messages would do so for ever, as each answer takes as long as the kernel takes to wake
 * the other, which is longer than a spin. So a thread whose waits are short tries a longer spin now and then, and goes on with that for some
 * waits: its answers come at once then, the other finds that it would not have had to sleep, and spins as well. Where what it waits for comes
 * as late as before, long spins cost more processor time than sleeps do: it ends them, and tries them less and less often.
 *
 * <pre>{@code
 * boolean found = false;
 * if (spinner.begin(maxNanos)) {
 *     do {
 *         found = look();
 *     } while (!found && spinner.again());
 *     spinner.end(found);
 * }
 * if (!found) {
 *     sleep();
 *     spinner.slept();
 * }
 * }</pre>
 */
public class Spinner {
    /** A spin shorter than this takes nothing from anybody and needs no leave of the governor. */
    private static final long FREE_NANOS = 2_000;

    private static final int MAX_SKIPS = 32;

    /** Yields of one wait in a crowd: where they pay off at all, most waits take no more than two. */
    static final int YIELDS = 4;

    /** A thread whose last wait was longer does not yield: what it waits for is not about to come. */
    static final long SHORT_WAIT_NANOS = 2_000_000;

    /** A spin that is worth trying now and then is so many times as long as others. */
    private static final int LONG_SPIN = 10;

    /**
     * Behind the first {@link #FREE_NANOS} a spinning thread offers its processor so often. A thread that it has woken, or that its peer has, may wait for
     * that very one: sched_yield costs less than half a microsecond where none does.
     */
    private static final long YIELD_NANOS = 2_000;

    /** What a thread that waits for itself alone finds later than so many times as long as other spins last would have been worth a sleep. */
    static final int WORTH_IT = 3;

    /**
     * The same for a selecting thread. It hands what it finds to other threads and is handed what it sends, so that its waits have more parts than its
     * peer. While it spins long, its peer sleeps, and neither comes to where no wait is longer than a usual spin.
     */
    static final int SELECTOR_WORTH_IT = 1;

    /** Spins that may be long behind one that paid off because it was. */
    private static final int EAGER_SPINS = 8;

    /** Of long spins that were tried for nothing, so many are left out at most before the next. */
    private static final int MAX_PAUSE = 32;

    final SpinGovernor governor;
    private final int worthIt;

    /** A sleep is for nothing where it is shorter than so many times as long as usual spins last. */
    private final int sleepWorthIt;

    /** Spins to leave out after the next one in vain. */
    private int skips = 1;

    private int toSkip;

    /** Spins to come that may be long. */
    private int eager;

    /** Tries of a long spin to leave out behind the next one that is for nothing. */
    private int pause = 1;

    private int toPause;

    /** How long the last sleep was, with the spin before it. */
    private long lastWait = Long.MAX_VALUE;

    private long start;
    private long limit;
    private long now;

    /** How long after the start this thread goes on without leave, and without offering its processor. */
    private long undisturbed;

    private boolean entered;
    private boolean refused;

    /** This wait does not spin but yields. */
    private boolean gives;

    /** Yields that it may take still. */
    private int turns;

    /** The last one was late. */
    private boolean late;

    Spinner(SpinGovernor governor, int worthIt, int sleepWorthIt) {
        this.governor = governor;
        this.worthIt = worthIt;
        this.sleepWorthIt = sleepWorthIt;
    }

    /** For a thread that waits for its own bytes. */
    static Spinner ofThread(SpinGovernor governor) {
        return new Spinner(governor, WORTH_IT, 1);
    }

    /**
     * The same for the calling thread.
     *
     * @param last that of the last call, which is told what threads of one kind have met; null before
     * @param virtual whether it is a virtual thread
     */
    public static Spinner ofThread(SpinGovernor governor, Spinner last, boolean virtual) {
        if (last != null && last instanceof VirtualSpinner == virtual) {
            return last;
        }
        return virtual ? new VirtualSpinner(governor) : ofThread(governor);
    }

    /** For the thread that selects. */
    public static Spinner ofSelector(SpinGovernor governor) {
        return new Spinner(governor, SELECTOR_WORTH_IT, 1);
    }

    /**
     * Spins until a look finds something, where and as long as that is worth it.
     *
     * @param maxNanos how long at most
     * @param look whether there is something; called once at least where this thread spins
     * @return whether a look has found something
     */
    public boolean spin(long maxNanos, BooleanSupplier look) {
        if (!begin(maxNanos)) {
            return false;
        }
        boolean found = false;
        try {
            do {
                found = look.getAsBoolean();
            } while (!found && again());
            return found;
        } finally {
            end(found);
        }
    }

    /**
     * Whether to spin now, or in a crowd to have others run by turns, before each look. May read a file of the kernel's, once a millisecond for the whole
     * process; each true is followed by one {@link #end}.
     *
     * @param maxNanos how long at most
     */
    public boolean begin(long maxNanos) {
        gives = false;
        if (!governor.allows()) {
            return false;
        }
        start = nanos();
        now = start;
        limit = maxNanos;
        return beginSpin() || beginTurns();
    }

    private boolean beginSpin() {
        if (toSkip > 0 && !governor.always()) {
            toSkip--;
            return false;
        }
        if (isHindered()) {
            return false;
        }
        entered = false;
        refused = false;
        undisturbed = FREE_NANOS;
        limit = Math.min(limit, isLongWorthIt() ? LONG_SPIN * governor.spinNanos() : governor.spinNanos());
        return true;
    }

    private boolean beginTurns() {
        gives = yieldsInCrowd();
        turns = YIELDS;
        late = false;
        return gives && giveWay();
    }

    /** Whether it is worth it to have others run where it may not spin. */
    boolean yieldsInCrowd() {
        return lastWait < SHORT_WAIT_NANOS && governor.crowdYields().mayYield(start) && governor.isCrowded(start);
    }

    private boolean giveWay() {
        if (turns == 0 || late || now - start >= limit) {
            return false;
        }
        turns--;
        long before = now;
        yieldProcessor();
        now = nanos();
        late = now - before > CrowdYields.LATE_NANOS;
        return true;
    }

    /** Whether others have more need of the processor. */
    boolean isHindered() {
        return governor.isCrowded(start);
    }

    private boolean isLongWorthIt() {
        return !governor.always() && (eager > 0 || isLongToBeTried());
    }

    private boolean isLongToBeTried() {
        return skips == MAX_SKIPS && lastWait < 2 * LONG_SPIN * governor.spinNanos() && --toPause < 0;
    }

    /** To be called after each look in vain; false when the time is over. */
    public boolean again() {
        if (gives) {
            return giveWay();
        }
        Thread.onSpinWait();
        long before = now;
        now = nanos();
        return now - start < limit
                && !governor.hasLostProcessor(before, now)
                && (now - start < undisturbed || mayGoOn());
    }

    /** A spin of so much more: whether there is any of its time left. */
    final boolean spend(long nanos) {
        now += nanos;
        return now - start < limit;
    }

    private boolean mayGoOn() {
        return (entered || enter()) && (governor.always() || offerProcessor());
    }

    private boolean enter() {
        entered = governor.enter();
        refused = !entered;
        return entered;
    }

    /** Whoever takes it for long has made this machine a busy one. */
    private boolean offerProcessor() {
        long before = now;
        yieldProcessor();
        now = nanos();
        undisturbed = now - start + YIELD_NANOS;
        return !governor.hasLostProcessor(before, now);
    }

    long startedAt() {
        return start;
    }

    /** When {@link #again} was last called. */
    public long now() {
        return now;
    }

    public void end(boolean paidOff) {
        if (gives) {
            governor.crowdYields().waited(start, now, paidOff && !late);
            return;
        }
        if (entered) {
            governor.leave();
        }
        if (paidOff) {
            paidOff(now - start);
        } else if (!refused) {
            if (limit > governor.spinNanos()) {
                endLongSpins();
            }
            toSkip = skips;
            skips = Math.min(MAX_SKIPS, Math.max(1, skips * 2));
        }
    }

    private void paidOff(long nanos) {
        long usual = governor.spinNanos();
        toSkip = 0;
        if (nanos <= usual) {
            skips >>= 1;
            eager = Math.max(0, eager - 1);
            pause = Math.max(1, pause >> 1);
        } else if (eager == 0) {
            eager = EAGER_SPINS;
        } else if (nanos <= worthIt * usual) {
            skips >>= 1;
            eager = Math.min(EAGER_SPINS, eager + 1);
        } else if (--eager == 0) {
            endLongSpins();
            toSkip = skips;
        }
    }

    /** They were for nothing. */
    private void endLongSpins() {
        eager = 0;
        toPause = pause;
        pause = Math.min(MAX_PAUSE, 2 * pause);
    }

    /** Behind a sleep that {@link #begin} was called before: where it was so short that a spin would have paid off, spins next time. */
    public void slept() {
        if (!governor.allows()) {
            return;
        }
        lastWait = nanos() - start;
        if (lastWait < sleepWorthIt * governor.spinNanos()) {
            skips >>= 1;
            toSkip = 0;
        }
    }

    /** Lets others that wait for this processor run. */
    void yieldProcessor() {
        Thread.yield();
    }

    /** The clock. */
    long nanos() {
        return System.nanoTime();
    }
}
