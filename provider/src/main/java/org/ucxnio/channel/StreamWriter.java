package org.ucxnio.channel;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.ucxnio.counters.Counter;
import org.ucxnio.events.RecordedWait;
import org.ucxnio.events.Recorder;
import org.ucxnio.jdk.KernelSockets;
import org.ucxnio.link.Sink;
import org.ucxnio.link.Tokens;
import org.ucxnio.loop.OutOfLine;
import org.ucxnio.loop.SpinGovernor;
import org.ucxnio.loop.Spinner;
import org.ucxnio.ring.Waits;
import org.ucxnio.selector.VirtualThreads;
import org.ucxnio.stream.Outbound;

/** The writes of a connection, wherever its bytes go. Owned by the holder of the channel's write lock. */
final class StreamWriter implements BooleanSupplier {
    /** A writer that has waited for so long gets a larger ring than is good for the caches. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** A writer that has waited for so long, and can have no larger ring, goes back to TCP. */
    private static final long GIVE_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How long a writer sleeps before it looks by itself. */
    private static final long LONG_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How often a writer that nobody can wake looks for room. */
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final KernelStream stream;
    private final StreamOwner owner;
    private final SocketChannel kernel;
    private final Outbound out;
    private final Tokens tokens;
    private final SpinGovernor governor;

    /** The socket sends short segments at once, as {@link FilePieces} are written. */
    private boolean hurries;

    /** Null before the first wait. */
    private Spinner spinner;

    /** Null before the first gathering write to a link. */
    private RepeatedBuffers repeated;

    StreamWriter(
            KernelStream stream,
            StreamOwner owner,
            SocketChannel kernel,
            Outbound out,
            Tokens tokens,
            SpinGovernor governor) {
        this.stream = stream;
        this.owner = owner;
        this.kernel = kernel;
        this.out = out;
        this.tokens = tokens;
        this.governor = governor;
    }

