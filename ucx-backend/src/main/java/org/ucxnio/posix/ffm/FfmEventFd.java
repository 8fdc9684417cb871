package org.ucxnio.posix.ffm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.ucxnio.posix.EventFd;

/** {@code eventfd(2)}. */
final class FfmEventFd implements EventFd {
    // int eventfd(unsigned int initval, int flags)
    private static final MethodHandle EVENTFD = LibC.handleWithErrno("eventfd", 2);
    private static final int EFD_CLOEXEC_NONBLOCK = 0x80000 | 0x800;

    // One 1 to write and one place to read to, for all: what is read is of no interest.
    private static final long ONE = LibC.allocateZeroed(Long.BYTES);
    private static final long SCRATCH = LibC.allocateZeroed(Long.BYTES);

    static {
        Raw.putLong(ONE, 1);
    }

    private final int fd;

    // Guarded by this, for a number that is closed soon names another file.
    private boolean closed;

    FfmEventFd() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = LibC.newErrnoState(arena);
            fd = (int) (long) EVENTFD.invokeExact(errno, 0L, (long) EFD_CLOEXEC_NONBLOCK);
            if (fd < 0) {
                throw new IOException("eventfd: " + LibC.describeErrno(LibC.errno(errno)));
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable t) {
            throw Raw.unexpected(t);
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
            LibC.write(fd, ONE, Long.BYTES);
        }
    }

    @Override
    public synchronized void drain() {
        if (!closed) {
            LibC.read(fd, SCRATCH, Long.BYTES);
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            LibC.close(fd);
        }
    }
}
