package org.ucxnio.connect;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import org.ucxnio.jdk.Descriptors;
import org.ucxnio.posix.Epoll;

/**
 * A channel that the control loop watches. Thread-safe. From the registration on the channel is closed through this object alone: the
 * number of a descriptor that is closed elsewhere may already be another channel's when we speak of it to epoll.
 */
final class Registration {
    private static final int IN_OPS = SelectionKey.OP_READ | SelectionKey.OP_ACCEPT;
    private static final int OUT_OPS = SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT;

    private final ControlLoop loop;
    private final SelectableChannel channel;
    private final long id;
    private final int fd;

    private volatile ControlLoop.Handler handler;

    // -- guarded by this --
    private int events;
    // -- end --

    /** Written with the monitor held. */
    private volatile boolean ended;

    Registration(ControlLoop loop, SelectableChannel channel, long id, ControlLoop.Handler handler) throws IOException {
        this.loop = loop;
        this.channel = channel;
        this.id = id;
        this.fd = Descriptors.of(channel);
        this.handler = handler;
    }

    long id() {
        return id;
    }

    <T> T channel(Class<T> type) {
        return type.cast(channel);
    }

    ControlLoop.Handler handler() {
        return handler;
    }

    /** Hands the channel over. What is ready is told to the new handler. */
    void become(ControlLoop.Handler next) {
        handler = next;
    }

    /** What the handler is called for from now on; nothing where {@code ops} is 0. */
    synchronized void interest(int ops) throws IOException {
        if (ended) {
            throw new ClosedChannelException();
        }
        int wanted = ((ops & IN_OPS) != 0 ? Epoll.IN : 0) | ((ops & OUT_OPS) != 0 ? Epoll.OUT : 0);
        if (wanted == events) {
            return;
        }
        if (wanted == 0) {
            loop.epoll().remove(fd);
        } else if (events == 0) {
            loop.epoll().add(fd, wanted, id);
        } else {
            loop.epoll().modify(fd, wanted, id);
        }
        events = wanted;
    }

    /** As {@link org.ucxnio.posix.Posix#unconfirmedBytes}; 0 once this is at its end. */
    synchronized int unconfirmedBytes() {
        return ended ? 0 : loop.posix().unconfirmedBytes(fd);
    }

    boolean isEnded() {
        return ended;
    }

    /** Lets go of the channel, which stays open. */
    synchronized void end() {
        if (!ended) {
            ended = true;
            if (events != 0) {
                loop.epoll().remove(fd);
            }
            loop.forget(this);
        }
    }

    /** Lets go of the channel and closes it. */
    synchronized void close() {
        end();
        ControlLoop.close(channel);
    }
}
