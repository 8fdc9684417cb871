package org.ucxnio.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import org.ucxnio.counters.Counter;
import org.ucxnio.jdk.LateErrors;
import org.ucxnio.jdk.TransferHook;
import org.ucxnio.selector.VirtualThreads;
import org.ucxnio.stream.Outbound;

/** Has the kernel copy files to the socket of a connection. Owned by the holder of the channel's write lock. */
final class FileSender {
    /** Whether a transfer that waits ends where the channel is closed. That of Java 21 waits on. */
    private static final boolean ENDS_WITH_THE_CHANNEL = Runtime.version().feature() >= 25;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final KernelStream stream;
    private final StreamOwner owner;
    private final SocketChannel kernel;
    private final Outbound out;
    private final SentFiles files;

    FileSender(KernelStream stream, StreamOwner owner) {
        this.stream = stream;
        this.owner = owner;
        this.kernel = stream.kernel;
        this.out = stream.out;
        this.files = new SentFiles(stream.onThisHost);
        stream.files = files;
    }

    /** As {@link TransferHook#TYPE}. Tokens lie behind what was counted here, as behind what was written. */
    long transfer(FileChannel file, long position, long count) throws IOException {
        if (owner.isBlocking() && !ENDS_WITH_THE_CHANNEL || !hasTheKernel(count)) {
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

    private boolean hasTheKernel(long count) {
        if (out.isLinked() && (!files.areMany(count) || stream.torn.isTorn() || !leavesLink())) {
            return false;
        }
        return out.isKernelAlone() || out.isBack() && !out.isTokenOwed();
    }

    private boolean leavesLink() {
        files.bringBack();
        try {
            boolean leaves = stream.writer.leaveLink();
            LateErrors.surface();
            return leaves;
        } catch (InternalError e) {
            stream.torn.tear(e);
            return false;
        }
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

    private long transferNow(FileChannel file, long position, long count) throws IOException {
        long sent = file.transferTo(position, count, kernel);
        if (sent > 0) {
            stream.writer.gave(sent);
            Counter.FILE_BYTES_SENT.add(sent);
            String stays = files.copied(sent, stream.writer.kernelCalls());
            if (stays != null) {
                stream.staysPlain(stays);
            }
        }
        return sent;
    }
}
