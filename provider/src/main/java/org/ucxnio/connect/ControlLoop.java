package org.ucxnio.connect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ucxnio.counters.Log;

/**
 * The one thread that serves companion ports, handshakes and control connections, over a selector of the platform's own
 * provider. {@link #execute} and {@link #wakeUp} are thread-safe; everything else runs on the loop's thread.
 */
public final class ControlLoop implements Runnable {
    /** Larger than any message of the control protocol. */
    static final int BUFFER_BYTES = 128 << 10;

    private static final SelectionKey[] NO_KEYS = {};
    private static final long LET_GO_SECONDS = 1;

    /** Serves a registered channel. */
    interface Handler {
        void onReady(SelectionKey key) throws IOException;

        /** Serving it failed; the channel is already closed. */
        void onFailure(IOException cause);
    }

    private record Timer(long dueNanos, Runnable task) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            return Long.signum(dueNanos - other.dueNanos);
        }
    }

    private final Selector selector;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    // -- owned by the loop's thread --
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    // -- end --

    public ControlLoop(SelectorProvider platform) throws IOException {
        selector = platform.openSelector();
    }

    public void start() {
        Thread thread = new Thread(this, "ucxnio-control");
        thread.setDaemon(true);
        thread.start();
    }

    /** Runs a task on the loop's thread. */
    public void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    /** Makes the loop drop channels that were closed. */
    void wakeUp() {
        selector.wakeup();
    }

    /** Closes a channel and waits, for a moment, until the loop has let go of it and its port is free. Any thread but the loop's. */
    void closeAndLetGo(SelectableChannel channel) {
        CountDownLatch gone = new CountDownLatch(1);
        close(channel);
        execute(() -> {
            try {
                selector.selectNow();
            } catch (IOException e) {
                Log.debug("Letting go of a channel failed: " + e.getMessage());
            } finally {
                gone.countDown();
            }
        });
        try {
            if (!gone.await(LET_GO_SECONDS, TimeUnit.SECONDS)) {
                Log.debug("The control thread is late in letting go of a channel");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Registers a non-blocking channel. Loop's thread only. */
    SelectionKey register(SelectableChannel channel, int ops, Handler handler) throws IOException {
        return channel.register(selector, ops, handler);
    }

    /** The registration of a channel, or null. */
    SelectionKey keyOf(SelectableChannel channel) {
        return channel.keyFor(selector);
    }

    /** Ends a registration at once, so that the channel can be put into blocking mode or registered elsewhere. */
    void deregister(SelectableChannel channel) throws IOException {
        SelectionKey key = keyOf(channel);
        if (key != null) {
            key.cancel();
            selector.selectNow();
        }
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
            } catch (ClosedSelectorException e) {
                return;
            } catch (IOException | RuntimeException e) {
                Log.error("The control thread met an error and goes on", e);
            }
        }
    }

    private void cycle() throws IOException {
        selector.select(timeoutMillis());
        // A copy: a handler may select in between, to get rid of a registration.
        SelectionKey[] ready = selector.selectedKeys().toArray(NO_KEYS);
        selector.selectedKeys().clear();
        for (SelectionKey key : ready) {
            serve(key);
        }
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            runGuarded(task);
        }
        while (!timers.isEmpty() && timers.peek().dueNanos() - System.nanoTime() <= 0) {
            runGuarded(timers.poll().task());
        }
    }

    private long timeoutMillis() {
        if (!tasks.isEmpty()) {
            return 1;
        }
        if (timers.isEmpty()) {
            return 0;
        }
        long left = timers.peek().dueNanos() - System.nanoTime();
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(left) + 1);
    }

    private static void runGuarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            Log.error("A task of the control thread failed", e);
        }
    }

    private static void serve(SelectionKey key) {
        Handler handler = (Handler) key.attachment();
        try {
            handler.onReady(key);
        } catch (CancelledKeyException e) {
            Log.debug("A channel was closed while it was being served");
        } catch (IOException e) {
            close(key.channel());
            handler.onFailure(e);
        } catch (RuntimeException e) {
            close(key.channel());
            handler.onFailure(new IOException(e));
            Log.error("Serving a control connection failed", e);
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
