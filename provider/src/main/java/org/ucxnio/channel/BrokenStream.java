package org.ucxnio.channel;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How a connection that broke tells of it, as a kernel socket does: a reset is news to whoever asks first, reader or writer. From
 * then on a writer hears of a broken pipe, a reader whose side had the news hears it again, and the other reads the end of the
 * stream. The first write to a peer that has closed in order is taken, though nobody will ever read it; unless it waited for that peer
 * to read, which has closed with bytes unread then. Thread-safe.
 */
final class BrokenStream {
    private static final int UNTOLD = 0;
    private static final int TOLD_READER = 1;
    private static final int TOLD_WRITER = 2;
    private static final String PIPE = "Broken pipe";

    private final AtomicInteger told = new AtomicInteger(UNTOLD);

    private volatile boolean leftUnread;

    /** A write was waiting for the peer to read when the connection ended. */
    void leftUnread() {
        leftUnread = true;
    }

    /** A read failed: throws, or returns what the read returns. */
    int onRead(SocketException cause) throws SocketException {
        if (told.compareAndSet(UNTOLD, TOLD_READER) || told.get() == TOLD_READER) {
            throw cause;
        }
        return -1;
    }

    /** A write failed, before it had moved anything: throws, or returns what the write returns. */
    long onWrite(SocketException cause, ByteBuffer[] sources, int offset, int length) throws IOException {
        boolean first = told.compareAndSet(UNTOLD, TOLD_WRITER);
        boolean closedInOrder = PIPE.equals(cause.getMessage()) && !leftUnread;
        if (!first) {
            throw new IOException(PIPE, cause);
        }
        if (!closedInOrder) {
            throw new IOException("Connection reset by peer", cause);
        }
        return swallow(sources, offset, length);
    }

    private static long swallow(ByteBuffer[] sources, int offset, int length) {
        long count = 0;
        for (int i = offset; i < offset + length; i++) {
            count += sources[i].remaining();
            sources[i].position(sources[i].limit());
        }
        return count;
    }
}
