package org.ucxnio.posix.jna;

import com.sun.jna.LastErrorException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ucxnio.posix.KernelEventFd;

/** {@code eventfd(2)}. */
final class JnaEventFd extends KernelEventFd {
    // One 1 to write and one place to read to, for all.
    private static final ByteBuffer WORDS = ByteBuffer.allocateDirect(2 * Long.BYTES)
            .order(ByteOrder.nativeOrder())
            .putLong(0, 1);
    private static final long ONE = JnaLibC.address(WORDS);
    private static final long SCRATCH = ONE + Long.BYTES;

    JnaEventFd() throws IOException {
        super(create());
    }

    private static int create() throws IOException {
        try {
            return JnaLibC.eventfd(0, CLOEXEC_NONBLOCK);
        } catch (LastErrorException e) {
            throw new IOException("eventfd: " + e.getMessage(), e);
        }
    }

    @Override
    protected void writeOne(int eventFd) {
        JnaLibC.write(eventFd, ONE, Long.BYTES);
    }

    @Override
    protected void readAll(int eventFd) {
        JnaLibC.read(eventFd, SCRATCH, Long.BYTES);
    }

    @Override
    protected void closeDescriptor(int eventFd) {
        JnaLibC.close(eventFd);
    }
}
