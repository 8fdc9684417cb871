package org.ucxnio.posix.ffm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.ucxnio.posix.KernelEpoll;

/** {@code epoll(7)}, with the kernel's structures in native memory. */
final class FfmEpoll extends KernelEpoll {
    // int epoll_create1(int flags); the second argument is none of its own, so that it shares the code of a call
    private static final MethodHandle CREATE = LibC.handleWithErrno("epoll_create1", 2);

    // int epoll_ctl(int epfd, int op, int fd, struct epoll_event *event)
    private static final MethodHandle CTL = LibC.handleWithErrno("epoll_ctl", 4);

    // int epoll_wait(int epfd, struct epoll_event *events, int maxevents, int timeout)
    private static final MethodHandle WAIT = LibC.handleWithErrno("epoll_wait", 4);

    private static final int MAX_EVENT_SIZE = 16;

    // Native memory, one block: the kernel's events for await and its errno, then the event for control and its errno.
    // It is of no arena, as closing a shared one stops every thread. Data is copied out of it, so that data() survives
    // a
    // close.
    private final long events;
    private final MemorySegment awaitErrno;
    private final long event;
    private final MemorySegment controlErrno;

    private final long[] data = new long[MAX_EVENTS];

    FfmEpoll() throws IOException {
        super(LibC.openDescriptor("epoll_create1", CREATE, CLOEXEC, 0));
        long eventsSize = (long) MAX_EVENTS * EVENT_SIZE;
        events = LibC.allocateZeroed(eventsSize + 2 * Long.BYTES + MAX_EVENT_SIZE);
        awaitErrno = LibC.errnoStateAt(events + eventsSize);
        controlErrno = LibC.errnoStateAt(events + eventsSize + Long.BYTES);
        event = events + eventsSize + 2 * Long.BYTES;
    }

    @Override
    protected void control(int epoll, int operation, int watchedFd, int eventMask, long eventData) throws IOException {
        Raw.putInt(event, eventMask);
        Raw.putLong(event + EVENT_DATA, eventData);
        int result;
        try {
            result =
                    (int) (long) CTL.invokeExact(controlErrno, (long) epoll, (long) operation, (long) watchedFd, event);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
        if (result != 0) {
            throw LibC.failure("epoll_ctl of descriptor " + watchedFd, controlErrno);
        }
    }

    @Override
    protected int poll(int epoll, int timeoutMillis) throws IOException {
        int ready;
        try {
            ready = (int)
                    (long) WAIT.invokeExact(awaitErrno, (long) epoll, events, (long) MAX_EVENTS, (long) timeoutMillis);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
        if (ready < 0) {
            if (LibC.errno(awaitErrno) == LibC.EINTR) {
                return 0;
            }
            throw LibC.failure("epoll_wait", awaitErrno);
        }
        for (int i = 0; i < ready; i++) {
            data[i] = Raw.getLong(events + (long) i * EVENT_SIZE + EVENT_DATA);
        }
        return ready;
    }

    @Override
    protected long polled(int index) {
        return data[index];
    }

    @Override
    protected void closeDescriptor(int epoll) {
        LibC.close(epoll);
    }

    @Override
    protected void free() {
        LibC.free(events);
    }
}
