package org.ucxnio.posix.jna;

import com.sun.jna.LastErrorException;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ucxnio.posix.KernelEpoll;

/** {@code epoll(7)}, with the kernel's structures in direct buffers. */
final class JnaEpoll extends KernelEpoll {
    private static final int EINTR = 4;

    private final ByteBuffer events = allocate(MAX_EVENTS * EVENT_SIZE);
    private final long eventsAddress = JnaLibC.address(events);
    private final ByteBuffer event = allocate(EVENT_SIZE);
    private final long eventAddress = JnaLibC.address(event);

    JnaEpoll() throws IOException {
        super(create());
    }

    private static int create() throws IOException {
        try {
            return JnaLibC.epollCreate1(CLOEXEC);
        } catch (LastErrorException e) {
            throw failure("epoll_create1", e);
        }
    }

    private static ByteBuffer allocate(int size) {
        return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
    }

    @Override
    protected void control(int epoll, int operation, int watchedFd, int eventMask, long eventData) throws IOException {
        event.putInt(0, eventMask);
        event.putLong(EVENT_DATA, eventData);
        try {
            JnaLibC.epollCtl(epoll, operation, watchedFd, eventAddress);
        } catch (LastErrorException e) {
            throw failure("epoll_ctl of descriptor " + watchedFd, e);
        } finally {
            Reference.reachabilityFence(event);
        }
    }

    @Override
    protected int poll(int epoll, int timeoutMillis) throws IOException {
        try {
            return JnaLibC.epollWait(epoll, eventsAddress, MAX_EVENTS, timeoutMillis);
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
    protected long polled(int index) {
        return events.getLong(index * EVENT_SIZE + EVENT_DATA);
    }

    @Override
    protected void closeDescriptor(int epoll) {
        JnaLibC.close(epoll);
    }

    @Override
    protected void free() {
        // The buffers are the collector's.
    }

    private static IOException failure(String what, LastErrorException e) {
        return new IOException(what + ": errno " + e.getErrorCode() + ", " + e.getMessage(), e);
    }
}
