package org.ucxnio.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.ucxnio.counters.Counter;

/** The bytes of a connection that the kernel carries. */
final class PlainStream implements ByteStream {
    private final UcxSocketChannel owner;
    private final SocketChannel kernel;
    private final PlainConnections counted;
    private final String reason;

    PlainStream(UcxSocketChannel owner, SocketChannel kernel, PlainConnections counted, String reason) {
        this.owner = owner;
        this.kernel = kernel;
        this.counted = counted;
        this.reason = reason;
        counted.opened(reason);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        try {
            long count;
            if (timeoutNanos > 0) {
                count = readWithin(targets[offset], timeoutNanos);
            } else {
                count = length == 1 ? kernel.read(targets[offset]) : kernel.read(targets, offset, length);
            }
            if (count > 0) {
                Counter.TCP_BYTES_RECEIVED.add(count);
            }
            return count;
        } catch (ClosedChannelException e) {
            closeOwner();
            throw e;
        }
    }

    private int readWithin(ByteBuffer target, long timeoutNanos) throws IOException {
        kernel.socket().setSoTimeout((int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos)));
        // Only the socket view of the kernel's channel knows a timeout; its callers read into arrays.
        int start = target.arrayOffset() + target.position();
        int count = kernel.socket().getInputStream().read(target.array(), start, target.remaining());
        if (count > 0) {
            target.position(target.position() + count);
        }
        return count;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        try {
            long count = length == 1 ? kernel.write(sources[offset]) : kernel.write(sources, offset, length);
            Counter.TCP_BYTES_SENT.add(count);
            return count;
        } catch (ClosedChannelException e) {
            closeOwner();
            throw e;
        }
    }

    /** The kernel channel closes itself when a thread in it is interrupted; ours must not stay open without it. */
    private void closeOwner() throws IOException {
        if (!kernel.isOpen()) {
            owner.close();
        }
    }

    @Override
    public void writeUrgent(byte data) throws IOException {
        kernel.socket().sendUrgentData(data);
    }

    @Override
    public void setUrgentInline(boolean inline) throws IOException {
        kernel.socket().setOOBInline(inline);
    }

    @Override
    public void shutdownInput() throws IOException {
        kernel.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        kernel.shutdownOutput();
    }

    @Override
    public int available() throws IOException {
        return kernel.socket().getInputStream().available();
    }

    @Override
    public void close(boolean abort, boolean registered) throws IOException {
        counted.closed(reason);
        kernel.close();
    }
}