    long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (out.isPaired()) {
            switchWhereThereIsRoom();
        }
        if (!out.isLinked()) {
            return writeKernel(sources, offset, length);
        }
        if (length <= 1) {
            return writeBuffers(sources, offset, length);
        }
        if (repeated == null) {
            repeated = new RepeatedBuffers();
        }
        ByteBuffer[] apart = repeated.apart(sources, offset, length);
        if (apart == sources) {
            return writeBuffers(sources, offset, length);
        }
        try {
            return writeBuffers(apart, 0, length);
        } finally {
            repeated.moveOriginals(sources, offset, length, apart);
        }
    }

    /**
     * In blocking mode a token is not to wait behind what the peer does not read: nobody could end that wait by closing the channel. A writer
     * that the peer takes from soon waits for the room, as it would for its own bytes; another one writes to the kernel once more.
     */
    private void switchWhereThereIsRoom() throws AsynchronousCloseException {
        if (owner.isBlocking() && !KernelSockets.hasRoom(kernel)) {
            long start = System.nanoTime();
            while (!KernelSockets.hasRoom(kernel)) {
                if (Thread.currentThread().isInterrupted() || System.nanoTime() - start > PATIENCE_NANOS) {
                    return;
                }
                LockSupport.parkNanos(LOOK_NANOS);
                if (!mayWrite()) {
                    throw new AsynchronousCloseException();
                }
            }
        }
        switchNow();
    }

    void switchNow() {
        out.switchNow();
        if (out.isLinked()) {
            stream.moved();
        }
    }

    /** A write where {@link Outbound#isKernelAlone}, by the shortest way: most connections are never anything else. */
    int writeAlone(ByteBuffer source) throws IOException {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        try {
            int count = writeOne(source);
            gave(count);
            return count;
        } catch (ClosedChannelException e) {
            stream.closeOwner();
            throw e;
        } catch (IOException e) {
            throw stream.unlessClosed(e);
        }
    }

    /** The write behind pieces of a file may be the last of them: it is not kept back either. */
    private int writeOne(ByteBuffer source) throws IOException {
        boolean piece = FilePieces.isOne(source);
        if (!piece && !hurries) {
            return kernel.write(source);
        }
        if (piece) {
            FileTransfers.sawPiece();
        }
        if (!hurries) {
            hurries = owner.hurry(true);
        }
        int count = kernel.write(source);
        if (!piece) {
            hurryNoMore();
        }
        return count;
    }

    /** No piece of a file follows. */
    void hurryNoMore() {
        if (hurries) {
            hurries = owner.hurry(false);
        }
    }

    /** A call has given bytes to the kernel, if any. */
    void gave(long count) {
        if (count > 0) {
            out.gaveToKernel(count);
            Counter.TCP_BYTES_SENT.add(count);
            stream.used(count, false);
        }
    }

    private long writeKernel(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (out.isTokenOwed() && !out.payToken()) {
            return 0;
        }
        try {
            long count = length == 1 ? writeOne(sources[offset]) : kernel.write(sources, offset, length);
            gave(count);
            return count;
        } catch (ClosedChannelException e) {
            stream.closeOwner();
            throw e;
        } catch (IOException e) {
            throw stream.unlessClosed(e);
        }
    }

    /** Writes all of a buffer to the link, by the shortest way; 0 where it does not, and {@link #write} has to tell. */
    int writeAtOnce(ByteBuffer source) throws IOException {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        return owner.isBlocking() && Thread.currentThread().isInterrupted() || FileBuffers.isOne(source)
                ? 0
                : out.writeAtOnce(source);
    }

    private long writeBuffers(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (length == 1 && FilePieces.isOne(sources[offset])) {
            FileTransfers.sawPiece();
        }
        return FileBuffers.any(sources, offset, length)
                ? writePieces(sources, offset, length)
                : writeLink(sources, offset, length);
    }

    /** One buffer behind the other, and those of files in pieces. */
    private long writePieces(ByteBuffer[] sources, int offset, int length) throws IOException {
        long count = 0;
        try {
            for (int i = offset; i < offset + length; i++) {
                while (sources[i].hasRemaining()) {
                    if (!out.isLinked()) {
                        return owner.isBlocking()
                                ? writeRest(sources, i, offset + length - i, count)
                                : count + writeKernel(sources, i, offset + length - i);
                    }
                    long wanted = Math.min(sources[i].remaining(), FileBuffers.PIECE_BYTES);
                    long written = writePiece(sources[i]);
                    count += written;
                    if (written < wanted) {
                        return count;
                    }
                }
            }
            return count;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            if (count == 0) {
                throw e;
            }
            return count;
        }
    }

    private long writePiece(ByteBuffer source) throws IOException {
        if (!FileBuffers.isOne(source)) {
            return writeLink(new ByteBuffer[] {source}, 0, 1);
        }
        ByteBuffer piece = FileBuffers.piece(source);
        try {
            return writeLink(new ByteBuffer[] {piece}, 0, 1);
        } finally {
            source.position(source.position() + piece.position());
        }
    }

    private long writeLink(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (!owner.isBlocking()) {
            long count = writeNow(sources, offset, length, Sink.MAX_BYTES);
            return count == 0 && goesBack(true) ? writeKernel(sources, offset, length) : count;
        }
        if (Thread.currentThread().isInterrupted()) {
            owner.beginBlocking();
            owner.endBlocking(false);
        }
        long count = writeNow(sources, offset, length, Sink.EASY_BYTES);
        if (!hasRemaining(sources, offset, length)) {
            return count;
        }
        return goesBack(false)
                ? writeRest(sources, offset, length, count)
                : writeWaiting(sources, offset, length, count);
    }

    /**
     * Goes back to TCP where the last write has found no room on the link, and no memory for more. Selectors stream slower through any
     * ring that is always full than through TCP.
     */
    private boolean goesBack(boolean waited) {
        if (!out.goBack(waited)) {
            return false;
        }
        Counter.RINGS_LEFT.increment();
        stream.wroteBack();
        return true;
    }

    /**
     * Writes the rest to the kernel, {@code before} bytes being written to the link. Whoever closes the channel or its output says so first
     * and then looks whether there is a link; where there was one still, this thread is not to wait in the kernel.
     */
    private long writeRest(ByteBuffer[] sources, int offset, int length, long before) throws IOException {
        long count = before;
        try {
            while (mayWrite() && hasRemaining(sources, offset, length)) {
                count += writeKernel(sources, offset, length);
            }
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            if (count == 0) {
                throw e;
            }
            return count;
        }
        return mayWrite() ? count : ended(count);
    }

    private long writeNow(ByteBuffer[] sources, int offset, int length, int most) throws IOException {
        try {
            return out.write(sources, offset, length, most);
        } catch (SocketException e) {
            return stream.broken().onWrite(stream.unlessClosed(e), sources, offset, length);
        }
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
        long waited = 0;
        RecordedWait recorded = Recorder.beginWrite();
        BufferSessions.acquire(sources, offset, length);
        try {
            while (hasRemaining(sources, offset, length)) {
                if (!mayWrite()) {
                    return ended(count);
                }
                await(waited < GIVE_UP_NANOS ? PATIENCE_NANOS : LONG_WAIT_NANOS, count > 0);
                waited = System.nanoTime() - since;
                int most = waited < PATIENCE_NANOS ? Sink.EASY_BYTES : Sink.MAX_BYTES;
                long more = mayWrite() ? writeMore(sources, offset, length, count, most) : 0;
                if (more < 0) {
                    return count;
                }
                if (more == 0 && waited >= GIVE_UP_NANOS && mayWrite() && goesBack(true)) {
                    return writeRest(sources, offset, length, count);
                }
                if (more > 0) {
                    since = System.nanoTime();
                    waited = 0;
                    count += more;
                }
            }
            return count;
        } finally {
            if (recorded != null) {
                recorded.tell(owner.remoteAddressOrNull(), count);
            }
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
    private long writeMore(ByteBuffer[] sources, int offset, int length, long before, int most) throws IOException {
        try {
            return out.write(sources, offset, length, most);
        } catch (SocketException e) {
            stream.broken().leftUnread();
            return before == 0 ? stream.broken().onWrite(stream.unlessClosed(e), sources, offset, length) : -1;
        }
    }

    /** A byte of urgent data. */
    void writeUrgent(byte data) throws IOException {
        if (out.isPaired()) {
            switchWhereThereIsRoom();
        }
        if (!out.isLinked()) {
            writeUrgentToKernel(data);
            return;
        }
        while (!urgentNow(data)) {
            if (goesBack(true)) {
                writeUrgentToKernel(data);
                return;
            }
            if (!owner.isBlocking()) {
                throw new IOException("Socket buffer full");
            }
            if (!mayWrite()) {
                throw new AsynchronousCloseException();
            }
            await(LONG_WAIT_NANOS, false);
        }
    }

    private void writeUrgentToKernel(byte data) throws IOException {
        if (out.isTokenOwed() && !out.payToken()) {
            throw new IOException("Socket buffer full");
        }
        out.pin();
        kernel.socket().sendUrgentData(data);
    }

    private boolean urgentNow(byte data) throws IOException {
        try {
            return out.writeUrgent(data);
        } catch (SocketException e) {
            ByteBuffer[] urgent = {ByteBuffer.wrap(new byte[] {data})};
            return stream.broken().onWrite(stream.unlessClosed(e), urgent, 0, 1) > 0;
        }
    }

    // -- waiting for room --------------------------------------------------------------------------------------------

    /** Whether a thread that waits has to look. */
    @Override
    public boolean getAsBoolean() {
        return out.isWritableNow() || tokens.isEnded() || !mayWrite();
    }

    /** @param some whether the call has something to tell, closed or not */
    private void await(long nanos, boolean some) throws IOException {
        boolean virtual = VirtualThreads.isCurrent();
        spinner = Spinner.ofThread(governor, spinner, virtual);
        if (spinner.spin(nanos, this)) {
            return;
        }
        boolean found = some;
        try {
            owner.beginBlocking();
            if (!out.isTokenOwed() && out.canSleep(virtual)) {
                // Whoever ends the session, the channel or its output says so first and then wakes those that sleep.
                if (out.arm(Waits.FUTEX) && !getAsBoolean() && out.canSleep(virtual)) {
                    out.sleep(nanos);
                }
                out.disarm();
            } else {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            stream.lookAtPeer();
            found = some || owner.isOpen();
        } finally {
            owner.endBlocking(found);
            spinner.slept();
        }
    }
}
