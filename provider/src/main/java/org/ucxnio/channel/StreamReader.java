package org.ucxnio.channel;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.ucxnio.counters.Counter;
import org.ucxnio.events.RecordedWait;
import org.ucxnio.events.Recorder;
import org.ucxnio.link.Tokens;
import org.ucxnio.loop.OutOfLine;
import org.ucxnio.loop.SpinGovernor;
import org.ucxnio.loop.Spinner;
import org.ucxnio.ring.Waits;
import org.ucxnio.selector.VirtualThreads;
import org.ucxnio.stream.Inbound;

/** The reads of a connection, wherever its bytes come from. Owned by the holder of the channel's read lock. */
final class StreamReader implements BooleanSupplier {
    /** In non-blocking mode, after how many reads in vain the kernel is asked whether the connection has ended. */
    private static final int READS_IN_VAIN = 1 << 10;

    /** A reader looks by itself now and then, as no wake-up reaches one whose ring's memory the peer has taken away. */
    private static final long LONG_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final KernelStream stream;
    private final StreamOwner owner;
    private final SocketChannel kernel;
    private final Inbound in;
    private final Tokens tokens;
    private final SpinGovernor governor;

    /** Null before the first wait. */
    private Spinner spinner;

    /** What the recorder is told of the call that sleeps; null for nothing. */
    private RecordedWait recorded;

    private int inVain;

    StreamReader(
            KernelStream stream,
            StreamOwner owner,
            SocketChannel kernel,
            Inbound in,
            Tokens tokens,
            SpinGovernor governor) {
        this.stream = stream;
        this.owner = owner;
        this.kernel = kernel;
        this.in = in;
        this.tokens = tokens;
        this.governor = governor;
    }

    long read(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        return in.isLinked()
                ? readLink(targets, offset, length, timeoutNanos)
                : readKernel(targets, offset, length, timeoutNanos);
    }

    // -- kernel ------------------------------------------------------------------------------------------------------

    /** A read where {@link Inbound#isKernelAlone}, by the shortest way: most connections are never anything else. */
    long readAlone(ByteBuffer target) throws IOException {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        int position = target.position();
        int count;
        try {
            count = kernel.read(target);
        } catch (ClosedChannelException e) {
            stream.closeOwner();
            throw e;
        } catch (IOException e) {
            return brokenInKernel(e, new ByteBuffer[] {target}, 0, 1, 0);
        }
        if (count == 0) {
            return 0;
        }
        if (count > 0 && in.tookAlone(count)) {
            took(count);
            return count;
        }
        if (count > 0) {
            in.beganAt(position);
        }
        return behindKernel(count, new ByteBuffer[] {target}, 0, 1, 0);
    }

    private long readKernel(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        if (reachesSwitch()) {
            return readLink(targets, offset, length, timeoutNanos);
        }
        if (in.hasBehindLast()) {
            int kept = in.readBehindLast(targets, offset, length);
            Counter.TCP_BYTES_RECEIVED.add(kept);
            return kept;
        }
        in.beforeKernel(targets, offset, length);
        long count;
        try {
            count = askKernel(targets, offset, length, timeoutNanos);
        } catch (ClosedChannelException e) {
            stream.closeOwner();
            throw e;
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return brokenInKernel(e, targets, offset, length, timeoutNanos);
        }
        return behindKernel(count, targets, offset, length, timeoutNanos);
    }

    private long behindKernel(long count, ByteBuffer[] targets, int offset, int length, long timeoutNanos)
            throws IOException {
        if (count < 0 && !owner.isOpen()) {
            throw new AsynchronousCloseException();
        }
        if (count < 0) {
            return endedInKernel(targets, offset, length, timeoutNanos);
        }
        return count == 0 ? 0 : tookFromKernel(count, targets, offset, length, timeoutNanos);
    }

    private long brokenInKernel(IOException cause, ByteBuffer[] targets, int offset, int length, long timeoutNanos)
            throws IOException {
        if (breaksBehindSwitch()) {
            return readLink(targets, offset, length, timeoutNanos);
        }
        if (cause instanceof SocketException reset) {
            // A writer on the link may have been told of it.
            return stream.broken().onRead(reset);
        }
        throw cause;
    }

    private void took(long count) {
        Counter.TCP_BYTES_RECEIVED.add(count);
        stream.used(count, true);
    }

    private long endedInKernel(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        if (endsBehindSwitch()) {
            return readLink(targets, offset, length, timeoutNanos);
        }
        return tokens.isReset() ? stream.broken().onRead(new SocketException("Connection reset")) : -1;
    }

