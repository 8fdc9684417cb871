package org.ucxnio.loop;

import java.util.function.BooleanSupplier;

/**
 * One waiter's spinning: asks the process-wide {@link SpinGovernor}, and its own memory whether spinning has paid off lately. After
 * spins in vain it spins less and less often, after successes more often again: it spins where most spins pay off. A spin that is
 * refused changes nothing. Owned by one thread at a time.
 *
 * <pre>{@code
 * if (spinner.begin(maxNanos)) {
 *     boolean found;
 *     do {
 *         found = look();
 *     } while (!found && spinner.again());
 *     spinner.end(found);
 * }
 * }</pre>
 */
public final class Spinner {
    /** A spin shorter than this takes nothing from anybody and needs no leave of the governor. */
    private static final long FREE_NANOS = 2_000;

    private static final int MAX_SKIPS = 32;

    private final SpinGovernor governor;

    /** Spins to leave out after the next one in vain. */
    private int skips = 1;

    private int toSkip;
    private long start;
    private long limit;
    private long now;
    private boolean entered;
    private boolean refused;

    public Spinner(SpinGovernor governor) {
        this.governor = governor;
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
     * Whether to spin now. May read a file of the kernel's, once a millisecond for the whole process; each true is followed by one {@link #end}.
     *
     * @param maxNanos how long at most
     */
    public boolean begin(long maxNanos) {
        if (toSkip > 0 && !governor.always()) {
            toSkip--;
            return false;
        }
        if (!governor.allows()) {
            return false;
        }
        entered = false;
        refused = false;
        start = System.nanoTime();
        if (governor.isCrowded(start)) {
            return false;
        }
        now = start;
        limit = Math.min(maxNanos, governor.spinNanos());
        return true;
    }

    /** To be called after each look in vain; false when the time is over. */
    public boolean again() {
        Thread.onSpinWait();
        long before = now;
        now = System.nanoTime();
        return now - start < limit
                && !governor.hasLostProcessor(before, now)
                && (entered || now - start < FREE_NANOS || enter());
    }

    private boolean enter() {
        entered = governor.enter();
        refused = !entered;
        return entered;
    }

    /** When {@link #again} was last called. */
    public long now() {
        return now;
    }

    public void end(boolean paidOff) {
        if (entered) {
            governor.leave();
        }
        if (paidOff) {
            skips >>= 1;
            toSkip = 0;
        } else if (!refused) {
            toSkip = skips;
            skips = Math.min(MAX_SKIPS, Math.max(1, skips * 2));
        }
    }
}
