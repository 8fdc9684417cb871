package org.ucxnio.bench.child;

import java.io.IOException;

/**
 * Ties a measured JVM to its launcher: when standard input ends, because the launcher closed it or died, the JVM ends.
 * Before that it says what its provider carried.
 */
public final class Lifeline {
    private Lifeline() {}

    /** Starts to watch standard input on a daemon thread. */
    public static void start(Reporter reporter) {
        Thread watcher = new Thread(() -> watch(reporter), "lifeline");
        watcher.setDaemon(true);
        watcher.start();
    }

    private static void watch(Reporter reporter) {
        try {
            while (System.in.read() >= 0) {
                // Nothing is ever sent: only the end counts.
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
