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
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.Descriptors;
import org.ucxnio.loop.OutOfLine;
import org.ucxnio.posix.Epoll;

/**
 * The kernel channels of a selector: registered with a selector of the platform's inside, and, while our selector sleeps on an epoll
 * instance of its own because of UCX workers, watched by that one too. Owned by the selecting thread, but for {@link #wakeUp} and
 * {@link #registerForeign}.
 */
final class KernelSide {
    private static final int IN_OPS = SelectionKey.OP_READ | SelectionKey.OP_ACCEPT;
    private static final int OUT_OPS = SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT;

    private static final long WAKES_LOOK_NANOS = 1_000_000;

    /** Sleeps that could have ended by a bell before one is made: two descriptors are a price for those that sleep often. */
    private static final int SLEEPS_WITHOUT_BELL = 64;

    private final Selector inner;
    private final SelectorCalls owner;
    private final Consumer<SelectionKey> onReady = new BellFilter();

    /** Null before it is worth it, and where there can be none. */
    private Doorbell doorbell;

    private int sleepsWithoutBell;

    /** Who is watched under a descriptor: a closed channel's number may already be another's. */
    private final Map<Integer, UcxSelectionKey> watched = new HashMap<>();

    private Epoll epoll;

    /** Keys were cancelled that the inner selector still has to let go of. */
    private boolean dirty;

    private int count;

    /** Keys of which the kernel alone can say that they are ready: the others' sockets carry no more than wake-ups. */
    private int speaking;

    /** Whether somebody asks how long ago the last look was; a selector of plain channels never reads the clock for that. */
    private boolean clocked;

    private long lookedAt;

    /** How often the inner selector was asked. */
    private long looks;

    /** @param owner hears of channels that are ready, and of keys for which the bell was rung, or may have been */
    KernelSide(Selector inner, SelectorCalls owner) {
        this.inner = inner;
        this.owner = owner;
    }

    /** Passes on what is not the bell. No lambda: the first one of a process costs it milliseconds. */
    private final class BellFilter implements Consumer<SelectionKey> {
        @Override
        public void accept(SelectionKey ready) {
            if (doorbell != null && doorbell.is(ready)) {
                drainBell();
            } else {
                owner.onKernelReady(ready);
            }
        }
    }

    private void drainBell() {
        try {
            doorbell.drain(owner);
        } catch (IOException e) {
            loseBell(e);
        }
    }

    private void loseBell(IOException e) {
        Log.debug("A bell has gone: " + e);
        Doorbell lost = doorbell;
        doorbell = null;
        lost.close(owner);
    }

    /**
     * What ends the next sleep for rings; null for tokens alone.
     *
     * @param worthIt whether rings are to end it, and no worker
     */
    Doorbell bell(boolean worthIt) {
        if (worthIt && doorbell == null && sleepsWithoutBell >= 0 && ++sleepsWithoutBell > SLEEPS_WITHOUT_BELL) {
            doorbell = Doorbell.open(inner);
            sleepsWithoutBell = -1;
            watchBell();
        }
        return doorbell;
    }

    /** While our selector sleeps on an epoll instance of its own, that one watches the bell, too. */
    private void watchBell() {
        if (epoll != null && doorbell != null) {
            try {
                int descriptor = doorbell.descriptor();
                epoll.add(descriptor, Epoll.IN, descriptor);
            } catch (IOException e) {
                loseBell(e);
            }
        }
    }

    /** The key will be selected no more. */
    void forget(UcxSelectionKey key) {
        if (doorbell != null) {
            doorbell.forget(key);
        }
    }

    /** Registers a channel of another provider; the caller holds the channel's registration lock. */
    SelectionKey registerForeign(SelectableChannel channel, UcxSelectionKey key) {
        try {
            return channel.register(inner, key.interestNow(), key);
        } catch (ClosedChannelException e) {
            throw sneak(e);
        }
    }

    /** The channel was closed meanwhile; its own register, whose part this is, declares the exception, and a selector's cannot. */
    @SuppressWarnings("unchecked")
    private static <E extends Exception> E sneak(Exception cause) throws E {
        throw (E) cause;
    }

