package org.ucxnio.loop;

/**
 * How a virtual thread spins: before each look the others of its carrier run. It spins for as many looks as have cost what the spin of a
 * platform thread may, however long the others have taken. So neither their number nor a crowd of threads is in its way, as they are in the
 * way of a thread that keeps its processor: on a crowded machine, too, the answer comes while the others are served, and nobody sleeps.
 */
class VirtualSpinner extends Spinner {
    /** What it costs to give the carrier to the next virtual thread, or to find that there is none: 200 to 280 ns. */
    static final long LOOK_NANOS = 250;

    /** To sleep and be woken takes a virtual thread twice to three times as long as a platform thread, for which see the same of {@link Spinner}. */
    static final int WORTH_IT = 8;

    static final int SLEEP_WORTH_IT = 3;

    private long mostNanos;

    VirtualSpinner(SpinGovernor governor) {
        super(governor, WORTH_IT, SLEEP_WORTH_IT);
    }

    @Override
    public boolean begin(long maxNanos) {
        mostNanos = maxNanos;
        return super.begin(maxNanos);
    }

    @Override
    boolean isHindered() {
        return !governor.carrierTurns().enter(startedAt());
    }

    /** It does so while it spins. */
    @Override
    boolean yieldsInCrowd() {
        return false;
    }

    @Override
    public boolean again() {
        yieldProcessor();
        return spend(LOOK_NANOS) && nanos() - startedAt() < mostNanos;
    }

    @Override
    public void end(boolean paidOff) {
        governor.carrierTurns().leave();
        super.end(paidOff);
    }
}
