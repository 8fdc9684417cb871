package org.ucxnio.channel;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.ucxnio.connect.Accepted;
import org.ucxnio.connect.ConnectAttempt;
import org.ucxnio.connect.Connector;
import org.ucxnio.counters.Log;
import org.ucxnio.transport.ReadinessListener;

/**
 * One connect of a channel, from its start to its outcome: straight in the kernel where the peer cannot be accelerated, at once to a
 * server that is known from before, otherwise an attempt of the control thread's. Its lock is a leaf.
 */
final class Connecting implements ConnectAttempt.Listener {
    private final Connector connector;
    private final InetSocketAddress target;
    private final SocketChannel kernel;
    private final ConnectAttempt.SocketFactory sockets;
    private final ReadinessListener onEnd;
    private final String reason;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();

    // -- guarded by lock --

    /** Set before anyone waits; null where the control thread has no part in it. */
    private ConnectAttempt attempt;

    private boolean abandoned;
    private boolean done;
    private Accepted accelerated;
    private SocketChannel plainSocket;
    private String plainReason;
    private IOException failure;
    // -- end --

    Connecting(
            Connector connector,
            InetSocketAddress target,
            SocketChannel kernel,
            ConnectAttempt.SocketFactory sockets,
            ReadinessListener onEnd,
            String kernelReason) {
        this.connector = connector;
        this.target = target;
        this.kernel = kernel;
        this.sockets = sockets;
        this.onEnd = onEnd;
        this.reason = connector == null ? kernelReason : connector.plainReason(target);
    }

    /** Whether the socket is another's, and the channel's own must be left alone. */
    boolean ownsSocket() {
        return reason == null;
    }

    void start(long timeoutNanos) throws IOException {
        if (reason == null) {
            Accepted connected = connector.connectNow(target, kernel);
            if (connected == null) {
                startAttempt();
            } else {
                onAccelerated(connected);
            }
            return;
        }
        boolean connected = true;
        if (timeoutNanos > 0) {
            kernel.socket().connect(target, (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos)));
        } else {
            connected = kernel.connect(target);
        }
        if (connected) {
            onPlain(kernel, reason);
        }
    }

    private void startAttempt() {
        ConnectAttempt started = connector.connect(target, kernel, sockets, this);
        boolean late;
        lock.lock();
        try {
            attempt = started;
            late = abandoned;
        } finally {
            lock.unlock();
        }
        if (late) {
            started.abandon();
        }
    }

    boolean isDone() {
        lock.lock();
        try {
            return done;
        } finally {
            lock.unlock();
        }
    }

    /** Whether there is a connection; a failure is not told of before the application finishes the connect. */
    boolean hasSucceeded() {
        lock.lock();
        try {
            return done && failure == null;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the connect has ended, without waiting. */
    boolean poll() throws IOException {
        if (!isDone() && !ownsSocket() && kernel.finishConnect()) {
            onPlain(kernel, reason);
        }
        return isDone();
    }

    /** Waits for the end; false when the channel was closed or the thread interrupted meanwhile. */
    boolean await(long timeoutNanos) throws IOException {
        if (!ownsSocket()) {
            return poll();
        }
        long left = timeoutNanos == 0 ? Long.MAX_VALUE : timeoutNanos;
        boolean interrupted = false;
        lock.lock();
        try {
            while (!done && !abandoned && left > 0) {
                try {
                    left = ended.awaitNanos(left);
                } catch (InterruptedException e) {
                    // Whoever interrupts us is about to close the channel; that ends the wait and says which way it
                    // ended.
                    interrupted = true;
                }
            }
            if (!done && !abandoned) {
                throw new SocketTimeoutException("Connect timed out");
            }
            return done && !abandoned;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Throws what the connect failed with, if it failed. */
    void throwFailure() throws IOException {
        lock.lock();
        try {
            if (failure instanceof ConnectException) {
                // The stack of the control thread says nothing to the application.
                ConnectException mine = new ConnectException(failure.getMessage());
                mine.initCause(failure);
                throw mine;
            }
            if (failure != null) {
                throw failure;
            }
        } finally {
            lock.unlock();
        }
    }

    Accepted accelerated() {
        return accelerated;
    }

    SocketChannel plainSocket() {
        return plainSocket;
    }

    String plainReason() {
        return plainReason;
    }

    /** The channel was closed: ends the attempt, or what came of it. */
    void abandon() {
        ConnectAttempt running;
        lock.lock();
        try {
            abandoned = true;
            running = attempt;
            ended.signalAll();
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.abandon();
        } else if (!ownsSocket()) {
            close(kernel);
        }
        discard();
    }

    private void discard() {
        Accepted late;
        SocketChannel latePlain;
        lock.lock();
        try {
            late = accelerated;
            latePlain = plainSocket;
            accelerated = null;
            plainSocket = null;
        } finally {
            lock.unlock();
        }
        if (late != null) {
            late.connection().close();
        }
        if (latePlain != null) {
            close(latePlain);
        }
    }

    private static void close(SocketChannel socket) {
        try {
            socket.close();
        } catch (IOException e) {
            Log.debug("Closing a socket that nobody had used failed: " + e.getMessage());
        }
    }

    @Override
    public void onAccelerated(Accepted connection) {
        end(() -> accelerated = connection);
    }

    @Override
    public void onPlain(SocketChannel connected, String why) {
        end(() -> {
            plainSocket = connected;
            plainReason = why;
        });
    }

    @Override
    public void onFailed(IOException cause) {
        end(() -> failure = cause);
    }

    private void end(Runnable outcome) {
        boolean late;
        lock.lock();
        try {
            outcome.run();
            done = true;
            late = abandoned;
            ended.signalAll();
        } finally {
            lock.unlock();
        }
        if (late) {
            discard();
        }
        onEnd.onReady();
    }
}