    void foreignAdded(UcxSelectionKey key) {
        count++;
        speaks(key, true);
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** What the kernel channel of a key is watched for. */
    static int wantedOps(UcxSelectionKey key) {
        int interest = key.interestNow();
        return key.transport == null ? interest : key.transport.kernelOps(interest);
    }

    /** Brings the inner registration of a key in line with its channel and interest. Not for callers inside {@code onReady}. */
    void sync(UcxSelectionKey key) throws IOException {
        key.endKernelsAlone();
        SelectionKey registered = key.kernelKey;
        SelectableChannel wanted = key.transport == null ? key.channel() : key.transport.kernelChannel();
        int ops = wantedOps(key);
        try {
            if (registered != null && (registered.channel() != wanted || !registered.isValid())) {
                drop(key);
                registered = null;
            }
            if (registered == null && wanted != null && key.transport != null) {
                key.kernelKey = register(wanted, ops, key);
                count++;
            } else if (registered != null && registered.interestOps() != ops) {
                registered.interestOps(ops);
            }
            note(key, ops);
            watch(key, ops);
            leaveToKernel(key);
        } catch (ClosedChannelException | CancelledKeyException e) {
            Log.debug("A channel was closed while its key was brought up to date");
        }
    }

    /** Where our selector has no epoll instance of its own, the inner key is all that has to know of the interest. */
    private void leaveToKernel(UcxSelectionKey key) {
        if (key.kernelKey != null && epoll == null && (key.transport == null || key.transport.isKernelsAlone())) {
            key.setKernelsAlone();
            speaks(key, true);
        }
    }

    private void note(UcxSelectionKey key, int ops) {
        if (key.transport != null) {
            boolean wakesOnly = (ops & ~(key.transport.ringOps() & SelectionKey.OP_READ)) == 0;
            speaks(key, key.kernelKey != null && !wakesOnly);
        }
    }

    private void speaks(UcxSelectionKey key, boolean now) {
        if (key.kernelSpeaks != now) {
            key.kernelSpeaks = now;
            speaking += now ? 1 : -1;
        }
    }

    private SelectionKey register(SelectableChannel channel, int ops, UcxSelectionKey key) throws IOException {
        try {
            return channel.register(inner, ops, key);
        } catch (CancelledKeyException e) {
            // A cancelled key of the channel stands in the way.
            selectNow();
            return channel.register(inner, ops, key);
        }
    }

    void drop(UcxSelectionKey key) {
        SelectionKey registered = key.kernelKey;
        if (registered != null) {
            unwatch(key);
            registered.cancel();
            key.kernelKey = null;
            count--;
            speaks(key, false);
            dirty = true;
        }
    }

    /** From now on kernel channels are watched by {@code sleepEpoll}, too. */
    void watchWith(Epoll sleepEpoll, Iterable<SelectionKey> keys) {
        epoll = sleepEpoll;
        watchBell();
        for (SelectionKey each : keys) {
            UcxSelectionKey key = (UcxSelectionKey) each;
            key.endKernelsAlone();
            watch(key, wantedOps(key));
        }
    }

    private void watch(UcxSelectionKey key, int ops) {
        SelectionKey registered = key.kernelKey;
        if (epoll == null || registered == null) {
            return;
        }
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
        int found = look();
        noteLook();
        return found;
    }

    /**
     * As {@link #selectNow}, where there is a reason to look.
     *
     * @param asleep whether there are rings of which the kernel alone tells that they are ready
     */
    void selectNowIfNeeded(boolean asleep) throws IOException {
        if (asleep || dirty || speaking > 0) {
            selectNow();
        } else {
            selectNowIfDue(System.nanoTime(), WAKES_LOOK_NANOS);
        }
    }

    /**
     * As {@link #selectNow}, where the last look is {@code nanos} old at the time {@code now}, or much older where sockets carry no more
     * than wake-ups and the end of a dead peer.
     */
    void selectNowIfDue(long now, long nanos) throws IOException {
        if (count > 0 && (!clocked || now - lookedAt >= (speaking > 0 ? nanos : WAKES_LOOK_NANOS))) {
            clocked = true;
            selectNow();
        }
    }

    /** Has the inner selector let go of what was cancelled, unless a selection has done so. */
    void letGo() throws IOException {
        if (dirty) {
            selectNow();
        }
    }

    /** Sleeps in the inner selector. */
    void select(long timeoutMillis) throws IOException {
        dirty = false;
        sleep(timeoutMillis);
        noteLook();
    }

    // The next two are the largest methods of all to compile, with the platform's selector in them. The clock is read
    // outside: to read it for the first time, as connections move to rings, would have them compiled anew.

    private int look() throws IOException {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        return inner.selectNow(onReady);
    }

    private void sleep(long timeoutMillis) throws IOException {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        inner.select(onReady, timeoutMillis);
    }

    private void noteLook() {
        looks++;
        if (clocked) {
            lookedAt = System.nanoTime();
        }
    }

    /** How often the inner selector was asked, each time with one system call at least; exact between two selections. */
    long looks() {
        return looks;
    }

    void wakeUp() {
        inner.wakeup();
    }

    void close() throws IOException {
        inner.close();
        if (doorbell != null) {
            doorbell.close();
        }
    }
}
