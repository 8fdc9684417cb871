package org.ucxnio.channel;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.ucxnio.counters.Counter;
import org.ucxnio.loop.Spinner;
import org.ucxnio.ring.Waits;
import org.ucxnio.selector.VirtualThreads;
import org.ucxnio.stream.Outbound;
import org.ucxnio.stream.Tokens;

/** The writes of a connection, wherever its bytes go. Owned by the holder of the channel's write lock. */
final class StreamWriter {
    /** A writer that has waited for so long gets a larger ring than is good for the caches. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** How long a writer sleeps before it looks by itself. */
    private static final long LONG_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How often a writer looks for room that nobody can wake. */
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final KernelStream stream;
    private final UcxSocketChannel owner;
    private final SocketChannel kernel;
    private final Outbound out;
    private final Tokens tokens;
    private final Spinner spinner;
    private final BooleanSupplier look = this::mustLook;
    private final RepeatedBuffers repeated = new RepeatedBuffers();
    private final ByteBuffer[] urgent = new ByteBuffer[1];

    StreamWriter(
            KernelStream stream,
            UcxSocketChannel owner,
            SocketChannel kernel,
            Outbound out,
            Tokens tokens,
            Spinner spinner) {
        this.stream = stream;
        this.owner = owner;
        this.kernel = kernel;
        this.out = out;
        this.tokens = tokens;
        this.spinner = spinner;
    }

    long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (out.isPaired()) {
            switchNow();
        }
        if (!out.isRing()) {
            return writeKernel(sources, offset, length);
        }
        ByteBuffer[] apart = length > 1 ? repeated.apart(sources, offset, length) : sources;
        if (apart == sources) {
            return writeRing(sources, offset, length);
        }
        try {
            return writeRing(apart, 0, length);
        } finally {
            repeated.moveOriginals(sources, offset, length, apart);
        }
    }

    void switchNow() {
        out.switchNow();
        if (out.isRing()) {
            stream.moved();
        }
    }

    private long writeKernel(ByteBuffer[] sources, int offset, int length) throws IOException {
        try {
            long count = length == 1 ? kernel.write(sources[offset]) : kernel.write(sources, offset, length);
            if (count > 0) {
                out.gaveToKernel(count);
                Counter.TCP_BYTES_SENT.add(count);
                stream.used();
            }
            return count;
        } catch (ClosedChannelException e) {
            stream.closeOwner();
            throw e;
        } catch (IOException e) {
            throw stream.unlessClosed(e);
        }
    }

    private long writeRing(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (!owner.isBlocking()) {
            return writeNow(sources, offset, length, Outbound.MAX_BYTES);
        }
        if (Thread.currentThread().isInterrupted()) {
            owner.beginBlocking();
            owner.endBlocking(false);
        }
        long count = writeNow(sources, offset, length, Outbound.EASY_BYTES);
        return hasRemaining(sources, offset, length) ? writeWaiting(sources, offset, length, count) : count;
    }

    private long writeNow(ByteBuffer[] sources, int offset, int length, int maxRing) throws IOException {
        try {
            return counted(out.write(sources, offset, length, maxRing));
        } catch (SocketException e) {
            return stream.broken().onWrite(stream.unlessClosed(e), sources, offset, length);
        }
    }

    private static long counted(long count) {
        if (count > 0) {
            Counter.RING_BYTES_SENT.add(count);
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

    /** Writes the rest, {@code before} bytes being written. */
    private long writeWaiting(ByteBuffer[] sources, int offset, int length, long before) throws IOException {
        long count = before;
        long since = System.nanoTime();
        BufferSessions.acquire(sources, offset, length);
        try {
            while (hasRemaining(sources, offset, length)) {
                if (!mayWrite()) {
                    return ended(count);
                }
                boolean impatient = System.nanoTime() - since > PATIENCE_NANOS;
                await(impatient ? LONG_WAIT_NANOS : PATIENCE_NANOS, count > 0);
                long more = mayWrite()
                        ? writeMore(
                                sources, offset, length, count, impatient ? Outbound.MAX_BYTES : Outbound.EASY_BYTES)
                        : 0;
                if (more < 0) {
                    return count;
                }
                if (more > 0) {
                    since = System.nanoTime();
                    count += more;
                }
            }
            return count;
        } finally {
            BufferSessions.release(sources, offset, length);
        }
    }

    private boolean mayWrite() {
        return owner.isOpen() && !owner.isOutputShutdown();
    }

    private static long ended(long count) throws AsynchronousCloseException {
        if (count == 0) {
            throw new AsynchronousCloseException();
        }
        return count;
    }

    /** Writes on behind a wait; where that fails and something was written before, the next call tells why and this one gives -1. */
    private long writeMore(ByteBuffer[] sources, int offset, int length, long before, int maxRing) throws IOException {
        try {
            return counted(out.write(sources, offset, length, maxRing));
        } catch (SocketException e) {
            stream.broken().leftUnread();
            return before == 0 ? stream.broken().onWrite(stream.unlessClosed(e), sources, offset, length) : -1;
        }
    }

    /** A byte of urgent data. */
    void writeUrgent(byte data) throws IOException {
        if (out.isPaired()) {
            switchNow();
        }
        if (!out.isRing()) {
            out.pin();
            kernel.socket().sendUrgentData(data);
            return;
        }
        while (!urgentNow(data)) {
            if (!owner.isBlocking()) {
                throw new IOException("Socket buffer full");
            }
            if (!mayWrite()) {
                throw new AsynchronousCloseException();
            }
            await(LONG_WAIT_NANOS, false);
        }
    }

    private boolean urgentNow(byte data) throws IOException {
        try {
            return out.writeUrgent(data);
        } catch (SocketException e) {
            urgent[0] = ByteBuffer.wrap(new byte[] {data});
            return stream.broken().onWrite(stream.unlessClosed(e), urgent, 0, 1) > 0;
        }
    }

    // -- waiting for room --------------------------------------------------------------------------------------------

    private boolean mustLook() {
        return out.isWritableNow() || tokens.isEnded() || !mayWrite();
    }

    /** @param some whether the call has something to tell, closed or not */
    private void await(long nanos, boolean some) throws IOException {
        if (spinner.spin(nanos, look)) {
            return;
        }
        boolean found = some;
        try {
            owner.beginBlocking();
            if (out.canSleepOnRing() && !VirtualThreads.isCurrent()) {
                // Whoever ends the session, the channel or its output says so first and then wakes those that sleep.
                if (out.arm(Waits.FUTEX) && !mustLook() && out.canSleepOnRing()) {
                    out.sleepOnRing(nanos);
                }
                out.disarm();
            } else {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            found = some || owner.isOpen();
        } finally {
            owner.endBlocking(found);
        }
    }
}
