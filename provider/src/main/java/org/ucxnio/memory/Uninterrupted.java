package org.ucxnio.memory;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Work on files that an interrupt of the calling thread does not break. A file channel closes when its thread is interrupted, or was
 * before; a write to a socket in non-blocking mode, which may need memory, does not care. The interrupt is kept for the caller.
 */
final class Uninterrupted {
    /** Can be begun again after it was broken off by {@link ClosedByInterruptException}. */
    interface Work<T> {
        T run() throws IOException;
    }

    private Uninterrupted() {}

    static <T> T call(Work<T> work) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return work.run();
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