    private long tookFromKernel(long count, ByteBuffer[] targets, int offset, int length, long timeoutNanos)
            throws IOException {
        long taken = in.tookFromKernel(count, targets, offset, length);
        if (in.isLinked()) {
            // A selector may be asked next, and no byte comes from the kernel for what is in the ring by now.
            stream.moved();
        }
        if (taken > 0) {
            took(taken);
            return taken;
        }
        return readLink(targets, offset, length, timeoutNanos);
    }

    /** Bytes that can be read at once. */
    int available() throws IOException {
        if (reachesSwitch()) {
            in.update();
        }
        return in.isLinked() ? in.available() : in.availableBehind(availableInKernel());
    }

    /** Bytes that the kernel has. Any thread. */
    int availableInKernel() throws IOException {
        return owner.isInputShutdown() ? 0 : kernel.socket().getInputStream().available();
    }

    /** Goes over to the ring where that is due. */
    boolean reachesSwitch() {
        if (!in.reachSwitch()) {
            return false;
        }
        stream.moved();
        return true;
    }

    /** Goes over to the link where that is due and nobody reads. Any thread. */
    void reachSwitch() {
        if (!in.isLinked() && owner.readLock().tryLock()) {
            try {
                reachesSwitch();
            } finally {
                owner.readLock().unlock();
            }
        }
    }

    private boolean endsBehindSwitch() {
        boolean behind = catchesUp();
        if (behind) {
            tokens.endOfInput();
        }
        return behind;
    }

    private boolean breaksBehindSwitch() {
        boolean behind = catchesUp();
        if (behind) {
            tokens.end();
        }
        return behind;
    }

    /** Goes over to the link where the peer has switched at the end of what it sent to the socket. */
    private boolean catchesUp() {
        in.catchUp();
        return reachesSwitch();
    }

