package org.ucxnio.channel;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.ucxnio.channel.SocketExceptions.Call;
import org.ucxnio.jdk.KernelSockets;
import org.ucxnio.jdk.OwnThread;

/**
 * Calls in blocking mode of threads that hold the lock of the channel's mode, as the streams of {@code java.nio.channels.Channels} do on channels
 * that are not of the JDK's class. If they waited with it, nobody could write while somebody reads, and the other way round. So another
 * thread makes a call that has to wait, and the caller lets go of the lock meanwhile. A reader waits by itself at first, which is the
 * quicker way, until somebody has come for the lock while another was waiting.
 *
 * <p>Thread-safe. The caller holds the lock of the mode and none of ours; the helping thread takes what the call needs.
 */
final class ModeLockCalls {
    /** For so long a reader waits by itself. */
    static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** A socket that has room for a byte has room for as much, unless it was made smaller than they are. */
    private static final int SURE_BYTES = 16 << 10;

    private static final int IDLE_SECONDS = 10;

    /** Made with the first call that needs one. */
    private static final class Helpers {
        private static final Executor POOL = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                call -> OwnThread.of(call, "ucxnio-streams"));
    }

    private final UcxSocketChannel owner;

    /** That of the mode. */
    private final Object lock;

    /** Callers that have let go of the lock. Written with the lock held. */
    private volatile int waiting;

    private volatile boolean contended;

    ModeLockCalls(UcxSocketChannel owner) {
        this.owner = owner;
        this.lock = owner.blockingLock();
    }

    /** Whether the calling thread holds the lock, and would wait with it. The streams have buffers on the heap; others may belong to their thread. */
    static boolean isOne(UcxSocketChannel owner, ByteBuffer buffer) {
        return buffer.hasArray()
                && buffer.hasRemaining()
                && owner.isBlocking()
                && Thread.holdsLock(owner.blockingLock());
    }

    /** Whether a write to a socket would not wait. */
    static boolean hasRoom(SocketChannel socket, ByteBuffer source) {
        return source.remaining() <= SURE_BYTES && KernelSockets.hasRoom(socket);
    }

    /** A write has come, whoever makes it. */
    void came() {
        if (waiting > 0 && Thread.holdsLock(lock)) {
            contended = true;
        }
    }

    int read(ByteBuffer target) throws IOException {
        if (!contended) {
            try {
                return owner.readBlocking(target, PATIENCE_NANOS);
            } catch (SocketTimeoutException e) {
                // Others get the lock now.
            } catch (SocketException e) {
                throw owner.isOpen() ? e : interruptedOrClosed();
            }
        }
        return run(() -> owner.readBlocking(target, 0));
    }

    /** What has closed the channel while this thread was reading from the kernel, as sockets do. */
    private static AsynchronousCloseException interruptedOrClosed() {
        return Thread.currentThread().isInterrupted()
                ? new ClosedByInterruptException()
                : new AsynchronousCloseException();
    }

    int write(ByteBuffer source) throws IOException {
        int all = source.remaining();
        return run(() -> {
            owner.writeFully(source);
            return all;
        });
    }

    /** Has another thread make a call, and lets go of the lock until it is done. An interrupt closes the channel. */
    private int run(Call<Integer> call) throws IOException {
        Helped helped = new Helped(call);
        try {
            Helpers.POOL.execute(helped);
        } catch (OutOfMemoryError noThread) {
            // Others have to wait then.
            return call.run();
        }
        waiting++;
        try {
            await(helped);
        } finally {
            waiting--;
        }
        return helped.count();
    }

    private void await(Helped helped) throws IOException {
        boolean interrupted = false;
        while (!helped.done) {
            try {
                lock.wait();
            } catch (InterruptedException e) {
                interrupted = true;
                owner.close();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
        }
    }

    /** A call that another thread makes, for as many bytes as it tells. Guarded by the lock. */
    private final class Helped implements Runnable {
        private final Call<Integer> call;
        private boolean done;
        private int count;
        private Throwable failure;

        Helped(Call<Integer> call) {
            this.call = call;
        }

        @Override
        public void run() {
            int moved = 0;
            Throwable thrown = null;
            try {
                moved = call.run();
            } catch (IOException | RuntimeException | Error e) {
                thrown = e;
            }
            synchronized (lock) {
                count = moved;
                failure = thrown;
                done = true;
                lock.notifyAll();
            }
        }

        int count() throws IOException {
            if (failure instanceof ClosedChannelException && !(failure instanceof AsynchronousCloseException)) {
                // It was open when the caller came.
                throw new AsynchronousCloseException();
            }
            if (failure instanceof IOException e) {
                throw e;
            }
            if (failure instanceof RuntimeException e) {
                throw e;
            }
            if (failure instanceof Error e) {
                throw e;
            }
            return count;
        }
    }
}
