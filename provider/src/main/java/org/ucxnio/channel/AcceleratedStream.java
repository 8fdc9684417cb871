package org.ucxnio.channel;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import org.ucxnio.counters.Counter;
import org.ucxnio.transport.Connection;
import org.ucxnio.transport.Transport;

/** The bytes of a connection that UCX carries. */
final class AcceleratedStream implements ByteStream {
    private final UcxSocketChannel owner;
    private final Connection connection;
    private final Transport transport;

    AcceleratedStream(UcxSocketChannel owner, Connection connection, Transport transport) {
        this.owner = owner;
        this.connection = connection;
        this.transport = transport;
        Counter.ACCELERATED_OPEN.increment();
        Counter.ACCELERATED_TOTAL.increment();
    }

    Connection connection() {
        return connection;
    }

    private void bindForUse() throws IOException {
        if (connection.boundWorker() == null) {
            connection.bind(transport.blockingGroup());
        }
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        bindForUse();
        if (!owner.isBlocking()) {
            return connection.read(targets, offset, length);
        }
        if (Thread.currentThread().isInterrupted()) {
            return readBlocking(targets, offset, length, timeoutNanos);
        }
        // What is there, or comes soon, is read without the ceremony of a call that blocks.
        long count = readSoon(targets, offset, length, timeoutNanos);
        return count > 0 || count < 0 && owner.isOpen() ? count : readBlocking(targets, offset, length, timeoutNanos);
    }

    private long readSoon(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        try {
            return connection.readSpinning(targets, offset, length, timeoutNanos);
        } catch (IOException e) {
            throw closedMeanwhile(e);
        }
    }

    /** What a call that has failed throws: the failure, unless another thread has closed the channel. */
    private IOException closedMeanwhile(IOException failure) {
        return owner.isOpen() ? failure : new AsynchronousCloseException();
    }

    private long readBlocking(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        long count = 0;
        try {
            owner.beginBlocking();
            count = owner.isOpen() ? connection.read(targets, offset, length) : 0;
            while (count == 0 && owner.isOpen()) {
                if (!connection.awaitReadable(timeoutNanos) && timeoutNanos > 0 && owner.isOpen()) {
                    throw new SocketTimeoutException("Read timed out");
                }
                count = owner.isOpen() ? connection.read(targets, offset, length) : 0;
            }
        } finally {
            owner.endBlocking(count > 0);
        }
        return count;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        bindForUse();
        if (!owner.isBlocking()) {
            return connection.write(sources, offset, length);
        }
        if (Thread.currentThread().isInterrupted()) {
            return writeBlocking(sources, offset, length, 0);
        }
        long count = writeNow(sources, offset, length);
        return hasRemaining(sources, offset, length) ? writeBlocking(sources, offset, length, count) : count;
    }

    private long writeNow(ByteBuffer[] sources, int offset, int length) throws IOException {
        try {
            return connection.write(sources, offset, length);
        } catch (IOException e) {
            throw closedMeanwhile(e);
        }
    }

    /** Writes the rest, {@code before} bytes being written. */
    private long writeBlocking(ByteBuffer[] sources, int offset, int length, long before) throws IOException {
        long count = before;
        try {
            owner.beginBlocking();
            while (owner.isOpen() && !owner.isOutputShutdown() && hasRemaining(sources, offset, length)) {
                count += connection.write(sources, offset, length);
                if (hasRemaining(sources, offset, length)) {
                    connection.awaitWritable(0);
                }
            }
        } finally {
            owner.endBlocking(count > 0);
        }
        if (count == 0 && owner.isOutputShutdown()) {
            throw new AsynchronousCloseException();
        }
        return count;
    }

    private static boolean hasRemaining(ByteBuffer[] buffers, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (buffers[i].hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void shutdownInput() {
        connection.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        connection.shutdownOutput();
    }

    @Override
    public int available() throws IOException {
        bindForUse();
        return connection.available();
    }

    @Override
    public void close(boolean abort, boolean registered) {
        Counter.ACCELERATED_OPEN.decrement();
        if (abort) {
            connection.reset();
        } else {
            connection.close(!registered);
        }
    }
}
