package org.ucxnio.posix.jna;

import com.sun.jna.LastErrorException;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.ucxnio.posix.Epoll;

/** {@code epoll(7)}, level-triggered. */
final class JnaEpoll implements Epoll {
    private static final int EPOLL_CLOEXEC = 0x80000;
    private static final int CTL_ADD = 1;
    private static final int CTL_DEL = 2;
    private static final int CTL_MOD = 3;
    private static final int EINTR = 4;

    // struct epoll_event { uint32_t events; epoll_data_t data; }, packed on x86-64 alone.
    private static final boolean PACKED = System.getProperty("os.arch").equals("amd64")
            || System.getProperty("os.arch").equals("x86_64");
    private static final int EVENT_DATA = PACKED ? 4 : 8;
    private static final int EVENT_SIZE = PACKED ? 12 : 16;

    private static final int MAX_EVENTS = 256;

    private final int fd;

    /** The kernel's events for {@link #await}; it outlives a close that overtakes one. */
    private final ByteBuffer events = allocate(MAX_EVENTS * EVENT_SIZE);

    private final long eventsAddress = JnaLibC.address(events);

    // Contents guarded by this.
    private final ByteBuffer event = allocate(EVENT_SIZE);
    private final long eventAddress = JnaLibC.address(event);

    private int count;

    // Guarded by this, for a number that is closed soon names another file.
    private boolean closed;

    JnaEpoll() throws IOException {
        try {
            fd = JnaLibC.epollCreate1(EPOLL_CLOEXEC);
        } catch (LastErrorException e) {
            throw failure("epoll_create1", e);
        }
    }

    private static ByteBuffer allocate(int size) {
        return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
    }

    @Override
    public void add(int watchedFd, int eventMask, long eventData) throws IOException {
        control(CTL_ADD, watchedFd, eventMask, eventData);
    }

    @Override
    public void modify(int watchedFd, int eventMask, long eventData) throws IOException {
        control(CTL_MOD, watchedFd, eventMask, eventData);
    }

    @Override
    public void remove(int watchedFd) {
        try {
            control(CTL_DEL, watchedFd, 0, 0);
        } catch (IOException e) {
            // Not watched, or closed, which ends the watch by itself: nothing to undo.
            return;
        }
    }

    private synchronized void control(int operation, int watchedFd, int eventMask, long eventData) throws IOException {
        requireOpen();
        event.putInt(0, eventMask);
        event.putLong(EVENT_DATA, eventData);
        try {
            JnaLibC.epollCtl(fd, operation, watchedFd, eventAddress);
        } catch (LastErrorException e) {
            throw failure("epoll_ctl of descriptor " + watchedFd, e);
        } finally {
            Reference.reachabilityFence(event);
        }
    }

    @Override
    public int await(int timeoutMillis) throws IOException {
        synchronized (this) {
            requireOpen();
        }
        count = 0;
        try {
            count = JnaLibC.epollWait(fd, eventsAddress, MAX_EVENTS, timeoutMillis);
            return count;
        } catch (LastErrorException e) {
            if (e.getErrorCode() == EINTR) {
                return 0;
            }
            throw failure("epoll_wait", e);
        } finally {
            Reference.reachabilityFence(events);
        }
    }

    @Override
    public long data(int index) {
        return events.getLong(Objects.checkIndex(index, count) * EVENT_SIZE + EVENT_DATA);
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            JnaLibC.close(fd);
        }
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("the epoll instance is closed");
        }
    }

    private static IOException failure(String what, LastErrorException e) {
        return new IOException(what + ": errno " + e.getErrorCode() + ", " + e.getMessage(), e);
    }
}
