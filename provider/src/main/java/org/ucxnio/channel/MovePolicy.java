package org.ucxnio.channel;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.ucxnio.config.Config;
import org.ucxnio.loop.SpinGovernor;

/**
 * When a connection is worth being moved off TCP: one for a process, thread-safe.
 *
 * <p>What is gained by moving is the kernel's part in waking a thread that could run at once. Where more threads want to run than there are
 * processors, threads wait for processors, and there is little to gain. There is something to lose: a selector that sleeps is woken
 * over the kernel in any case, and the code that carries bytes past the kernel is compiled by threads that wait like others. So on a
 * crowded machine connections stay where they are, until there are fewer threads.
 */
public class MovePolicy {
    /** A connection is asked for once in so many calls that moved bytes. */
    static final int ASK_USES = 16;

    /** Calls that moved bytes before a connection is worth it, where nobody says otherwise. */
    private static final int USES = 128;

    /**
     * A moment with free processors counts for so long. Otherwise some connections of a selector would move and others would not, where such moments
     * are shorter than the time between two of its looks, and it would do the work for rings and that for sockets.
     */
    static final long CALM_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final boolean fixed;
    private final int uses;
    private final BooleanSupplier crowdedLately;

    /** Until when connections move, whatever is found meanwhile: once {@link #wasCalm}. */
    private volatile long calmUntil;

    private volatile boolean wasCalm;

    /** @param switchAfter calls that moved bytes, whatever the machine is like, or {@link Config#AUTO} */
    public MovePolicy(int switchAfter, SpinGovernor governor) {
        this(switchAfter, new Crowd(governor));
    }

    /** No lambda: the first ones of a process cost it milliseconds, and this is made in its start. */
    private record Crowd(SpinGovernor governor) implements BooleanSupplier {
        @Override
        public boolean getAsBoolean() {
            return governor.isCrowdedLately(System.nanoTime());
        }
    }

    /** @param crowdedLately whether more threads want to run than there are processors; asked now and then to find that out */
    MovePolicy(int switchAfter, BooleanSupplier crowdedLately) {
        this.fixed = switchAfter != Config.AUTO;
        this.uses = fixed ? switchAfter : USES;
        this.crowdedLately = crowdedLately;
    }

    /** Whether a connection is worth it before it was used at all. */
    boolean atOnce() {
        return uses == 0;
    }

    /** Whether it is to be asked, for a connection that was used so often, if it is to be moved. */
    boolean isDue(int used) {
        if (fixed) {
            return used == uses;
        }
        if (used % ASK_USES != 0) {
            return false;
        }
        crowdedLately.getAsBoolean();
        return used >= uses;
    }

    /** Whether a connection is to be moved now. */
    boolean allows() {
        if (fixed || wasCalm && nanos() - calmUntil < 0) {
            return true;
        }
        if (crowdedLately.getAsBoolean()) {
            return false;
        }
        calmUntil = nanos() + CALM_NANOS;
        wasCalm = true;
        return true;
    }

    /** The clock. */
    long nanos() {
        return System.nanoTime();
    }
}
