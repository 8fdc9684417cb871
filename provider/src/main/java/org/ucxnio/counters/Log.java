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
        LOGGER.log(System.Logger.Level.INFO, message);
    }

    public static void warn(String message) {
        LOGGER.log(System.Logger.Level.WARNING, message);
    }

    public static void error(String message, Throwable cause) {
        LOGGER.log(System.Logger.Level.ERROR, message, cause);
    }

    public static void debug(String message) {
        LOGGER.log(System.Logger.Level.DEBUG, message);
    }

    /** Logs a warning the first time its cause is seen. */
    public static void warnOnce(String cause, String message) {
        if (SEEN.size() < MAX_CAUSES && SEEN.add(cause)) {
            warn(message);
        }
    }
}
