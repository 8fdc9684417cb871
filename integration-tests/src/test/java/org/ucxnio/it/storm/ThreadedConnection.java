package org.ucxnio.it.storm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import org.ucxnio.it.harness.Threads;

/** A connection in blocking mode with threads of its own, one or more for each direction, which take turns. */
final class ThreadedConnection {
    private static final int MOST_THREADS = 3;
    private static final int SMALLEST_READ = 64;

    private final Storm storm;
    private final SocketChannel channel;
    private final SplittableRandom random;
    private final Source source;
    private final Sink sink = new Sink();
    private final ByteBuffer incoming;
    private final ReentrantLock reading = new ReentrantLock();
    private final ReentrantLock writing = new ReentrantLock();
    private final AtomicInteger directions = new AtomicInteger(2);

    /** It has come to its end, or failed: whichever was first. */
    private final AtomicBoolean over = new AtomicBoolean();

    private final Runnable atEnd;

    // -- guarded by writing --
    private boolean written;
    private boolean writerTold;
    // -- end --

    /** Guarded by reading. */
    private boolean read;

    private ThreadedConnection(Storm storm, SocketChannel channel, SplittableRandom random, Runnable atEnd) {
        this.storm = storm;
        this.channel = channel;
        this.random = random;
        this.source = storm.newSource(random.split());
        this.incoming = ByteBuffer.allocateDirect(SMALLEST_READ << random.nextInt(12));
        this.atEnd = atEnd;
    }

    static void start(Storm storm, SocketChannel channel, SplittableRandom random, Runnable atEnd) {
        storm.opened();
        ThreadedConnection connection = new ThreadedConnection(storm, channel, random, atEnd);
        BiFunction<String, Runnable, Thread> threads = random.nextInt(3) == 0 ? Threads::virtual : Threads::daemon;
        for (int i = random.nextInt(MOST_THREADS); i >= 0; i--) {
            SplittableRandom own = random.split();
            threads.apply("writer", () -> connection.guard(() -> connection.write(own)));
        }
        for (int i = random.nextInt(MOST_THREADS); i >= 0; i--) {
            threads.apply("reader", () -> connection.guard(connection::read));
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private void guard(Work work) {
        try {
            work.run();
        } catch (IOException | RuntimeException e) {
            fail(e);
        }
    }

    private void write(SplittableRandom own) throws IOException {
        boolean more = true;
        while (more) {
            Storm.pause(own);
            writing.lock();
            try {
                // Behind one that failed nobody ends the stream: that would be an end without a failure.
                more = !written && !writerTold && writeNext();
            } catch (IOException e) {
                writerTold = true;
                throw e;
            } finally {
                writing.unlock();
            }
        }
    }

    private boolean writeNext() throws IOException {
        if (storm.isOver()) {
            source.stop();
        }
        ByteBuffer[] pieces = source.next();
        if (pieces == null) {
            written = true;
            channel.shutdownOutput();
            directionDone();
            return false;
        }
        while (Source.isLeft(pieces)) {
            if (channel.write(pieces) == 0) {
                throw new IllegalStateException("A blocking write returned 0");
            }
        }
        return true;
    }

    private void read() throws IOException {
        boolean more = true;
        while (more) {
            reading.lock();
            try {
                more = !read && readNext();
            } finally {
                reading.unlock();
            }
        }
    }

    private boolean readNext() throws IOException {
        int count = channel.read(incoming.clear());
        if (count < 0) {
            read = true;
            end();
            directionDone();
            return false;
        }
        if (count == 0) {
            throw new IllegalStateException("A blocking read returned 0");
        }
        storm.received(count);
        sink.accept(incoming.flip());
        return true;
    }

    /** A reset is told once, as with TCP: where a writer was the first to ask, a reader sees the end of the stream. */
    private void end() throws IOException {
        try {
            sink.end();
        } catch (IllegalStateException e) {
            if (isWriterTold()) {
                throw new IOException("A writer was told why", e);
            }
            throw e;
        }
    }

    private boolean isWriterTold() {
        writing.lock();
        try {
            return writerTold;
        } finally {
            writing.unlock();
        }
    }

    private void directionDone() throws IOException {
        if (directions.decrementAndGet() == 0 && over.compareAndSet(false, true)) {
            channel.close();
            storm.finished();
            atEnd.run();
        }
    }

    private void fail(Exception cause) {
        if (over.compareAndSet(false, true)) {
            storm.failed(sink.writer(), cause);
            close();
            atEnd.run();
        } else if (!(cause instanceof ClosedChannelException) && !(cause instanceof IOException)) {
            Storm.print("WRONG " + sink.writer() + " as well: " + cause);
        }
    }

    private void close() {
        try {
            channel.close();
        } catch (IOException e) {
            Storm.print("WRONG close " + e);
        }
    }
}