    private long askKernel(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        if (timeoutNanos > 0) {
            return readWithin(targets[offset], timeoutNanos);
        }
        return length == 1 ? kernel.read(targets[offset]) : kernel.read(targets, offset, length);
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

    // -- link --------------------------------------------------------------------------------------------------------

    /**
     * Takes in the tokens that have come, where nobody reads: should the process end without closing the connection, unread ones would have
     * the kernel throw away what it has to send. For the holder of the write lock, who settles what was left to this one meanwhile.
     */
    void takeTokens() {
        if (in.isLinked() && owner.readLock().tryLock()) {
            try {
                tokens.takeIn();
            } finally {
                owner.readLock().unlock();
            }
        }
    }

    /** Reads what is there on the link, by the shortest way; 0 where there is nothing, or {@link #read} has to tell. */
    int readAtOnce(ByteBuffer target) throws IOException {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        return owner.isBlocking() && Thread.currentThread().isInterrupted() || FileBuffers.isOne(target)
                ? 0
                : in.readAtOnce(target);
    }

    private long readLink(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        return FileBuffers.any(targets, offset, length)
                ? readPiece(targets, offset, length, timeoutNanos)
                : readBuffers(targets, offset, length, timeoutNanos);
    }

    /** Reads into what lies before the first buffer of a file, or into a piece of that. */
    private long readPiece(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        int at = offset;
        while (!targets[at].hasRemaining() && at < offset + length - 1) {
            at++;
        }
        if (!FileBuffers.isOne(targets[at])) {
            int end = at + 1;
            while (end < offset + length && !FileBuffers.isOne(targets[end])) {
                end++;
            }
            return readBuffers(targets, at, end - at, timeoutNanos);
        }
        BufferSessions.acquire(targets, at, 1);
        try {
            ByteBuffer piece = FileBuffers.piece(targets[at]);
            long count = readBuffers(new ByteBuffer[] {piece}, 0, 1, timeoutNanos);
            if (count > 0) {
                take(piece, targets[at]);
            }
            return count;
        } finally {
            BufferSessions.release(targets, at, 1);
        }
    }

    /** What was read and cannot be given to the application would be missing from what it reads next. */
    private void take(ByteBuffer piece, ByteBuffer target) throws IOException {
        try {
            FileBuffers.take(piece, target);
        } catch (IOException e) {
            stream.closeOwner();
            throw e;
        }
    }

    private long readBuffers(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        if (!owner.isBlocking()) {
            long count = readNow(targets, offset, length);
            if (count != 0) {
                return count;
            }
            return in.isLinked() ? readInVain(targets, offset, length) : readBack(targets, offset, length, 0);
        }
        if (Thread.currentThread().isInterrupted()) {
            owner.beginBlocking();
            owner.endBlocking(false);
        }
        // What is there is read without the ceremony of a call that blocks.
        long count = readNow(targets, offset, length);
        return count == 0 ? readWaiting(targets, offset, length, timeoutNanos) : count;
    }

    /** The stream has left the link. Whoever shuts the input down says so first and then looks whether there is a link. */
    private long readBack(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        return owner.isInputShutdown() ? -1 : readKernel(targets, offset, length, timeoutNanos);
    }

    private long readNow(ByteBuffer[] targets, int offset, int length) throws IOException {
        try {
            long count = length == 1 ? in.readAtOnce(targets[offset]) : 0;
            if (count == 0) {
                count = in.read(targets, offset, length);
            }
            if (count == 0 && tokens.isEnded() && in.isLinked()) {
                // What was written before the end is in the ring by now.
                count = in.read(targets, offset, length);
                if (count == 0 && in.isPeerGone() && in.isLinked()) {
                    if (in.hasExited()) {
                        return -1;
                    }
                    throw new SocketException("Connection reset");
                }
            }
            return count;
        } catch (SocketException e) {
            return stream.broken().onRead(stream.unlessClosed(e));
        }
    }

    /** A read that may not wait has found nothing: where nobody else would notice the connection's end, asks for it. */
    private long readInVain(ByteBuffer[] targets, int offset, int length) throws IOException {
        if ((++inVain & READS_IN_VAIN - 1) != 0 && in.isSessionAlive()) {
            return 0;
        }
        tokens.drain();
        // A selector, which was not looking, may sleep until they come.
        stream.onReady();
        return tokens.isEnded() ? readNow(targets, offset, length) : 0;
    }

    private long readWaiting(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        long start = timeoutNanos == 0 ? 0 : System.nanoTime();
        BufferSessions.acquire(targets, offset, length);
        try {
            while (true) {
                if (!owner.isOpen()) {
                    throw new AsynchronousCloseException();
                }
                if (owner.isInputShutdown()) {
                    tellRecorder(-1);
                    return -1;
                }
                long left = timeoutNanos == 0 ? Long.MAX_VALUE : timeoutNanos - (System.nanoTime() - start);
                if (left <= 0) {
                    throw new SocketTimeoutException("Read timed out");
                }
                if (!in.isLinked()) {
                    return readBack(targets, offset, length, timeoutNanos == 0 ? 0 : left);
                }
                await(left);
                long count = owner.isOpen() ? readNow(targets, offset, length) : 0;
                if (count != 0) {
                    tellRecorder(count);
                    return count;
                }
                stream.lookAtPeer();
            }
        } finally {
            recorded = null;
            BufferSessions.release(targets, offset, length);
        }
    }

    private void tellRecorder(long count) {
        if (recorded != null) {
            recorded.tell(owner.remoteAddressOrNull(), count);
        }
    }

    /** Whether a thread that waits has to look. */
    @Override
    public boolean getAsBoolean() {
        return in.hasSomething() || in.isPeerGone() || !owner.isOpen() || owner.isInputShutdown();
    }

    private void await(long nanos) throws IOException {
        if (in.awaitsLast()) {
            awaitLast(nanos);
            return;
        }
        boolean virtual = VirtualThreads.isCurrent();
        spinner = Spinner.ofThread(governor, spinner, virtual);
        if (spinner.spin(nanos, this)) {
            return;
        }
        if (recorded == null) {
            recorded = Recorder.beginRead();
        }
        if (in.canSleep(virtual)) {
            sleepOnLink(nanos, virtual);
        } else {
            sleepInKernel(nanos);
        }
        spinner.slept();
    }

    private void sleepOnLink(long nanos, boolean virtual) throws IOException {
        boolean found = false;
        try {
            owner.beginBlocking();
            // Whoever ends the session, the channel or its input says so first and then wakes those that sleep.
            if (in.arm(Waits.FUTEX) && !getAsBoolean() && in.canSleep(virtual)) {
                in.sleep(Math.min(nanos, LONG_WAIT_NANOS));
            }
            in.disarm();
            found = owner.isOpen();
        } finally {
            owner.endBlocking(found);
        }
    }

    private void awaitLast(long nanos) throws IOException {
        tokens.awaiting(true);
        try {
            if (owner.isOpen() && !owner.isInputShutdown()) {
                awaitToken(nanos);
            }
        } finally {
            tokens.awaiting(false);
        }
    }

    /** Not as a blocking call of ours: the kernel's channel is one by itself, and an interrupt closes the one that waits. */
    private void sleepInKernel(long nanos) throws IOException {
        tokens.awaiting(true);
        try {
            // Whoever shuts down the input says so first and then looks whether somebody waits.
            if (in.arm(Waits.TOKEN) && !getAsBoolean()) {
                awaitToken(nanos);
            }
            in.disarm();
        } catch (ClosedChannelException e) {
            // Not in any case: where the memory of the ring has gone another error would meet whoever takes the first.
            in.disarm();
            throw e;
        } finally {
            tokens.awaiting(false);
        }
    }

    private void awaitToken(long nanos) throws IOException {
        try {
            tokens.await(nanos);
        } catch (ClosedChannelException e) {
            stream.closeOwner();
            throw e;
        }
    }
}
