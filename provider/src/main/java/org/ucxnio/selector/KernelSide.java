package org.ucxnio.selector;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.ucxnio.connect.Descriptors;
import org.ucxnio.counters.Log;
import org.ucxnio.posix.Epoll;

/**
 * The kernel channels of a selector: registered with a selector of the platform's inside, and, while our selector sleeps on an epoll
 * instance of its own because of UCX workers, watched by that one too. Owned by the selecting thread, but for {@link #wakeUp} and
 * {@link #registerForeign}.
 */
final class KernelSide {
    private static final int IN_OPS = SelectionKey.OP_READ | SelectionKey.OP_ACCEPT;
    private static final int OUT_OPS = SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT;

    private final Selector inner;
    private final Consumer<SelectionKey> onReady;

    /** Who is watched under a descriptor: a closed channel's number may already be another's. */
    private final Map<Integer, UcxSelectionKey> watched = new HashMap<>();

    private Epoll epoll;

    /** Keys were cancelled that the inner selector still has to let go of. */
    private boolean dirty;

    private int count;

    KernelSide(Selector inner, Consumer<SelectionKey> onReady) {
        this.inner = inner;
        this.onReady = onReady;
    }

    /** Registers a channel of another provider; the caller holds the channel's registration lock. */
    SelectionKey registerForeign(SelectableChannel channel, UcxSelectionKey key) throws ClosedChannelException {
        return channel.register(inner, key.interestNow(), key);
    }

    void foreignAdded() {
        count++;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Brings the inner registration of a key in line with its channel and interest. */
    void sync(UcxSelectionKey key) {
        SelectionKey registered = key.kernelKey;
        SelectableChannel wanted = key.transport == null ? key.channel() : key.transport.kernelChannel();
        try {
            if (registered != null && (registered.channel() != wanted || !registered.isValid())) {
                drop(key);
                registered = null;
            }
            if (registered == null && wanted != null && key.transport != null) {
                key.kernelKey = wanted.register(inner, key.interestNow(), key);
                count++;
            } else if (registered != null && registered.interestOps() != key.interestNow()) {
                registered.interestOps(key.interestNow());
            }
            watch(key);
        } catch (ClosedChannelException | CancelledKeyException e) {
            Log.debug("A channel was closed while its key was brought up to date");
        }
    }

    void drop(UcxSelectionKey key) {
        SelectionKey registered = key.kernelKey;
        if (registered != null) {
            unwatch(key);
            registered.cancel();
            key.kernelKey = null;
            count--;
            dirty = true;
        }
    }

    /** From now on kernel channels are watched by {@code sleepEpoll}, too. */
    void watchWith(Epoll sleepEpoll, Iterable<SelectionKey> keys) {
        epoll = sleepEpoll;
        for (SelectionKey key : keys) {
            watch((UcxSelectionKey) key);
        }
    }

    private void watch(UcxSelectionKey key) {
        SelectionKey registered = key.kernelKey;
        if (epoll == null || registered == null) {
            return;
        }
        int ops = key.interestNow();
        int events = ((ops & IN_OPS) != 0 ? Epoll.IN : 0) | ((ops & OUT_OPS) != 0 ? Epoll.OUT : 0);
        if (events == key.watchedEvents) {
            return;
        }
        try {
            if (events == 0) {
                unwatch(key);
            } else if (key.watchedEvents != 0) {
                epoll.modify(key.watchedFd, events, key.watchedFd);
            } else {
                key.watchedFd = Descriptors.of(registered.channel());
                epoll.add(key.watchedFd, events, key.watchedFd);
                watched.put(key.watchedFd, key);
            }
            key.watchedEvents = events;
        } catch (IOException e) {
            Log.debug("A kernel channel cannot be watched: " + e.getMessage());
        }
    }

    private void unwatch(UcxSelectionKey key) {
        if (key.watchedEvents != 0) {
            key.watchedEvents = 0;
            if (watched.remove(key.watchedFd, key)) {
                epoll.remove(key.watchedFd);
            }
        }
    }

    /** Hands what is ready to the consumer, without waiting. */
    int selectNow() throws IOException {
        dirty = false;
        return inner.selectNow(onReady);
    }

    /** As {@link #selectNow}, where there is a reason to look. */
    void selectNowIfNeeded() throws IOException {
        if (count > 0 || dirty) {
            selectNow();
        }
    }

    void letGo() throws IOException {
        if (dirty) {
            selectNow();
        }
    }

    /** Sleeps in the inner selector. */
    void select(long timeoutMillis) throws IOException {
        dirty = false;
        inner.select(onReady, timeoutMillis);
    }

    void wakeUp() {
        inner.wakeup();
    }

    void close() throws IOException {
        inner.close();
    }
}
