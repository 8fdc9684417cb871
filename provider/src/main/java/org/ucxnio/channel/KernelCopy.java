package org.ucxnio.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Copies between buffers that the kernel makes, in calls: through a pipe. A thread that waits for a page meanwhile holds nobody up, and
 * memory that has gone is an {@link IOException}. Thread-safe: every copy has a pipe of its own.
 */
final class KernelCopy {
    private static final int MAX_FREE = 4;

    /** Empty ones, which do not block: those that do are closed by an interrupt. */
    private static final ArrayBlockingQueue<Pipe> FREE = new ArrayBlockingQueue<>(MAX_FREE);

    private KernelCopy() {}

    /** Copies what remains of a buffer into one in which as much remains. Where there are no descriptors for a pipe, Java copies. */
    static void copy(ByteBuffer from, ByteBuffer to) throws IOException {
        Pipe pipe = take();
        if (pipe == null) {
            to.put(from);
            return;
        }
        boolean empty = false;
        try {
            while (from.hasRemaining()) {
                int count = pipe.sink().write(from);
                ByteBuffer piece = to.slice(to.position(), count);
                while (piece.hasRemaining()) {
                    pipe.source().read(piece);
                }
                to.position(to.position() + count);
            }
            empty = true;
        } finally {
            if (!empty || !FREE.offer(pipe)) {
                close(pipe);
            }
        }
    }

    private static Pipe take() {
        Pipe free = FREE.poll();
        return free == null ? open() : free;
    }

    private static Pipe open() {
        try {
            Pipe pipe = Pipe.open();
            pipe.sink().configureBlocking(false);
            pipe.source().configureBlocking(false);
            return pipe;
        } catch (IOException e) {
            return null;
        }
    }

    private static void close(Pipe pipe) throws IOException {
        pipe.sink().close();
        pipe.source().close();
    }
}
