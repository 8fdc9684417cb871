package org.ucxnio.transport;

import java.util.concurrent.locks.LockSupport;
import org.ucxnio.counters.Log;

/**
 * What a thread of the provider does with an error that nobody has dealt with: it logs it, pauses and goes on. While errors follow
 * each other the pause grows from 1 ms to 1 s, so that an error that comes back at once fills neither a processor nor the log.
 * Owned by that thread.
 */
public final class ErrorPause {
    private static final long FIRST_NANOS = 1_000_000;
    private static final long MAX_NANOS = 1_000_000_000;

    /** An error that comes this long after the one before begins with the first pause again. */
    private static final long MEMORY_NANOS = 10_000_000_000L;

    /** Made in advance: there may be no memory left when it is needed. */
    private final String message;

    /** End of the last pause. */
    private long lastNanos = System.nanoTime() - MEMORY_NANOS;

    private long pauseNanos = FIRST_NANOS;

    public ErrorPause(String threadName) {
        this.message = threadName + " met an error and goes on";
    }

    /** Logs the error and pauses. Throws nothing. */
    public void after(Throwable error) {
        Log.error(message, error);
        long now = System.nanoTime();
        pauseNanos = now - lastNanos < MEMORY_NANOS ? Math.min(pauseNanos * 2, MAX_NANOS) : FIRST_NANOS;
        lastNanos = now + pauseNanos;
        do {
            // An interrupt, which nobody should send here, would end every pause to come.
            Thread.interrupted();
            LockSupport.parkNanos(this, lastNanos - System.nanoTime());
        } while (System.nanoTime() - lastNanos < 0);
    }
}
