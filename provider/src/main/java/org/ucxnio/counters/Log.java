package org.ucxnio.counters;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The one logger, {@code org.ucxnio}, over {@link System.Logger}. Thread-safe. */
public final class Log {
    /** Bound on remembered causes: a hostile peer must not grow the set without end. */
    private static final int MAX_CAUSES = 1024;

    private static final System.Logger LOGGER = System.getLogger("org.ucxnio");
    private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

    private Log() {}

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

    /**
     * A log that cannot be written (a first line may load classes and files, and there may be no descriptors left) breaks nothing: who
     * has something to say holds a lock, or is inside UCX.
     */
    private static void log(System.Logger.Level level, String message, Throwable cause) {
        try {
            LOGGER.log(level, message, cause);
        } catch (RuntimeException | Error e) {
            // There is nobody to tell.
        }
    }

    /** Logs a warning the first time its cause is seen. */
    public static void warnOnce(String cause, String message) {
        if (SEEN.size() < MAX_CAUSES && SEEN.add(cause)) {
            warn(message);
        }
    }
}
