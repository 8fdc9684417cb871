package org.ucxnio.it.harness;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;

/** Reads and writes whole amounts, either with blocking calls or with a selector for each direction. */
public abstract sealed class ChannelIo implements AutoCloseable {
    /** Longer than any wait in a healthy run, shorter than the deadlines of the tests. */
    private static final long PATIENCE_MS = 20_000;

    private static final long PAUSE_NANOS = 20_000;

    final SocketChannel channel;

    private ChannelIo(SocketChannel channel) {
        this.channel = channel;
    }

    public static ChannelIo of(SocketChannel channel, Mode mode) throws IOException {
        return mode == Mode.BLOCKING ? new Blocking(channel) : new Selecting(channel);
    }

    public SocketChannel channel() {
        return channel;
    }

    /** In non-blocking mode, without a selector: the thread asks again and again. */
    public static ChannelIo polling(SocketChannel channel) throws IOException {
        return new Polling(channel);
    }

    /** Reads at least one byte; -1 at the end of the stream. */
    public int readSome(ByteBuffer target) throws IOException {
        int count = channel.read(target);
        while (count == 0 && target.hasRemaining()) {
            awaitReadable();
            count = channel.read(target);
        }
        return count;
    }

    /** Reads at least one byte into several buffers; -1 at the end of the stream. */
    public long readScattered(ByteBuffer... targets) throws IOException {
        long count = channel.read(targets);
        while (count == 0 && anyRemaining(targets)) {
            awaitReadable();
            count = channel.read(targets);
        }
        return count;
    }

    /** Writes all that remains in the buffers. */
    public void writeFully(ByteBuffer... sources) throws IOException {
        while (anyRemaining(sources)) {
            long count = sources.length == 1 ? channel.write(sources[0]) : channel.write(sources);
            if (count == 0) {
                awaitWritable();
            }
        }
    }

    /** A read brought nothing. */
    abstract void awaitReadable() throws IOException;

    /** A write took nothing. */
    abstract void awaitWritable() throws IOException;

    /** Fills the buffer, or ends early at the end of the stream; returns the number of bytes read. */
    public int readFully(ByteBuffer target) throws IOException {
        int total = 0;
        while (target.hasRemaining()) {
            int count = readSome(target);
            if (count < 0) {
                return total;
            }
            total += count;
        }
        return total;
    }

    /** Closes the channel and what was opened to wait for it. */
    @Override
    public void close() throws IOException {
        channel.close();
    }

    static boolean anyRemaining(ByteBuffer[] buffers) {
        for (ByteBuffer buffer : buffers) {
            if (buffer.hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    private static final class Blocking extends ChannelIo {
        Blocking(SocketChannel channel) throws IOException {
            super(channel);
            channel.configureBlocking(true);
        }

        @Override
        void awaitReadable() {
            throw new IllegalStateException("A blocking read returned 0");
        }

        @Override
        void awaitWritable() {
            throw new IllegalStateException("A blocking write returned 0");
        }
    }

    private static final class Polling extends ChannelIo {
        Polling(SocketChannel channel) throws IOException {
            super(channel);
            channel.configureBlocking(false);
        }

        @Override
        void awaitReadable() throws IOException {
            pause();
        }

        @Override
        void awaitWritable() throws IOException {
            pause();
        }

        /** As a program does that has something else to do as well. */
        private static void pause() throws IOException {
            LockSupport.parkNanos(PAUSE_NANOS);
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("Interrupted while polling");
            }
        }
    }

    private static final class Selecting extends ChannelIo {
        private final Selector readSelector;
        private final Selector writeSelector;

        Selecting(SocketChannel channel) throws IOException {
            super(channel);
            channel.configureBlocking(false);
            readSelector = channel.provider().openSelector();
            channel.register(readSelector, SelectionKey.OP_READ);
            writeSelector = channel.provider().openSelector();
            channel.register(writeSelector, SelectionKey.OP_WRITE);
        }

        @Override
        void awaitReadable() throws IOException {
            awaitReady(readSelector);
        }

        @Override
        void awaitWritable() throws IOException {
            awaitReady(writeSelector);
        }

        private void awaitReady(Selector selector) throws IOException {
            selector.selectedKeys().clear();
            int ready = selector.select(PATIENCE_MS);
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("Interrupted while selecting");
            }
            if (ready == 0 && channel.isOpen()) {
                throw new IllegalStateException(
                        "Not ready within " + PATIENCE_MS + " ms: interest " + selector.keys() + " of " + channel);
            }
        }

        @Override
        public void close() throws IOException {
            super.close();
            readSelector.close();
            writeSelector.close();
        }
    }
}
