package org.ucxnio.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ArrayBlockingQueue;
import org.ucxnio.counters.Counter;
import org.ucxnio.jdk.LateErrors;
import org.ucxnio.jdk.TransferHook;
import org.ucxnio.link.Sink;
import org.ucxnio.selector.VirtualThreads;
import org.ucxnio.stream.Outbound;

/**
 * Sends files over a connection: the kernel copies them to the socket, or to where the peer reads them; a link that cannot have that is written to from
 * a buffer. Owned by the holder of the channel's write lock.
 */
final class FileSender {
    /** What is read of a file at a time: little enough for the caches. */
    private static final int PIECE_BYTES = 64 << 10;

    private static final int MAX_FREE = 4;

    /** Buffers of that size that nobody uses. */
    private static final ArrayBlockingQueue<ByteBuffer> FREE = new ArrayBlockingQueue<>(MAX_FREE);

    /** Whether a transfer that waits in the kernel ends where the channel is closed. That of Java 21 waits on. */
    private static final boolean ENDS_WITH_THE_CHANNEL = Runtime.version().feature() >= 25;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final KernelStream stream;
    private final StreamOwner owner;
    private final SocketChannel kernel;
    private final Outbound out;
    private final ByteBuffer[] one = new ByteBuffer[1];

    FileSender(KernelStream stream, StreamOwner owner) {
        this.stream = stream;
        this.owner = owner;
        this.kernel = stream.kernel;
        this.out = stream.out;
    }

    /** As {@link TransferHook#TYPE}. What it declines goes in pieces of {@link FilePieces#BYTES}, each of them a write. */
    long transfer(FileChannel file, long position, long count) throws IOException {
        if (out.isLinked()) {
            return position < 0 || count <= FilePieces.BYTES
                    ? TransferHook.DECLINED
                    : transferToLink(file, position, count);
        }
        if (owner.isBlocking() && !ENDS_WITH_THE_CHANNEL || !isTheKernels()) {
            return TransferHook.DECLINED;
        }
        stream.writer.hurryNoMore();
        try {
            return owner.isBlocking() ? transferWaiting(file, position, count) : transferNow(file, position, count);
        } catch (ClosedChannelException e) {
            stream.closeOwner();
            throw e;
        } catch (IOException e) {
            throw stream.unlessClosed(e);
        }
    }

    // -- the kernel --------------------------------------------------------------------------------------------------

    private boolean isTheKernels() {
        return out.isKernelAlone() || out.isBack() && !out.isTokenOwed();
    }

    /**
     * Once a virtual thread has used a socket none of these calls waits there, nor has a virtual thread wait with its carrier. The writing of
     * pieces waits as it should.
     */
    private long transferWaiting(FileChannel file, long position, long count) throws IOException {
        if (VirtualThreads.isCurrent()) {
            kernel.write(NOTHING);
        }
        long sent = transferNow(file, position, count);
        return sent == 0 ? TransferHook.DECLINED : sent;
    }

    /** Tokens lie behind what is counted here, as behind what was written. */
    private long transferNow(FileChannel file, long position, long count) throws IOException {
        long sent = file.transferTo(position, count, kernel);
        stream.writer.gave(sent);
        Counter.FILE_BYTES_SENT.add(sent);
        return sent;
    }

    // -- the link ----------------------------------------------------------------------------------------------------

    /** Fails as the writing of pieces does: where some of them were written it tells how much, and the next call why there is no more. */
    private long transferToLink(FileChannel file, long position, long count) throws IOException {
        long sent = 0;
        try {
            long more;
            do {
                more = readIntoLink(file, position + sent, count - sent);
                if (more <= 0) {
                    int most = more == 0 && !owner.isBlocking() ? FilePieces.BYTES : PIECE_BYTES;
                    more = transferPiece(file, position + sent, (int) Math.min(count - sent, most));
                }
                sent += Math.max(more, 0);
            } while (sent < count && more > 0 && owner.isOpen() && !owner.isOutputShutdown());
            return sent == 0 ? more : sent;
        } catch (IOException e) {
            if (sent > 0) {
                return sent;
            }
            throw closingBoth(e, file);
        }
    }

    /** As {@link Sink#writeFile}. What fails here fails once more where a piece is read, or written, which tells it. */
    private int readIntoLink(FileChannel file, long position, long count) throws ClosedChannelException {
        try {
            int written = out.writeFile(file, position, count, owner.isBlocking() ? Sink.EASY_BYTES : Sink.MAX_BYTES);
            LateErrors.surfaceCheaply();
            Counter.FILE_BYTES_SENT.add(Math.max(written, 0));
            return written;
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException | InternalError e) {
            return 0;
        }
    }

    /** Returns what the transfer of nothing else returns. */
    private long transferPiece(FileChannel file, long position, int most) throws IOException {
        ByteBuffer piece = take();
        if (piece == null) {
            return TransferHook.DECLINED;
        }
        one[0] = piece.clear().limit(most);
        try {
            if (file.read(piece, position) <= 0) {
                return 0;
            }
            piece.flip();
            return stream.write(one, 0, 1);
        } finally {
            one[0] = null;
            FREE.offer(piece);
        }
    }

    /** An interrupt closes the file and the channel, whichever of them the thread was at. */
    private IOException closingBoth(IOException failure, FileChannel file) throws IOException {
        if (failure instanceof ClosedByInterruptException) {
            file.close();
            owner.close();
        }
        return failure;
    }

    /** A buffer of {@link #PIECE_BYTES}, or null where there is no memory for one. */
    private static ByteBuffer take() {
        ByteBuffer free = FREE.poll();
        try {
            return free == null ? ByteBuffer.allocateDirect(PIECE_BYTES) : free;
        } catch (OutOfMemoryError e) {
            return null;
        }
    }
}
