package org.ucxnio.session;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.OwnThread;

/**
 * The background thread of all sessions. It starts with the first task and is a daemon. Nothing that is thrown ends it: what a handler
 * throws closes the handler's channel, what a task throws is logged. It waits for memory where there is none for what must be done.
 * {@link #execute}, {@link #exit} and {@link #stop} may be called by any thread, everything else by the loop's thread only.
 */
final class SessionLoop implements Runnable {
    private static final int NEW = 0;
    private static final int RUNNING = 1;
    private static final int ENDED = 2;

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MEMORY_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Serves a registered channel. */
    interface Handler {
        /** The channel may be ready for what was asked for. */
        void onReady() throws IOException;

        /** Serving it failed; the loop has closed the channel. */
        void onFailure(Throwable cause);

        /** The process ends in order. The last call. */
        default void onExit() {}
    }

    private record Timer(long dueNanos, Runnable task) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            return Long.signum(dueNanos - other.dueNanos);
        }
    }

    private final SelectorProvider platform;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger state = new AtomicInteger(NEW);

    /** Set before the loop looks at the tasks for the last time, and read after a task was added: one of the two sees the other. */
    private volatile boolean sleeping;

    /** Opened by the loop's thread; null before. */
    private volatile Selector selector;

    private volatile Thread thread;

    /** Written before the state is ENDED. */
    private volatile boolean exits;

    // -- owned by the loop's thread --
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private long pauseNanos = FIRST_PAUSE_NANOS;
    // -- end --

    SessionLoop(SelectorProvider platform) {
        this.platform = platform;
    }

    /** Runs a task on the loop's thread, which starts now if it has not. Waits for nothing. Any thread. */
    void execute(Runnable task) {
        if (state.get() == ENDED) {
            return;
        }
        tasks.add(task);
        if (state.get() == NEW && state.compareAndSet(NEW, RUNNING)) {
            start();
        }
        if (sleeping) {
            wake();
        }
    }

    private void start() {
        try {
            Thread made = OwnThread.of(this, "ucxnio-session");
            thread = made;
            made.start();
        } catch (RuntimeException | Error e) {
            // An application's call must not fail for want of a background thread. The next task tries again.
            state.compareAndSet(RUNNING, NEW);
            Log.warnOnce("session thread", "The background thread of ucxnio's sessions could not be started: " + e);
        }
    }

    private void wake() {
        Selector current = selector;
        if (current != null) {
            current.wakeup();
        }
    }

    /** As {@link #stop}, and the handlers are told that the process ends in order. */
    void exit(long deadlineNanos) {
        exits = true;
        stop(deadlineNanos);
    }

    /**
     * Ends the thread after the tasks that it was given before. Its channels stay open: the process ends, or the caller closes them.
     * Waits until then, but not longer than to the deadline. Any thread but the loop's.
     */
    void stop(long deadlineNanos) {
        int before = state.getAndSet(ENDED);
        wake();
        Thread running = thread;
        if (before == RUNNING && running != null) {
            boolean interrupted = false;
            long left = deadlineNanos - System.nanoTime();
            while (running.isAlive() && left > 0) {
                try {
                    TimeUnit.NANOSECONDS.timedJoin(running, Math.max(left, TimeUnit.MILLISECONDS.toNanos(1)));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                left = deadlineNanos - System.nanoTime();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Closes the channels, as the end of a process does; behind {@link #stop}. */
    void closeChannels() {
        Selector current = selector;
        if (current != null) {
            current.keys().forEach(key -> close(key.channel()));
            close(current);
        }
    }

    /** Registers a non-blocking channel. What {@code handler} throws closes the channel. */
    SelectionKey register(SelectableChannel channel, int ops, Handler handler) throws IOException {
        Selector current = selector;
        if (current == null) {
            throw new IOException("There was no selector before the end");
        }
        try {
            return channel.register(current, ops, handler);
        } catch (ClosedSelectorException e) {
            throw new IOException(e);
        }
    }

    /** Closes a channel for good, registered or not: what it holds of the kernel's is free on return. */
    void closeNow(SelectableChannel channel) {
        close(channel);
        try {
            // A closed channel keeps its descriptor until its selector has let go of it.
            selector.selectNow();
        } catch (IOException e) {
            Log.debug("A closed channel is let go of later: " + e);
        }
    }

    /** Runs a task later. */
    void schedule(long delayNanos, Runnable task) {
        boolean added = false;
        while (!added) {
            try {
                added = timers.add(new Timer(System.nanoTime() + delayNanos, task));
            } catch (OutOfMemoryError e) {
                awaitMemory(e);
            }
        }
    }

    /** Runs a task that others rely on, and that may be run twice: where memory is short, until there was enough. */
    void insist(Runnable task) {
        boolean done = false;
        while (!done) {
            try {
                task.run();
                done = true;
            } catch (OutOfMemoryError e) {
                awaitMemory(e);
            }
        }
    }

    private void awaitMemory(OutOfMemoryError error) {
        if (state.get() == ENDED) {
            throw error;
        }
        LockSupport.parkNanos(MEMORY_PAUSE_NANOS);
    }

    // -- the loop's thread -------------------------------------------------------------------------------------------

    @Override
    public void run() {
        // Once at least: its tasks need the selector, however soon the end comes.
        do {
            try {
                cycleOrPause();
            } catch (Throwable e) {
                // To pause may load something, for which there is no memory.
            }
        } while (state.get() != ENDED);
        runTasks();
        if (exits && selector != null) {
            tellOfTheExit();
        }
    }

    private void tellOfTheExit() {
        try {
            for (SelectionKey key : selector.keys()) {
                tellOfTheExit((Handler) key.attachment());
            }
        } catch (ClosedSelectorException e) {
            Log.debug("The channels were closed, as the end came later than it may", e);
        }
    }

    private static void tellOfTheExit(Handler handler) {
        try {
            handler.onExit();
        } catch (RuntimeException | Error e) {
            Log.debug("Peers will not know that this process has ended in order", e);
        }
    }

    private void cycleOrPause() {
        try {
            if (selector == null) {
                selector = platform.openSelector();
            }
            cycle();
            pauseNanos = FIRST_PAUSE_NANOS;
        } catch (Throwable e) {
            pauseAfter(e);
        }
    }

    private void pauseAfter(Throwable error) {
        Log.error("The thread of sessions met an error and goes on", error);
        // What repeats at once must not take a core.
        LockSupport.parkNanos(pauseNanos);
        pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    }

    private void cycle() throws IOException {
        sleeping = true;
        long timeout = timeoutMillis();
        // What an earlier look has found is still to be served.
        if (timeout == 0 || !selector.selectedKeys().isEmpty()) {
            selector.selectNow();
        } else {
            selector.select(Math.max(timeout, 0));
        }
        sleeping = false;
        // Those among them that an error has left here are not counted as ready again.
        if (!selector.selectedKeys().isEmpty()) {
            for (SelectionKey key : selector.selectedKeys()) {
                serve(key);
            }
            selector.selectedKeys().clear();
        }
        runTasks();
        while (!timers.isEmpty() && timers.peek().dueNanos() - System.nanoTime() <= 0) {
            runGuarded(timers.poll().task());
        }
    }

    /** -1 stands for no limit. */
    private long timeoutMillis() {
        if (!tasks.isEmpty() || state.get() == ENDED) {
            return 0;
        }
        if (timers.isEmpty()) {
            return -1;
        }
        long left = timers.peek().dueNanos() - System.nanoTime();
        return left <= 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(left) + 1;
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            runGuarded(task);
        }
    }

    private static void runGuarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            Log.error("A task of the thread of sessions failed", e);
        }
    }

    /** Has a handler take in what has come, as if its channel had been selected. What it throws closes the channel. */
    static void serve(SelectionKey key) {
        Handler handler = (Handler) key.attachment();
        try {
            if (key.isValid()) {
                handler.onReady();
            }
        } catch (Throwable e) {
            close(key.channel());
            try {
                handler.onFailure(e);
            } catch (Throwable failure) {
                Log.error("The end of a session failed", failure);
            }
        }
    }

    static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception | OutOfMemoryError e) {
            Log.debug("Closing failed", e);
        }
    }
}
