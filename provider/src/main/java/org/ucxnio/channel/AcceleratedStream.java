package org.ucxnio.channel;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import org.ucxnio.counters.Counter;
import org.ucxnio.transport.Connection;
import org.ucxnio.transport.Transport;

/** The bytes of a connection that UCX carries. */
final class AcceleratedStream implements ByteStream {
    private static final long FIRST_POLL_NANOS = 2_000_000;

    private final UcxSocketChannel owner;
    private final Connection connection;
    private final Transport transport;
    private final BrokenStream broken = new BrokenStream();
    private final RepeatedBuffers repeated = new RepeatedBuffers();

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
            bind();
        }
    }

    private void bind() throws IOException {
        try {
            connection.bind(transport.blockingGroup());
        } catch (SocketException e) {
            throw unlessClosed(e);
        }
    }

    /** The failure, unless another thread has closed the channel meanwhile, which is what the call failed of. */
    private SocketException unlessClosed(SocketException failure) throws AsynchronousCloseException {
        if (!owner.isOpen()) {
            throw new AsynchronousCloseException();
        }
        return failure;
    }

    /**
     * Binds for a non-blocking read. What the peer has written so far waits on its side until it hears where to send to; the read that
     * binds gives it a moment for that, as bytes that were sent long ago would be there with TCP.
     */
    private void bindForPolling() throws IOException {
        if (connection.boundWorker() == null) {
            bind();
            connection.awaitReadable(FIRST_POLL_NANOS);
        }
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        if (!owner.isBlocking()) {
            bindForPolling();
            return readNow(targets, offset, length);
        }
        if (connection.boundWorker() == null || Thread.currentThread().isInterrupted()) {
            return readBlocking(targets, offset, length, timeoutNanos);
        }
        // What is there, or comes soon, is read without the ceremony of a call that blocks.
        long count = readSoon(targets, offset, length, timeoutNanos);
        return count > 0 || count < 0 && owner.isOpen() ? count : readBlocking(targets, offset, length, timeoutNanos);
    }

    private long readSoon(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        try {
            return connection.readSpinning(targets, offset, length, timeoutNanos);
        } catch (SocketException e) {
            return broken.onRead(unlessClosed(e));
        }
    }

    private long readBlocking(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        long count = 0;
        try {
            owner.beginBlocking();
            bindForUse();
            count = owner.isOpen() ? readNow(targets, offset, length) : 0;
            long deadline = System.nanoTime() + timeoutNanos;
            while (count == 0 && owner.isOpen()) {
                long left = timeoutNanos == 0 ? 0 : Math.max(1, deadline - System.nanoTime());
                boolean ready = awaitReadable(targets, offset, length, left);
                count = owner.isOpen() ? readNow(targets, offset, length) : 0;
                if (!ready && count == 0 && timeoutNanos > 0 && owner.isOpen() && deadline - System.nanoTime() <= 0) {
                    throw new SocketTimeoutException("Read timed out");
                }
            }
        } finally {
            owner.endBlocking(count > 0);
        }
        return count;
    }

    private boolean awaitReadable(ByteBuffer[] targets, int offset, int length, long nanos) {
        BufferSessions.acquire(targets, offset, length);
        try {
            return connection.awaitReadable(nanos);
        } finally {
            BufferSessions.release(targets, offset, length);
        }
    }

    private void awaitWritable(ByteBuffer[] sources, int offset, int length) {
        BufferSessions.acquire(sources, offset, length);
        try {
            connection.awaitWritable(0);
        } finally {
            BufferSessions.release(sources, offset, length);
        }
    }

    private long readNow(ByteBuffer[] targets, int offset, int length) throws IOException {
        try {
            return connection.read(targets, offset, length);
        } catch (SocketException e) {
            return broken.onRead(unlessClosed(e));
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        ByteBuffer[] apart = length > 1 ? repeated.apart(sources, offset, length) : sources;
        if (apart == sources) {
            return writeApart(sources, offset, length);
        }
        try {
            return writeApart(apart, 0, length);
        } finally {
            repeated.moveOriginals(sources, offset, length, apart);
        }
    }

    private long writeApart(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (!owner.isBlocking()) {
            bindForUse();
            return writeNow(sources, offset, length);
        }
        if (connection.boundWorker() == null || Thread.currentThread().isInterrupted()) {
            return writeBlocking(sources, offset, length, 0);
        }
        long count = writeNow(sources, offset, length);
        return hasRemaining(sources, offset, length) ? writeBlocking(sources, offset, length, count) : count;
    }

    /** Writes the rest, {@code before} bytes being written. */
    private long writeBlocking(ByteBuffer[] sources, int offset, int length, long before) throws IOException {
        long count = before;
        try {
            owner.beginBlocking();
            if (connection.boundWorker() == null) {
                count = writeFirst(sources, offset, length);
            } else if (count == 0 && mayWrite()) {
                count = writeNow(sources, offset, length);
            }
            while (mayWrite() && hasRemaining(sources, offset, length)) {
                awaitWritable(sources, offset, length);
                long more = mayWrite() ? writeMore(sources, offset, length, count) : 0;
                if (more < 0) {
                    break;
                }
                count += more;
            }
        } finally {
            owner.endBlocking(count > 0);
        }
        if (count == 0 && owner.isOutputShutdown()) {
            throw new AsynchronousCloseException();
        }
        return count;
    }

    private long writeFirst(ByteBuffer[] sources, int offset, int length) throws IOException {
        try {
            connection.bindForWrite(transport.blockingGroup());
        } catch (SocketException e) {
            throw unlessClosed(e);
        }
        try {
            return mayWrite() ? writeNow(sources, offset, length) : 0;
        } finally {
            connection.tellBound();
        }
    }

    private boolean mayWrite() {
        return owner.isOpen() && !owner.isOutputShutdown();
    }

    /** Writes on behind a wait; where that fails and something was written before, the next call tells why and this one gives -1. */
    private long writeMore(ByteBuffer[] sources, int offset, int length, long before) throws IOException {
        try {
            return connection.write(sources, offset, length);
        } catch (SocketException e) {
            broken.leftUnread();
            return before == 0 ? broken.onWrite(unlessClosed(e), sources, offset, length) : -1;
        } catch (ClosedChannelException e) {
            if (before == 0) {
                // The output was shut down by another thread.
                throw new AsynchronousCloseException();
            }
            return -1;
        }
    }

    private long writeNow(ByteBuffer[] sources, int offset, int length) throws IOException {
        try {
            return connection.write(sources, offset, length);
        } catch (SocketException e) {
            return broken.onWrite(unlessClosed(e), sources, offset, length);
        } catch (ClosedChannelException e) {
            // The output was shut down by another thread.
            throw new AsynchronousCloseException();
        }
    }

    @Override
    public void writeUrgent(byte data) throws IOException {
        bindForUse();
        boolean sent = false;
        boolean blocking = owner.isBlocking();
        try {
            if (blocking) {
                owner.beginBlocking();
            }
            sent = urgentNow(data);
            while (!sent && blocking && mayWrite()) {
                connection.awaitWritable(0);
                sent = mayWrite() && urgentNow(data);
            }
        } finally {
            if (blocking) {
                owner.endBlocking(sent);
            }
        }
        if (!sent) {
            throw mayWrite() ? new IOException("Socket buffer full") : new AsynchronousCloseException();
        }
    }

    private boolean urgentNow(byte data) throws IOException {
        try {
            return connection.writeUrgent(data);
        } catch (SocketException e) {
            ByteBuffer[] one = {ByteBuffer.wrap(new byte[] {data})};
            return broken.onWrite(e, one, 0, 1) > 0;
        }
    }

    @Override
    public void setUrgentInline(boolean inline) {
        connection.setUrgentInline(inline);
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
        bindForPolling();
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
