package org.ucxnio.channel;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.ucxnio.connect.AcceptQueue;
import org.ucxnio.connect.AcceptWatch;
import org.ucxnio.connect.Accepted;
import org.ucxnio.counters.Log;

/**
 * Connections of a server channel that nobody has accepted yet, in the order of their arrival. Plain ones wait in the kernel; those
 * that were there before an accelerated client came are taken out of it first, so that this one stands behind them. Its lock is a
 * leaf. Thread-safe.
 */
final class Arrivals implements AcceptQueue {
    private final ServerSocketChannel kernel;
    private final Runnable onArrival;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition acceptable = lock.newCondition();

    // -- guarded by lock --
    /** Plain connections of the kernel ({@link SocketChannel}) and accelerated ones ({@link Accepted}). */
    private final Deque<Object> queue = new ArrayDeque<>();

    private int backlog;
    private boolean kernelReady;
    private boolean closed;
    // -- end --

    /** @param onArrival runs, on the control thread, when an accelerated client has come */
    Arrivals(ServerSocketChannel kernel, Runnable onArrival) {
        this.kernel = kernel;
        this.onArrival = onArrival;
    }

    void backlog(int connections) {
        lock.lock();
        try {
            backlog = connections;
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return queue.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** As many may wait as the kernel lets wait: one more than the backlog. */
    private boolean full() {
        return queue.size() > backlog;
    }

    @Override
    public boolean hasRoom() {
        lock.lock();
        try {
            return !full();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void takeEarlier() {
        boolean some;
        lock.lock();
        try {
            some = takeFromKernel();
        } finally {
            lock.unlock();
        }
        if (some) {
            // The kernel has nothing to accept any more: whoever waited for it to say so is told by us.
            onArrival.run();
        }
    }

    private boolean takeFromKernel() {
        int before = queue.size();
        try {
            SocketChannel plain = closed || full() ? null : kernel.accept();
            while (plain != null) {
                queue.add(plain);
                plain = full() ? null : kernel.accept();
            }
        } catch (IOException e) {
            Log.debug("A listener has nothing to accept: " + e.getMessage());
        }
        boolean some = queue.size() > before;
        if (some) {
            acceptable.signalAll();
        }
        return some;
    }

    @Override
    public boolean offer(Accepted connection) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            queue.add(connection);
            acceptable.signal();
        } finally {
            lock.unlock();
        }
        onArrival.run();
        return true;
    }

    /**
     * The next connection, or null.
     *
     * @param onRoom runs where the queue was full before
     */
    Object poll(Runnable onRoom) throws IOException {
        Object next;
        boolean wasFull;
        lock.lock();
        try {
            wasFull = full();
            next = queue.poll();
        } finally {
            lock.unlock();
        }
        if (wasFull) {
            onRoom.run();
        }
        return next == null ? kernel.accept() : next;
    }

    void kernelAcceptable() {
        lock.lock();
        try {
            kernelReady = true;
            acceptable.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a connection, the end of the channel or of the time. */
    void await(AcceptWatch watch, long nanos) {
        boolean interrupted = false;
        lock.lock();
        try {
            kernelReady = false;
            watch.arm();
            long left = nanos;
            while (queue.isEmpty() && !kernelReady && !closed && left > 0) {
                try {
                    left = acceptable.awaitNanos(left);
                } catch (InterruptedException e) {
                    // Whoever interrupts us is about to close the channel, which ends the wait.
                    interrupted = true;
                }
            }
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** No more connections; those that nobody accepted are reset, as the kernel does. */
    void close() {
        Deque<Object> unaccepted;
        lock.lock();
        try {
            closed = true;
            unaccepted = new ArrayDeque<>(queue);
            queue.clear();
            acceptable.signalAll();
        } finally {
            lock.unlock();
        }
        for (Object connection : unaccepted) {
            if (connection instanceof Accepted accelerated) {
                accelerated.connection().reset();
            } else {
                reset((SocketChannel) connection);
            }
        }
    }

    private static void reset(SocketChannel plain) {
        try (plain) {
            plain.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            Log.debug("A connection that nobody accepted is gone already: " + e.getMessage());
        }
    }
}
