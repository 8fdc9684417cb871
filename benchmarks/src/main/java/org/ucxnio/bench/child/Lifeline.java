package org.ucxnio.bench.child;

import java.io.IOException;

/**
 * Ties a measured JVM to its launcher: for each byte on standard input but {@link Turns#GIVE} it says what its provider carried; when
 * standard input ends, because the launcher closed it or died, it says so once more and the JVM ends.
 */
public final class Lifeline {
    private Lifeline() {}

    /** Starts to watch standard input on a daemon thread. Returns the turns that the launcher gives, for those who wait for any. */
    public static Turns start(Reporter reporter) {
        Turns turns = new Turns(reporter);
        Thread watcher = new Thread(() -> watch(reporter, turns), "lifeline");
        watcher.setDaemon(true);
        watcher.start();
        return turns;
    }

    private static void watch(Reporter reporter, Turns turns) {
        try {
            for (int word = System.in.read(); word >= 0; word = System.in.read()) {
                if (word == Turns.GIVE) {
                    turns.give();
                } else {
                    reporter.carried(ProviderProbe.carried());
                }
            }
        } catch (IOException e) {
            // The pipe broke: the launcher is gone, which is the same end.
        }
        farewell(reporter);
        System.exit(0);
    }

    /** The work of a measured JVM. */
    @FunctionalInterface
    public interface Work {
        void run() throws Exception;
    }

    /** Runs {@code work} and ends the JVM if it fails, whatever threads are left. */
    public static void run(Work work) {
        try {
            work.run();
        } catch (Exception | Error e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    /** Prints what the provider carried and its report. */
    public static void farewell(Reporter reporter) {
        Carried carried = ProviderProbe.carried();
        reporter.carried(carried);
        if (carried.present()) {
            reporter.report(ProviderProbe.report());
        }
    }
}
