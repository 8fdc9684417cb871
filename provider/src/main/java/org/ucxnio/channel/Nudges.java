package org.ucxnio.channel;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Looks once more a little later, for what nobody tells of. Thread-safe. */
final class Nudges {
    private static final class Holder {
        static final ScheduledThreadPoolExecutor TIMER = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "ucxnio-nudges");
            thread.setDaemon(true);
            return thread;
        });
    }

    private Nudges() {}

    /** Runs the task in a millisecond. */
    static void soon(Runnable task) {
        later(1, task);
    }

    static void later(int millis, Runnable task) {
        Holder.TIMER.schedule(task, millis, TimeUnit.MILLISECONDS);
    }
}
