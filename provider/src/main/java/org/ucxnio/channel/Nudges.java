package org.ucxnio.channel;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.ucxnio.jdk.OwnThread;

/** Looks once more a little later, for what nobody tells of. A look that throws costs nobody the thread. Thread-safe. */
final class Nudges {
    /** Null before the first use. Not made with the class, which one lack of memory would break for good. Guarded by the class. */
    private static ScheduledThreadPoolExecutor timer;

    private Nudges() {}

    private static synchronized ScheduledThreadPoolExecutor timer() {
        if (timer == null) {
            timer = new ScheduledThreadPoolExecutor(1, looks -> OwnThread.of(looks, "ucxnio-nudges"));
        }
        return timer;
    }

    /** Runs the task in a millisecond; false where there is no memory, or no thread, for that. */
    static boolean soon(Runnable task) {
        return later(1, task);
    }

    /** As {@link #soon}, after a longer time. */
    static boolean later(int millis, Runnable task) {
        try {
            timer().schedule(task, millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }
}
