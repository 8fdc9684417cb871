package org.ucxnio.bench.child;

/** Checks that a run that should be accelerated was; a figure of plain TCP under the name of UCX helps nobody. */
public final class Acceleration {
    /** Long enough for the launcher to ask the other side, too, while the connections are open. */
    private static final long LINGER_MILLIS = 300;

    private Acceleration() {}

    /**
     * Says what the provider carried, and complains if fewer than {@code connections} are accelerated or no byte went
     * through UCX. Call it while they are open.
     *
     * @param expected "yes": must be accelerated; "no": must not be; anything else: not looked at
     */
    public static void check(Reporter reporter, String expected, int connections) {
        Carried carried = ProviderProbe.carried();
        reporter.carried(carried);
        complain(reporter, carried, expected, connections);
        linger(carried);
    }

    private static void linger(Carried carried) {
        try {
            Thread.sleep(carried.present() ? LINGER_MILLIS : 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void complain(Reporter reporter, Carried carried, String expected, int connections) {
        if (expected.equals("yes")) {
            if (!carried.present()) {
                reporter.notAccelerated("the provider is not on the class path");
            } else if (!carried.active()) {
                reporter.notAccelerated("UCX is off: " + carried.inactiveReason());
            } else if (carried.accelerated() < connections || carried.ucxTotal() == 0) {
                reporter.notAccelerated("%d of %d connections accelerated, %d plain, %d bytes through UCX"
                        .formatted(carried.accelerated(), connections, carried.plain(), carried.ucxTotal()));
            }
        } else if (expected.equals("no") && carried.ucxTotal() > 0) {
            reporter.notAccelerated("meant to be plain TCP, but " + carried.ucxTotal() + " bytes went through UCX");
        }
    }
}
