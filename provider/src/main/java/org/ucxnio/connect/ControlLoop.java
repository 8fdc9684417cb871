package org.ucxnio.connect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.ucxnio.counters.Log;
import org.ucxnio.posix.Epoll;
import org.ucxnio.posix.EventFd;
import org.ucxnio.posix.Posix;
import org.ucxnio.transport.EpollSleep;
import org.ucxnio.transport.ErrorPause;

/**
 * The one thread that serves companion ports, handshakes and control connections. It waits on an epoll instance and not in a selector,
 * so that any thread can register and close channels without waking it: a connection that is made or closed should cost no other
 * thread's time. {@link #execute} and {@link #register} are thread-safe; everything else runs on the loop's thread.
 */
public final class ControlLoop implements Runnable {
    /** Larger than any message of the control protocol. */
    static final int BUFFER_BYTES = 128 << 10;

    private static final String THREAD = "ucxnio-control";
    private static final long WAKE = 0;
    private static final long DELIVERY_LOOK_NANOS = 100_000;

    /** Serves a registered channel. */
    interface Handler {
        /** The channel may be ready for what was asked for; or not any more. */
        void onReady(Registration registration) throws IOException;

        /** Serving it failed; the channel is already closed. */
        void onFailure(IOException cause);

        /** Whether the end of this process can take nothing from the peer that was written. Any thread. */
        default boolean isDelivered() {
            return true;
        }
    }

    private record Timer(long dueNanos, Runnable task) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            return Long.signum(dueNanos - other.dueNanos);
        }
    }

    private final Posix posix;
    private final Epoll epoll;
    private final EpollSleep sleep;
    private final EventFd wake;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Map<Long, Registration> registrations = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong(WAKE);

    /** Set before the loop looks at the tasks for the last time, and read after a task was added: one of the two sees the other. */
    private volatile boolean sleeping;

    // -- owned by the loop's thread --
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ErrorPause errors = new ErrorPause(THREAD);
    // -- end --

    public ControlLoop(Posix posix) throws IOException {
        this.posix = posix;
        epoll = posix.openEpoll();
        sleep = new EpollSleep(epoll);
        wake = posix.openEventFd();
        epoll.add(wake.fd(), Epoll.IN, WAKE);
    }

    public void start() {
        Thread thread = new Thread(this, THREAD);
        thread.setDaemon(true);
        thread.start();
    }

    /** Runs a task on the loop's thread. */
    public void execute(Runnable task) {
        tasks.add(task);
        if (sleeping) {
            wake.signal();
        }
    }

    /** Registers a non-blocking channel. Unless {@code ops} is 0 the handler may be called before this returns. */
    Registration register(SelectableChannel channel, int ops, Handler handler) throws IOException {
        Registration registration = new Registration(this, channel, lastId.incrementAndGet(), handler);
        registrations.put(registration.id(), registration);
        try {
            registration.interest(ops);
        } catch (IOException e) {
            registration.end();
            throw e;
        }
        return registration;
    }

    void forget(Registration registration) {
        registrations.remove(registration.id());
    }

    Epoll epoll() {
        return epoll;
    }

    Posix posix() {
        return posix;
    }

    /** Waits, until {@code deadlineNanos} at most, until what was written to all channels is the peers', come what may. Any thread. */
    void awaitDelivery(long deadlineNanos) {
        while (!isAllDelivered() && System.nanoTime() - deadlineNanos < 0) {
            LockSupport.parkNanos(DELIVERY_LOOK_NANOS);
        }
    }

    /** The JVM ends: see {@link EpollSleep}. Any thread. */
    void end() {
        sleep.end();
        wake.signal();
    }

    private boolean isAllDelivered() {
        for (Registration registration : registrations.values()) {
            if (!registration.handler().isDelivered()) {
                return false;
            }
        }
        return true;
    }

    /** Runs a task on the loop's thread later. Loop's thread only. */
    void schedule(long delayNanos, Runnable task) {
        timers.add(new Timer(System.nanoTime() + delayNanos, task));
    }

    /** A scratch buffer, for use within one call of a handler. */
    ByteBuffer buffer() {
        return buffer.clear();
    }

    @Override
    public void run() {
        while (true) {
            try {
                cycle();
            } catch (IOException | RuntimeException | Error e) {
                errors.after(e);
            }
        }
    }

    private void cycle() throws IOException {
        sleeping = true;
        int events = sleep.await(timeoutMillis());
        sleeping = false;
        for (int i = 0; i < events; i++) {
            if (epoll.data(i) == WAKE) {
                wake.drain();
            } else {
                Registration registration = registrations.get(epoll.data(i));
                if (registration != null) {
                    serve(registration);
                }
            }
        }
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            runGuarded(task);
        }
        while (!timers.isEmpty() && timers.peek().dueNanos() - System.nanoTime() <= 0) {
            runGuarded(timers.poll().task());
        }
    }

    private int timeoutMillis() {
        if (!tasks.isEmpty()) {
            return 0;
        }
        if (timers.isEmpty()) {
            return -1;
        }
        long left = timers.peek().dueNanos() - System.nanoTime();
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(left) + 1));
    }

    private void runGuarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            errors.after(e);
        }
    }

    private static void serve(Registration registration) {
        Handler handler = registration.handler();
        try {
            handler.onReady(registration);
        } catch (IOException e) {
            fail(registration, handler, e);
        } catch (RuntimeException | Error e) {
            Log.error("Serving a channel failed", e);
            fail(registration, handler, new IOException(e));
        }
    }

    private static void fail(Registration registration, Handler handler, IOException cause) {
        if (registration.isEnded()) {
            Log.debug("A channel was closed while it was being served");
        } else {
            registration.close();
            handler.onFailure(cause);
        }
    }

    static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            Log.debug("Closing failed: " + e);
        }
    }
}
