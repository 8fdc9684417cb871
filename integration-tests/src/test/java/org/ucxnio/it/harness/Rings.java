package org.ucxnio.it.harness;

import java.util.concurrent.TimeUnit;

/** Connections of this JVM that have moved to rings, or to UCX, which they do in the background. */
public final class Rings {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long ENOUGH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private Rings() {}

    /** How many of the ends that are open in this JVM have moved. */
    public static int open() {
        // The provider reads its properties at the first use of anything of ours.
        (Flavour.isMessagesHere() ? Flavour.UCX_MESSAGES : Flavour.RINGS).provider();
        var snapshot = org.ucxnio.UcxNio.snapshot();
        return snapshot.ringConnections() + snapshot.acceleratedConnections();
    }

    /**
     * Waits until this many ends have moved, or are about to: an end whose lock was held, or whose last bytes the kernel had not
     * delivered, when the connection was paired goes over with its next write.
     */
    public static void await(int ends) {
        long start = System.nanoTime();
        while (open() < ends) {
            long waited = System.nanoTime() - start;
            if (open() == ends - 1 && waited > ENOUGH_NANOS) {
                return;
            }
            if (waited > PATIENCE_NANOS) {
                throw new AssertionError(open() + " of " + ends + " ends have moved\n" + org.ucxnio.UcxNio.report());
            }
            try {
                TimeUnit.MILLISECONDS.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("Interrupted while waiting for rings", e);
            }
        }
    }
}
