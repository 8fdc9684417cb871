package org.ucxnio.selector;

import java.lang.invoke.VarHandle;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectionKey;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.ucxnio.link.Bell;
import org.ucxnio.transport.TransportWorker;

/** A key of {@link UcxSelector}, for a channel of ours or of another provider. */
final class UcxSelectionKey extends AbstractSelectionKey implements ChannelListener {
    private static final int FREE = 0;
    private static final int IN_QUEUE = 1;

    // Updaters: in code that is not compiled yet a call of theirs takes half as long as one of a variable handle.
    private static final AtomicIntegerFieldUpdater<UcxSelectionKey> QUEUED =
            AtomicIntegerFieldUpdater.newUpdater(UcxSelectionKey.class, "queued");
    private static final AtomicIntegerFieldUpdater<UcxSelectionKey> INTEREST =
            AtomicIntegerFieldUpdater.newUpdater(UcxSelectionKey.class, "interest");

    private final SelectorCalls selector;
    private final SelectableChannel channel;

    /** The channel, when it is one of ours. */
    final TransportChannel transport;

    /** Any thread; through {@link #INTEREST} where it is changed. */
    private volatile int interest;

    /** Whether the key is in the ready queue; changed through {@link #QUEUED}. */
    private volatile int queued;

    /**
     * Written by the selecting thread, which lets go of its selector's monitor behind that. Another one that asks for it reads first whether
     * the key is valid, each time: it reads this one anew as well.
     */
    private int ready;

    /** The next key of the ready queue; owned by whoever holds the queue's chain. */
    UcxSelectionKey next;

    // -- owned by the selecting thread (the holder of the selector's monitor) --
    /** The interest when the selection began; none for a key that is younger. The selection goes on with it. */
    private int interestInForce;

    int selectedIndex = -1;

    /** Set when the key is registered, then owned by the selecting thread. */
    TransportWorker worker;

    boolean workerCounted;

    /** In the selector's list of keys for an action. */
    boolean collected;

    /** The last selection that counted the key as changed. */
    int countedIn;

    /** The place among the {@link ActiveKeys}; below 0 while it is not there. */
    int activeIndex = -1;

    /** When the key was ready or woken last, in looks of the {@link ActiveKeys}. */
    int lastReady;

    /** What the channel was armed for; 0 when it is not, or was disarmed. */
    int armedOps;

    /** The selector's bell as it is rung for this key; null before that. */
    Bell bell;

    /** Armed so that the selector's bell tells, and not its kernel channel. */
    boolean armedForBell;

    /** What the kernel's epoll watches for this key while the selector sleeps with workers; see {@link KernelSide}. */
    int watchedEvents;

    /** Counted by the kernel's side as one that it alone can speak for. */
    boolean kernelSpeaks;

    int watchedFd = -1;
    // -- end --

    /** The inner selector's key of the kernel channel; written by the selecting thread, cancelled by any. */
    volatile SelectionKey kernelKey;

    /** Whether that one says all there is to say, so that it is told a new interest at once. Written by the selecting thread. */
    private volatile boolean kernelsAlone;

    UcxSelectionKey(SelectorCalls selector, SelectableChannel channel, int interest) {
        this.selector = selector;
        this.channel = channel;
        this.transport = channel instanceof TransportChannel ours ? ours : null;
        this.interest = interest;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public Selector selector() {
        return selector;
    }

    private void ensureValid() {
        if (!isValid()) {
            throw new CancelledKeyException();
        }
    }

    @Override
    public int interestOps() {
        ensureValid();
        return interest;
    }

    @Override
    public SelectionKey interestOps(int ops) {
        ensureValid();
        checkOps(ops);
        if (interest != ops) {
            interest = ops;
            tellInterest();
        }
        return this;
    }

    @Override
    public int interestOpsOr(int ops) {
        ensureValid();
        checkOps(ops);
        int before = interest;
        while (!INTEREST.compareAndSet(this, before, before | ops)) {
            before = interest;
        }
        if ((before | ops) != before) {
            tellInterest();
        }
        return before;
    }

    @Override
    public int interestOpsAnd(int ops) {
        ensureValid();
        int before = interest;
        while (!INTEREST.compareAndSet(this, before, before & ops)) {
            before = interest;
        }
        if ((before & ops) != before) {
            tellInterest();
        }
        return before;
    }

    /**
     * Has the next selection know of a new interest. As long as the kernel alone speaks for the channel the inner key is told, as a program would tell it,
     * and nothing is left for the selecting thread to do.
     *
     * <p>Several may tell it at the same time, and the selecting thread may take the key away from the kernel meanwhile. Whoever has something to say writes
     * it first (the interest, who speaks for the channel), and tells the inner key behind that. So what is told late is stale only where something
     * else was written since, which is looked for here last of all: then the selecting thread puts it right, and is woken for it, as it may sleep by what is
     * stale. What is changed while that one brings the key up to date is left to its next selection.
     */
    private void tellInterest() {
        SelectionKey inner = kernelKey;
        if (!kernelsAlone || inner == null) {
            selector.enqueue(this);
            return;
        }
        int ops = interest;
        try {
            inner.interestOps(ops);
        } catch (CancelledKeyException e) {
            selector.enqueue(this);
            return;
        }
        if (interest != ops || !kernelsAlone) {
            selector.signal(this);
        }
    }

    boolean isKernelsAlone() {
        return kernelsAlone;
    }

    void setKernelsAlone() {
        kernelsAlone = true;
    }

    /** From now on the selecting thread tells the inner key. What that one was told of the interest is in force. */
    void endKernelsAlone() {
        if (kernelsAlone) {
            kernelsAlone = false;
            putInterestInForce();
        }
    }

    private void checkOps(int ops) {
        if ((ops & ~channel.validOps()) != 0) {
            throw new IllegalArgumentException();
        }
    }

    @Override
    public int readyOps() {
        ensureValid();
        return readyNow();
    }

    /** At the beginning of a selection. */
    void putInterestInForce() {
        interestInForce = interest;
    }

    /** The interest that the selection goes on with. */
    int interestInForce() {
        return interestInForce;
    }

    /** Whether the interest was changed since the selection began, so that the next one has to look at the key. */
    boolean hasNewInterest() {
        return interest != interestInForce;
    }

    /** The interest, whether the key is valid or not. */
    int interestNow() {
        return interest;
    }

    int readyNow() {
        return ready;
    }

    void ready(int ops) {
        ready = ops;
    }

    /**
     * Marks the key as queued; false when it was already. Always a compare-and-set, which is a full fence: what made the key ready is
     * visible to whoever takes the mark away after this has found it there.
     */
    boolean markQueued() {
        return QUEUED.compareAndSet(this, FREE, IN_QUEUE);
    }

    /**
     * The key was taken from the queue. What is read behind this is no older than the mark's end: a change either shows in what is read,
     * or finds no mark and queues the key anew.
     */
    void clearQueued() {
        QUEUED.lazySet(this, FREE);
        VarHandle.fullFence();
    }

    @Override
    public void onReady() {
        selector.signal(this);
    }

    @Override
    public void releaseKernelKey() {
        SelectionKey inner = kernelKey;
        if (inner != null && !isValid()) {
            inner.cancel();
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("channel=")
                .append(channel)
                .append(", selector=")
                .append(selector);
        if (isValid()) {
            text.append(", interestOps=").append(interest).append(", readyOps=").append(ready);
        } else {
            text.append(", invalid");
        }
        return text.toString();
    }
}
