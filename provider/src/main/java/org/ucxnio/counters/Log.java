package org.ucxnio.counters;

import java.util.concurrent.ArrayBlockingQueue;

/**
 * The one logger, {@code org.ucxnio}, over {@link System.Logger}. Thread-safe.
 *
 * <p>The first line that a process logs opens files: the configuration of logging, time zones. Where there are no descriptors left for
 * them, classes of the JDK fail to initialise, and stay broken for the life of the process, for the application as well. So the first
 * line of ours is logged only where there are descriptors; warnings that come earlier are kept and said with it.
 */
public final class Log {
    private static final int MOST_KEPT = 32;

    /** A line that could not be logged yet. */
    private record Line(System.Logger.Level level, String message, Throwable cause) {}

    private static final ArrayBlockingQueue<Line> KEPT = new ArrayBlockingQueue<>(MOST_KEPT);
    private static final Causes CAUSES = new Causes();

    /** Null until there were descriptors for a first line. */
    private static volatile System.Logger logger;

    private Log() {}

    /** Initialises this class while there is memory: one that fails to initialise stays broken for the life of the process. */
    public static void load() {
        SpareDescriptors.load();
    }

    public static void info(String message) {
        log(System.Logger.Level.INFO, message, null);
    }

    public static void warn(String message) {
        log(System.Logger.Level.WARNING, message, null);
    }

    public static void error(String message, Throwable cause) {
        log(System.Logger.Level.ERROR, message, cause);
    }

    public static void debug(String message) {
        log(System.Logger.Level.DEBUG, message, null);
    }

    /** As {@link #debug(String)}, where putting a text together might fail for want of memory. */
    public static void debug(String message, Throwable cause) {
        log(System.Logger.Level.DEBUG, message, cause);
    }

    /** A log that cannot be written breaks nothing: who has something to say holds a lock, or is inside UCX. */
    private static void log(System.Logger.Level level, String message, Throwable cause) {
        try {
            // No lock is held here: whatever logs may wait for a thread that logs.
            if (logger == null && SpareDescriptors.exist()) {
                logger = System.getLogger("org.ucxnio");
            }
            System.Logger to = logger;
            if (to == null) {
                keep(level, message, cause);
                return;
            }
            for (Line line = KEPT.poll(); line != null; line = KEPT.poll()) {
                to.log(line.level, line.message, line.cause);
            }
            to.log(level, message, cause);
        } catch (RuntimeException | Error e) {
            // There is nobody to tell.
        }
    }

    private static void keep(System.Logger.Level level, String message, Throwable cause) {
        if (level != System.Logger.Level.DEBUG) {
            KEPT.offer(new Line(level, message, cause));
        }
    }

    /** Logs a warning the first time its cause is seen, or where that was long ago ({@link Causes}). */
    public static void warnOnce(String cause, String message) {
        if (CAUSES.add(cause)) {
            warn(message);
        }
    }
}
