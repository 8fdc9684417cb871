package org.ucxnio.transport;

import java.util.concurrent.atomic.AtomicInteger;
import org.ucxnio.config.Config;
import org.ucxnio.config.WaitMode;

/**
 * Decides who may spin: in adaptive mode one thread less than there are processors (but one), so that spinning never keeps a
 * thread with work from running (the over-provisioning detection of DXNet). Thread-safe.
 */
public final class SpinGovernor {
    private final WaitMode mode;
    private final long spinNanos;
    private final int maxSpinning;
    private final AtomicInteger spinning = new AtomicInteger();

    public SpinGovernor(Config config) {
        this.mode = config.waitMode();
        this.spinNanos = config.spinNanos();
        this.maxSpinning = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
    }

    /** Whether threads spin without regard to others. */
    boolean always() {
        return mode == WaitMode.SPIN;
    }

    /** Whether threads spin at all. */
    boolean allows() {
        return mode != WaitMode.BLOCK && spinNanos > 0;
    }

    /** Whether the calling thread may spin on; each true is followed by one {@link #leave}. */
    boolean enter() {
        if (!allows()) {
            return false;
        }
        if (spinning.incrementAndGet() > maxSpinning && mode == WaitMode.ADAPTIVE) {
            spinning.decrementAndGet();
            return false;
        }
        return true;
    }

    void leave() {
        spinning.decrementAndGet();
    }

    /** How long to spin after the last event, in nanoseconds; without bound in spin mode. */
    long spinNanos() {
        return mode == WaitMode.SPIN ? Long.MAX_VALUE : spinNanos;
    }
}
