package org.ucxnio.posix;

/** {@code eventfd(2)}, but for the calls of the kernel. */
public abstract class KernelEventFd implements EventFd {
    protected static final int CLOEXEC_NONBLOCK = 0x80000 | 0x800;

    private final int fd;

    // Guarded by this, for a number that is closed soon names another file.
    private boolean closed;

    protected KernelEventFd(int fd) {
        this.fd = fd;
    }

    @Override
    public final int fd() {
        return fd;
    }

    @Override
    public final synchronized void signal() {
        if (!closed) {
            // Fails only when the counter is full, and then it is readable anyway.
            writeOne(fd);
        }
    }

    /** Writes a 64-bit 1. */
    protected abstract void writeOne(int eventFd);

    @Override
    public final synchronized void drain() {
        if (!closed) {
            readAll(fd);
        }
    }

    /** Reads 64 bits, which are of no interest. */
    protected abstract void readAll(int eventFd);

    @Override
    public final synchronized void close() {
        if (!closed) {
            closed = true;
            closeDescriptor(fd);
        }
    }

    protected abstract void closeDescriptor(int eventFd);
}
