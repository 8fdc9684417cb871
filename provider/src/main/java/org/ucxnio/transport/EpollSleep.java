package org.ucxnio.transport;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.ucxnio.posix.Epoll;

/**
 * How a thread of the provider sleeps in its epoll instance. A JVM that ends waits 300 ms for daemon threads in native code (HotSpot's
 * {@code VM_Exit::wait_for_threads_in_native_to_block}), and this thread would nearly always be there. So from the exit on it sleeps
 * in Java and looks every millisecond: shutdown hooks of the application may still need it. {@link #end} may be called by any thread,
 * {@link #await} by the one that sleeps.
 */
public final class EpollSleep {
    private static final long LOOK_NANOS = 1_000_000;

    private final Epoll epoll;
    private volatile boolean ending;

    public EpollSleep(Epoll epoll) {
        this.epoll = epoll;
    }

    /** As {@link Epoll#await}; may return early, with no events. */
    public int await(int timeoutMillis) throws IOException {
        if (!ending) {
            return epoll.await(timeoutMillis);
        }
        int events = epoll.await(0);
        if (events == 0 && timeoutMillis != 0) {
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
        return events;
    }

    /** The JVM ends. A thread that sleeps now has to be woken by the caller. */
    public void end() {
        ending = true;
    }
}
