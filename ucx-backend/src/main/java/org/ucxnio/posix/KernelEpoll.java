package org.ucxnio.posix;

import java.io.IOException;
import java.util.Objects;

/** {@code epoll(7)}, level-triggered, but for the calls of the kernel. */
public abstract class KernelEpoll implements Epoll {
    protected static final int CLOEXEC = 0x80000;
    protected static final int MAX_EVENTS = 256;

    // struct epoll_event { uint32_t events; epoll_data_t data; }, packed on x86-64 alone.
    private static final boolean PACKED = System.getProperty("os.arch").equals("amd64")
            || System.getProperty("os.arch").equals("x86_64");
    protected static final int EVENT_DATA = PACKED ? 4 : 8;
    protected static final int EVENT_SIZE = PACKED ? 12 : 16;

    private static final int CTL_ADD = 1;
    private static final int CTL_DEL = 2;
    private static final int CTL_MOD = 3;

    private final int fd;
    private int count;

    // Guarded by this: a number that is closed soon names another file, and memory is freed by whoever is last, close
    // or
    // an await it overtook.
    private boolean awaiting;
    private boolean closed;

    protected KernelEpoll(int fd) {
        this.fd = fd;
    }

    @Override
    public final void add(int watchedFd, int eventMask, long eventData) throws IOException {
        change(CTL_ADD, watchedFd, eventMask, eventData);
    }

    @Override
    public final void modify(int watchedFd, int eventMask, long eventData) throws IOException {
        change(CTL_MOD, watchedFd, eventMask, eventData);
    }

    @Override
    public final void remove(int watchedFd) {
        try {
            change(CTL_DEL, watchedFd, 0, 0);
        } catch (IOException e) {
            // Not watched, or closed, which ends the watch by itself: nothing to undo.
            return;
        }
    }

    private synchronized void change(int operation, int watchedFd, int eventMask, long eventData) throws IOException {
        requireOpen();
        control(fd, operation, watchedFd, eventMask, eventData);
    }

    /** {@code epoll_ctl}; one thread at a time. */
    protected abstract void control(int epoll, int operation, int watchedFd, int eventMask, long eventData)
            throws IOException;

    @Override
    public final int await(int timeoutMillis) throws IOException {
        synchronized (this) {
            requireOpen();
            awaiting = true;
        }
        count = 0;
        try {
            count = poll(fd, timeoutMillis);
            return count;
        } finally {
            endAwait();
        }
    }

    /** {@code epoll_wait} for {@link #MAX_EVENTS} at most: their number, and 0 where a signal interrupted it. */
    protected abstract int poll(int epoll, int timeoutMillis) throws IOException;

    private synchronized void endAwait() {
        awaiting = false;
        if (closed) {
            free();
        }
    }

    @Override
    public final long data(int index) {
        return polled(Objects.checkIndex(index, count));
    }

    /** Data of one of the events of the last {@link #poll}, also when this has been closed. */
    protected abstract long polled(int index);

    @Override
    public final synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        closeDescriptor(fd);
        if (!awaiting) {
            free();
        }
    }

    protected abstract void closeDescriptor(int epoll);

    /** Frees what the kernel writes to: nothing is called any more. */
    protected abstract void free();

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("the epoll instance is closed");
        }
    }
}
