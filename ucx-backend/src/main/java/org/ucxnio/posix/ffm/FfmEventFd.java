package org.ucxnio.posix.ffm;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import org.ucxnio.posix.KernelEventFd;

/** {@code eventfd(2)}. */
final class FfmEventFd extends KernelEventFd {
    // int eventfd(unsigned int initval, int flags)
    private static final MethodHandle EVENTFD = LibC.handleWithErrno("eventfd", 2);

    // One 1 to write and one place to read to, for all.
    private static final long ONE = LibC.allocateZeroed(Long.BYTES);
    private static final long SCRATCH = LibC.allocateZeroed(Long.BYTES);

    static {
        Raw.putLong(ONE, 1);
    }

    FfmEventFd() throws IOException {
        super(LibC.openDescriptor("eventfd", EVENTFD, 0, CLOEXEC_NONBLOCK));
    }

    @Override
    protected void writeOne(int eventFd) {
        LibC.write(eventFd, ONE, Long.BYTES);
    }

    @Override
    protected void readAll(int eventFd) {
        LibC.read(eventFd, SCRATCH, Long.BYTES);
    }

    @Override
    protected void closeDescriptor(int eventFd) {
        LibC.close(eventFd);
    }
}
