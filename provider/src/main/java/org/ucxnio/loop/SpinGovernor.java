package org.ucxnio.loop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ucxnio.config.Config;
import org.ucxnio.config.WaitMode;

/**
 * Decides who may spin. In adaptive mode at most as many threads of this process spin as there are processors less one (but one), the
 * over-provisioning detection of DXNet. And no thread spins while more threads of the machine want to run than it has processors: the
 * spinner would keep a thread with work from running, perhaps the very one that it waits for. One for a process; thread-safe.
 */
public final class SpinGovernor {
    /** Neither a look nor an interrupt takes this long: another thread had the processor meanwhile. */
    private static final long LOST_NANOS = 200_000;

    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final WaitMode mode;
    private final long spinNanos;
    private final long lostNanos;
    private final int maxSpinning;
    private final RunQueue runQueue;
    private final AtomicInteger spinning = new AtomicInteger();
    private final CarrierTurns carrierTurns = new CarrierTurns();
    private final CrowdYields crowdYields;

    /** Nobody spins before. A lost write does no harm. */
    private volatile long quietUntil = System.nanoTime();

    public SpinGovernor(Config config) {
        this(config, new RunQueue(new LoadAverage()), LOST_NANOS, new CrowdYields());
    }

    /** @param lostNanos how long a spinning thread looks at most, unless it has lost its processor */
    SpinGovernor(Config config, RunQueue runQueue, long lostNanos, CrowdYields crowdYields) {
        this.runQueue = runQueue;
        this.crowdYields = crowdYields;
        this.lostNanos = lostNanos;
        this.mode = config.waitMode();
        this.spinNanos = config.spinNanos();
        this.maxSpinning = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
    }

    /** Whether threads spin without regard to others. */
    public boolean always() {
        return mode == WaitMode.SPIN;
    }

    /** For virtual threads, whose number is not bounded. */
    CarrierTurns carrierTurns() {
        return carrierTurns;
    }

    /** For platform threads, where {@link #isCrowded}. */
    CrowdYields crowdYields() {
        return crowdYields;
    }

    /** Whether threads spin at all. */
    public boolean allows() {
        return mode != WaitMode.BLOCK && spinNanos > 0;
    }

    /**
     * Whether the calling thread had better leave its processor to somebody else.
     *
     * @param now the time by {@link System#nanoTime}
     */
    boolean isCrowded(long now) {
        return mode == WaitMode.ADAPTIVE && (now - quietUntil < 0 || runQueue.isCrowded(now));
    }

    /**
     * Whether more threads of the machine have wanted to run lately than it has processors, for the most part.
     *
     * @param now the time by {@link System#nanoTime}
     */
    public boolean isCrowdedLately(long now) {
        return runQueue.isCrowdedLately(now);
    }

    /**
     * Whether a thread that spins has lost its processor between two looks. Then others want to run there, and nobody spins for a while.
     *
     * @param before the time of the look before
     * @param now the time by {@link System#nanoTime}
     */
    boolean hasLostProcessor(long before, long now) {
        if (now - before <= lostNanos || mode != WaitMode.ADAPTIVE) {
            return false;
        }
        quietUntil = now + QUIET_NANOS;
        return true;
    }

    /** Whether the calling thread may spin on; each true is followed by one {@link #leave}. */
    public boolean enter() {
        if (!allows()) {
            return false;
        }
        if (spinning.incrementAndGet() > maxSpinning && mode == WaitMode.ADAPTIVE) {
            spinning.decrementAndGet();
            return false;
        }
        return true;
    }

    public void leave() {
        spinning.decrementAndGet();
    }

    /** How long to spin after the last event, in nanoseconds; without bound in spin mode. */
    public long spinNanos() {
        return mode == WaitMode.SPIN ? Long.MAX_VALUE : spinNanos;
    }
}
