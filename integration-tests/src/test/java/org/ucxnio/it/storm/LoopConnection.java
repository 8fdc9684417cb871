package org.ucxnio.it.storm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.SplittableRandom;

/** A connection in non-blocking mode, one of many of a {@link Loop}. For the loop's thread. */
final class LoopConnection {
    private static final int SMALLEST_READ = 64;
    private static final long LONGEST_PAUSE_NANOS = 3_000_000;
    private static final int MOST_IN_A_ROW = 8;

    private final Storm storm;
    private final SelectionKey key;
    private final SocketChannel channel;
    private final SplittableRandom random;
    private final Source source;
    private final Sink sink = new Sink();
    private final ByteBuffer incoming;
    private final Runnable atEnd;
    private ByteBuffer[] outgoing;
    private boolean written;
    private boolean read;
    private long writesAgainNanos;
    private long readsAgainNanos;

    LoopConnection(Storm storm, SelectionKey key, SplittableRandom random, Runnable atEnd) {
        this.storm = storm;
        this.key = key;
        this.channel = (SocketChannel) key.channel();
        this.random = random;
        this.source = storm.newSource(random.split());
        this.incoming = ByteBuffer.allocateDirect(SMALLEST_READ << random.nextInt(12));
        this.atEnd = atEnd;
        this.readsAgainNanos = System.nanoTime();
        this.writesAgainNanos = readsAgainNanos;
        this.outgoing = source.next();
        storm.opened();
    }

    /** Does what it is ready for. */
    void serve() {
        try {
            if (key.isReadable()) {
                read();
            }
            if (key.isValid() && key.isWritable()) {
                write();
            }
            if (written && read) {
                channel.close();
                storm.finished();
                atEnd.run();
            }
        } catch (IOException | RuntimeException e) {
            fail(e);
        }
    }

    /**
     * Asks for what it wants just now: during pauses neither may be wanted.
     *
     * @return when it will want more, as a clock's nanos, or as far off as {@code latestNanos}
     */
    long choose(long nowNanos, long latestNanos) {
        long next = latestNanos;
        int wanted = 0;
        if (!read && nowNanos - readsAgainNanos >= 0) {
            wanted |= SelectionKey.OP_READ;
        } else if (!read) {
            next = Math.min(next, readsAgainNanos);
        }
        long writesNanos = Math.max(writesAgainNanos, nowNanos + Storm.quietNanos());
        if (!written && nowNanos - writesNanos >= 0) {
            wanted |= SelectionKey.OP_WRITE;
        } else if (!written) {
            next = Math.min(next, writesNanos);
        }
        if (key.isValid() && key.interestOps() != wanted) {
            key.interestOps(wanted);
        }
        return next;
    }

    private long pause() {
        return System.nanoTime() + random.nextLong(LONGEST_PAUSE_NANOS);
    }

    private void read() throws IOException {
        for (int i = random.nextInt(MOST_IN_A_ROW); i >= 0; i--) {
            int count = channel.read(incoming.clear());
            if (count < 0) {
                read = true;
                sink.end();
                return;
            }
            if (count == 0) {
                return;
            }
            storm.received(count);
            sink.accept(incoming.flip());
        }
        if (random.nextInt(100) == 0) {
            readsAgainNanos = pause();
        }
    }

    private void write() throws IOException {
        for (int i = random.nextInt(MOST_IN_A_ROW); i >= 0; i--) {
            channel.write(outgoing);
            if (Source.isLeft(outgoing)) {
                return;
            }
            if (storm.isOver()) {
                source.stop();
            }
            outgoing = source.next();
            if (outgoing == null) {
                written = true;
                channel.shutdownOutput();
                return;
            }
        }
        if (random.nextInt(20) == 0) {
            writesAgainNanos = pause();
        }
    }

    private void fail(Exception cause) {
        storm.failed(sink.writer(), cause);
        try {
            channel.close();
        } catch (IOException e) {
            Storm.print("WRONG close " + e);
        }
        atEnd.run();
    }
}
