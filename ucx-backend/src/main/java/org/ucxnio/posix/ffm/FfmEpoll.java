package org.ucxnio.posix.ffm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Objects;
import org.ucxnio.posix.Epoll;

/** {@code epoll(7)}, level-triggered. */
final class FfmEpoll implements Epoll {
    // int epoll_create1(int flags)
    private static final MethodHandle CREATE = LibC.handleWithErrno("epoll_create1", 1);

    // int epoll_ctl(int epfd, int op, int fd, struct epoll_event *event)
    private static final MethodHandle CTL = LibC.handleWithErrno("epoll_ctl", 4);

    // int epoll_wait(int epfd, struct epoll_event *events, int maxevents, int timeout)
    private static final MethodHandle WAIT = LibC.handleWithErrno("epoll_wait", 4);

    private static final int EPOLL_CLOEXEC = 0x80000;
    private static final int CTL_ADD = 1;
    private static final int CTL_DEL = 2;
    private static final int CTL_MOD = 3;

    // struct epoll_event { uint32_t events; epoll_data_t data; }, packed on x86-64 alone.
    private static final boolean PACKED = System.getProperty("os.arch").equals("amd64")
            || System.getProperty("os.arch").equals("x86_64");
    static final int EVENT_DATA = PACKED ? 4 : 8;
    static final int EVENT_SIZE = PACKED ? 12 : 16;

    private static final int MAX_EVENTS = 256;
    private static final int MAX_EVENT_SIZE = 16;

    private final int fd;

    // Native memory, one block: the kernel's events for await and its errno, then the event for control and its errno.
    // It is of
    // no arena, as closing a shared one stops every thread. Data is copied out of it, so that data() survives a close.
    private final long events;
    private final MemorySegment awaitErrno;

    // Contents guarded by this.
    private final long event;
    private final MemorySegment controlErrno;

    private final long[] data = new long[MAX_EVENTS];
    private int count;

    // Guarded by this: memory is freed by whoever is last, close or an await it overtook.
    private boolean awaiting;
    private boolean closed;

    FfmEpoll() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = LibC.newErrnoState(arena);
            fd = (int) (long) CREATE.invokeExact(errno, (long) EPOLL_CLOEXEC);
            if (fd < 0) {
                throw failure("epoll_create1", errno);
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
        long eventsSize = (long) MAX_EVENTS * EVENT_SIZE;
        events = LibC.allocateZeroed(eventsSize + 2 * Long.BYTES + MAX_EVENT_SIZE);
        awaitErrno = LibC.errnoStateAt(events + eventsSize);
        controlErrno = LibC.errnoStateAt(events + eventsSize + Long.BYTES);
        event = events + eventsSize + 2 * Long.BYTES;
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
        try {
            Raw.putInt(event, eventMask);
            Raw.putLong(event + EVENT_DATA, eventData);
            int result =
                    (int) (long) CTL.invokeExact(controlErrno, (long) fd, (long) operation, (long) watchedFd, event);
            if (result != 0) {
                throw failure("epoll_ctl of descriptor " + watchedFd, controlErrno);
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    @Override
    public int await(int timeoutMillis) throws IOException {
        synchronized (this) {
            requireOpen();
            awaiting = true;
        }
        count = 0;
        try {
            int ready = (int)
                    (long) WAIT.invokeExact(awaitErrno, (long) fd, events, (long) MAX_EVENTS, (long) timeoutMillis);
            if (ready < 0) {
                if (LibC.errno(awaitErrno) == LibC.EINTR) {
                    return 0;
                }
                throw failure("epoll_wait", awaitErrno);
            }
            for (int i = 0; i < ready; i++) {
                data[i] = Raw.getLong(events + (long) i * EVENT_SIZE + EVENT_DATA);
            }
            count = ready;
            return ready;
        } catch (IOException e) {
            throw e;
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        } finally {
            endAwait();
        }
    }

    private synchronized void endAwait() {
        awaiting = false;
        if (closed) {
            free();
        }
    }

    @Override
    public long data(int index) {
        return data[Objects.checkIndex(index, count)];
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        LibC.close(fd);
        if (!awaiting) {
            free();
        }
    }

    private void free() {
        LibC.free(events);
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("the epoll instance is closed");
        }
    }

    private static IOException failure(String what, MemorySegment errno) {
        return new IOException(what + ": " + LibC.describeErrno(LibC.errno(errno)));
    }
}
