package org.ucxnio.bench.child;

import java.util.concurrent.TimeUnit;

/** Checks that a run was carried as expected; a figure of plain TCP under the name of rings helps nobody. */
public final class Acceleration {
    /** Long enough for the launcher to ask the other side, too, while the connections are open. */
    private static final long LINGER_MILLIS = 300;

    /** A connection that has had so many calls at each end is to move. */
    public static final int MOVE_CALLS = 256;

    /** Longest wait for connections to move: as long as their pairing is tried. */
    private static final long MOVE_MILLIS = 5000;

    private static final long POLL_MILLIS = 1;

    /** What was carried before the measurement. */
    private static volatile Carried before = Carried.ABSENT;

    private Acceleration() {}

    /**
     * Waits until {@code connections} have moved to where they are expected; not for ever, as {@link #check} will complain. To be
     * called between the warm-up, which makes them move once they have been used for {@link #MOVE_CALLS}, and the measurement.
     */
    public static void awaitMove(Expectation expected, int connections) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MOVE_MILLIS);
        while (!hasMoved(expected, connections) && System.nanoTime() - end < 0) {
            sleep(POLL_MILLIS);
        }
        before = ProviderProbe.carried();
    }

    private static boolean hasMoved(Expectation expected, int connections) {
        return switch (expected) {
            case RINGS -> ProviderProbe.carried().inRings() >= connections;
            case UCX -> ProviderProbe.carried().overUcx() >= connections;
            default -> true;
        };
    }

    /**
     * Says what the provider carried, and complains if fewer than {@code connections} are carried as expected, or most
     * bytes since {@link #awaitMove} went another way. Call it while the connections are open.
     */
    public static void check(Reporter reporter, Expectation expected, int connections) {
        Carried carried = ProviderProbe.carried();
        Carried measured = carried.since(before);
        reporter.carriedBy(measured.carriedBy());
        reporter.carried(carried);
        complain(reporter, expected, measured, connections);
        sleep(carried.present() ? LINGER_MILLIS : 0);
    }

    /** Complains as {@link #check} does, in the middle of a run that goes on with other connections. */
    public static void checkPoint(Reporter reporter, Expectation expected, int connections) {
        complain(reporter, expected, ProviderProbe.carried().since(before), connections);
    }

    private static void complain(Reporter reporter, Expectation expected, Carried measured, int connections) {
        String complaint = expected.complaint(measured, connections);
        if (!complaint.isEmpty()) {
            reporter.notAccelerated(complaint);
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
