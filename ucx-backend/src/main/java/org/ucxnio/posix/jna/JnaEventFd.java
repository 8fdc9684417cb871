package org.ucxnio.posix.jna;

import com.sun.jna.LastErrorException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ucxnio.posix.EventFd;

/** {@code eventfd(2)}. */
final class JnaEventFd implements EventFd {
    private static final int EFD_CLOEXEC_NONBLOCK = 0x80000 | 0x800;

    // One 1 to write and one place to read to, for all: what is read is of no interest.
    private static final ByteBuffer WORDS = ByteBuffer.allocateDirect(2 * Long.BYTES)
            .order(ByteOrder.nativeOrder())
            .putLong(0, 1);
    private static final long ONE = JnaLibC.address(WORDS);
    private static final long SCRATCH = ONE + Long.BYTES;

    private final int fd;

    // Guarded by this, for a number that is closed soon names another file.
    private boolean closed;

    JnaEventFd() throws IOException {
        try {
            fd = JnaLibC.eventfd(0, EFD_CLOEXEC_NONBLOCK);
        } catch (LastErrorException e) {
            throw new IOException("eventfd: " + e.getMessage(), e);
        }
    }

    @Override
    public int fd() {
        return fd;
    }

    @Override
    public synchronized void signal() {
        if (!closed) {
            // Fails only when the counter is full, and then it is readable anyway.
            JnaLibC.write(fd, ONE, Long.BYTES);
        }
    }

    @Override
    public synchronized void drain() {
        if (!closed) {
            JnaLibC.read(fd, SCRATCH, Long.BYTES);
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            JnaLibC.close(fd);
        }
    }
}
