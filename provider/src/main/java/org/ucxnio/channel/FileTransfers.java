package org.ucxnio.channel;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.ucxnio.jdk.OwnThread;
import org.ucxnio.jdk.TransferHook;

/**
 * {@code FileChannel.transferTo} channels of ours: once a program is seen to do that, it asks here first, so that the kernel copies a file to a
 * connection that it carries, as it does to the JDK's own. Before, and where there is no agent, such a file is written in pieces. Thread-safe.
 */
final class FileTransfers {
    private static final String FILE_CHANNEL = "sun.nio.ch.FileChannelImpl";

    /** Pieces before anybody looks who writes them: the change costs more than a few files do. */
    private static final int LOOK_AT = 16;

    private static final AtomicInteger PIECES = new AtomicInteger();

    private static volatile boolean decided;

    private FileTransfers() {}

    /** What may be a piece of a file was written ({@link FilePieces#isOne}). Whose it is shows where the call comes from, at ever fewer of them. */
    static void sawPiece() {
        if (decided) {
            return;
        }
        int count = PIECES.incrementAndGet();
        if (!TransferHook.isPossible()) {
            decided = true;
        } else if (count >= LOOK_AT && Integer.bitCount(count) == 1 && isTransfer()) {
            askedFromNowOn();
        }
    }

    /** No {@link StackWalker}: the first one of a process holds up whoever writes the piece for 4 ms or more, a trace for about 1. */
    private static boolean isTransfer() {
        for (StackTraceElement caller : new Throwable().getStackTrace()) {
            if (caller.getClassName().equals(FILE_CHANNEL)) {
                return true;
            }
        }
        return false;
    }

    private static void askedFromNowOn() {
        synchronized (FileTransfers.class) {
            if (decided) {
                return;
            }
            decided = true;
        }
        OwnThread.of(new Installation(), "ucxnio-files").start();
    }

    /** No lambda: the first one of a process costs whoever sends the file some milliseconds. */
    private static final class Installation implements Runnable {
        @Override
        public void run() {
            install();
        }
    }

    private static void install() {
        TransferHook.install(MethodHandles.lookup(), "transfer");
    }

    /** As {@link TransferHook#TYPE} says. */
    static long transfer(FileChannel file, long position, long count, WritableByteChannel target) throws IOException {
        return target instanceof StreamOwner channel ? channel.transfer(file, position, count) : TransferHook.DECLINED;
    }
}
