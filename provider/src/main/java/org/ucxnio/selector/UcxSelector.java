package org.ucxnio.selector;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.ucxnio.connect.Descriptors;
import org.ucxnio.counters.Log;
import org.ucxnio.posix.Posix;
import org.ucxnio.transport.Effort;
import org.ucxnio.transport.Spinner;
import org.ucxnio.transport.Transport;
import org.ucxnio.transport.TransportWorker;
import org.ucxnio.transport.WorkerGroup;

/**
 * The selector. A selection costs what is ready, not what is registered: connections put their keys into a queue, and only keys from
 * there, or still ready from the last time, are looked at. It spins while work keeps coming, then sleeps: in the platform's selector
 * as long as there are kernel channels alone, otherwise on an epoll instance that watches the workers' descriptors as well.
 *
 * <p>No wakeup is lost, because whoever has something first publishes it (queue, wakeup flag) and then reads whether the selector
 * sleeps ({@link Sleep}), while the selector first says that it sleeps and then looks at both once more.
 */
public final class UcxSelector extends AbstractSelector {
    private static final long KERNEL_LOOK_NANOS = 10_000;

    private final WorkerGroup group;
    private final Spinner spinner;
    private final KernelSide kernel;
    private final Sleep sleep;
    private final ReadyQueue queue = new ReadyQueue();
    private final Set<SelectionKey> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> publicKeys = Collections.unmodifiableSet(keys);
    private final SelectedKeys selected = new SelectedKeys();

    // -- owned by the selecting thread (the holder of this monitor) --
    private UcxSelectionKey[] active = new UcxSelectionKey[16];
    private int activeCount;

    /** Keys whose interest was changed during the selection, for the next one; they are not active. */
    private UcxSelectionKey[] heldBack = new UcxSelectionKey[16];

    private int heldBackCount;
    private TransportWorker[] workers = new TransportWorker[2];
    private int[] workerUses = new int[2];
    private int workerCount;
    private UcxSelectionKey[] ready = new UcxSelectionKey[16];
    private int readyCount;
    private boolean collecting;

    /** The selecting thread while it progresses workers. Others read it as well, but only whether it is themselves. */
    private Thread progressing;

    private boolean selecting;
    private int events;
    private int updated;
    // -- end --

    public UcxSelector(SelectorProvider provider, SelectorProvider platform, Transport transport, Posix posix)
            throws IOException {
        super(provider);
        this.spinner = new Spinner(transport.governor());
        this.group = transport.newGroup();
        this.kernel = new KernelSide(platform.openSelector(), this::onKernelReady);
        this.sleep = new Sleep(posix, kernel);
    }

    // -- sets --------------------------------------------------------------------------------------------------------

    private void ensureOpen() {
        if (!isOpen()) {
            throw new ClosedSelectorException();
        }
    }

    @Override
    public Set<SelectionKey> keys() {
        ensureOpen();
        return publicKeys;
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        ensureOpen();
        return selected;
    }

    // -- registration: any thread, never waits for a selection -------------------------------------------------------

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        ensureOpen();
        UcxSelectionKey key = new UcxSelectionKey(this, channel, ops);
        key.attach(attachment);
        if (key.transport == null) {
            registerForeign(channel, key);
        } else {
            key.transport.addListener(key);
            bind(key);
        }
        keys.add(key);
        enqueue(key);
        if (!isOpen()) {
            keys.remove(key);
            throw new ClosedSelectorException();
        }
        return key;
    }

    private void registerForeign(AbstractSelectableChannel channel, UcxSelectionKey key) {
        try {
            key.kernelKey = kernel.registerForeign(channel, key);
        } catch (ClosedChannelException e) {
            throw sneak(e);
        }
    }

    /** The channel was closed meanwhile; its own register, whose part this is, declares the exception, and ours cannot. */
    @SuppressWarnings("unchecked")
    private static <E extends Exception> E sneak(Exception cause) throws E {
        throw (E) cause;
    }

    private void bind(UcxSelectionKey key) {
        try {
            key.worker = key.transport.bindTo(group);
        } catch (IOException e) {
            Log.warn("A connection could not be bound to a UCX worker: " + e.getMessage());
        }
    }

    /** A key's readiness or kernel channel may have changed. Any thread. */
    void signal(UcxSelectionKey key) {
        if (progressing == Thread.currentThread()) {
            if (key.markQueued()) {
                activate(key);
            }
            return;
        }
        enqueue(key);
        sleep.wakeIfAsleep();
    }

    /** A new key or interest takes effect with the next selection; one that sleeps goes on sleeping, as in the JDK. Any thread. */
    void enqueue(UcxSelectionKey key) {
        if (key.markQueued()) {
            queue.push(key);
        }
    }

    @Override
    public Selector wakeup() {
        sleep.wakeUp();
        return this;
    }

    // -- selection ---------------------------------------------------------------------------------------------------

    @Override
    public int selectNow() throws IOException {
        return lockAndSelect(null, 0);
    }

    @Override
    public int select() throws IOException {
        return lockAndSelect(null, Long.MAX_VALUE);
    }

    @Override
    public int select(long timeoutMillis) throws IOException {
        return lockAndSelect(null, nanos(timeoutMillis));
    }

    @Override
    public int selectNow(Consumer<SelectionKey> keyAction) throws IOException {
        return lockAndSelect(Objects.requireNonNull(keyAction), 0);
    }

    @Override
    public int select(Consumer<SelectionKey> keyAction) throws IOException {
        return select(keyAction, 0);
    }

    @Override
    public int select(Consumer<SelectionKey> keyAction, long timeoutMillis) throws IOException {
        return lockAndSelect(Objects.requireNonNull(keyAction), nanos(timeoutMillis));
    }

    private static long nanos(long timeoutMillis) {
        if (timeoutMillis < 0) {
            throw new IllegalArgumentException("Negative timeout");
        }
        return timeoutMillis == 0 || timeoutMillis > Long.MAX_VALUE / 1_000_000
                ? Long.MAX_VALUE
                : timeoutMillis * 1_000_000;
    }

    private int lockAndSelect(Consumer<SelectionKey> keyAction, long timeoutNanos) throws IOException {
        synchronized (this) {
            ensureOpen();
            if (selecting) {
                throw new IllegalStateException("select in progress");
            }
            selecting = true;
            try {
                synchronized (selected) {
                    return keyAction == null ? doSelect(timeoutNanos) : doSelect(keyAction, timeoutNanos);
                }
            } finally {
                selecting = false;
            }
        }
    }

    /** Selects into {@link #ready} instead of the selected-key set, and then hands the keys to the action. */
    private int doSelect(Consumer<SelectionKey> keyAction, long timeoutNanos) throws IOException {
        readyCount = 0;
        collecting = true;
        try {
            doSelect(timeoutNanos);
        } finally {
            collecting = false;
            for (int i = 0; i < readyCount; i++) {
                ready[i].collected = false;
            }
        }
        int handled = 0;
        for (int i = 0; i < readyCount; i++) {
            UcxSelectionKey key = ready[i];
            ready[i] = null;
            handled++;
            keyAction.accept(key);
            ensureOpen();
        }
        return handled;
    }

    private int doSelect(long timeoutNanos) throws IOException {
        events = 0;
        updated = 0;
        processCancelled();
        putInterestsInForce();
        selectReady(timeoutNanos);
        processCancelled();
        sleep.takeWakeup();
        return updated;
    }

    /** A key that is neither queued, active nor held back has had no change since its interest was put in force. */
    private void putInterestsInForce() {
        for (int i = 0; i < heldBackCount; i++) {
            UcxSelectionKey key = heldBack[i];
            heldBack[i] = null;
            key.heldBack = false;
            enqueue(key);
        }
        heldBackCount = 0;
        takeQueued();
        for (int i = 0; i < activeCount; i++) {
            active[i].putInterestInForce();
        }
    }

    private void selectReady(long timeoutNanos) throws IOException {
        transportRound(Effort.ALL);
        boolean returnNow = timeoutNanos == 0 || events > 0 || isToReturn();
        if (returnNow || workerCount > 0) {
            kernel.selectNowIfNeeded();
        }
        if (returnNow || events > 0) {
            return;
        }
        long start = System.nanoTime();
        if (workerCount > 0 && spin(timeoutNanos)) {
            return;
        }
        while (events == 0 && !isToReturn()) {
            long left = timeoutNanos == Long.MAX_VALUE ? timeoutNanos : timeoutNanos - (System.nanoTime() - start);
            if (left <= 0) {
                kernel.letGo();
                return;
            }
            sleepOnce(left);
            transportRound(Effort.ALL);
        }
    }

    /** Whether somebody wants the selection to end. */
    private boolean isToReturn() {
        return sleep.wakeupPending() || Thread.currentThread().isInterrupted() || !isOpen();
    }

    /** An interrupt wakes a sleeper only; whoever does not sleep looks whether there was one. */
    private void sleepOnce(long nanos) throws IOException {
        try {
            begin();
            sleepNow(nanos);
        } finally {
            end();
        }
    }

    private void sleepNow(long nanos) throws IOException {
        if (workerCount == 0) {
            sleep.inKernel(queue, nanos);
            return;
        }
        if (VirtualThreads.isCurrent()) {
            sleepOffCarrier(nanos);
            return;
        }
        sleep.prepare(workers, workerCount, keys);
        long limit = nanos;
        for (int i = 0; i < workerCount; i++) {
            if (!workers[i].arm()) {
                limit = Math.min(limit, TransportWorker.BUSY_WAIT_NANOS);
            }
        }
        if (sleep.onWorkers(queue, limit)) {
            kernel.selectNow();
        }
    }

    /**
     * A virtual thread must not sleep on descriptors of ours, as it would hold on to its carrier. The platform's selector knows how to
     * do without; the poller sees to the workers meanwhile, and keys that become ready wake us.
     */
    private void sleepOffCarrier(long nanos) throws IOException {
        long limit = nanos;
        int handed = 0;
        try {
            for (; handed < workerCount; handed++) {
                if (!workers[handed].handToPoller()) {
                    limit = Math.min(limit, TransportWorker.BUSY_WAIT_NANOS);
                }
            }
            sleep.inKernel(queue, limit);
        } finally {
            for (int i = 0; i < handed; i++) {
                workers[i].handBack();
            }
        }
    }

    private boolean spin(long timeoutNanos) throws IOException {
        if (!spinner.begin(timeoutNanos)) {
            return false;
        }
        boolean paidOff = false;
        try {
            long kernelLook = spinner.now();
            do {
                transportRound(Effort.SPIN);
                if (!kernel.isEmpty() && spinner.now() - kernelLook >= KERNEL_LOOK_NANOS) {
                    kernelLook = spinner.now();
                    kernel.selectNow();
                }
                paidOff = events > 0 || isToReturn();
            } while (!paidOff && spinner.again());
            return paidOff;
        } finally {
            spinner.end(paidOff);
        }
    }

    /** Progresses the workers and looks at the keys that may be ready. */
    private void transportRound(Effort effort) {
        // New keys first: their workers, too, may have something already.
        takeQueued();
        progressing = Thread.currentThread();
        for (int i = 0; i < workerCount; i++) {
            workers[i].progressIfFree(effort);
        }
        progressing = null;
        takeQueued();
        lookAtActive();
    }

    private void takeQueued() {
        for (UcxSelectionKey key = queue.takeAll(); key != null; ) {
            UcxSelectionKey next = key.next;
            key.next = null;
            if (key.isValid()) {
                adopt(key);
                activate(key);
            } else {
                key.clearQueued();
            }
            key = next;
        }
    }

    private void lookAtActive() {
        int kept = 0;
        int count = activeCount;
        for (int i = 0; i < count; i++) {
            UcxSelectionKey key = active[i];
            if (stillReady(key)) {
                active[kept++] = key;
            }
        }
        for (int i = kept; i < count; i++) {
            active[i] = null;
        }
        activeCount = kept;
    }

    /** Takes note of what has changed about a key: its worker, its kernel channel, its interest. */
    private void adopt(UcxSelectionKey key) {
        if (key.workerCounted && key.transport != null && key.kernelKey == null) {
            return;
        }
        if (key.transport == null) {
            if (!key.workerCounted) {
                key.workerCounted = true;
                kernel.foreignAdded();
            }
            kernel.sync(key);
            return;
        }
        if (key.worker == null) {
            bind(key);
        }
        if (key.worker != null && !key.workerCounted) {
            key.workerCounted = true;
            addWorker(key.worker);
        }
        kernel.sync(key);
    }

    private void activate(UcxSelectionKey key) {
        if (activeCount == active.length) {
            active = Arrays.copyOf(active, activeCount * 2);
        }
        active[activeCount++] = key;
    }

    /**
     * Looks at an active key, as is done in every round as long as it is ready. Where it seems not to be, its mark is taken away and it
     * is looked at once more: a change that comes meanwhile either shows in that look or queues the key anew. What came before found
     * the mark and queued nothing, so all that may have changed is looked at.
     */
    private boolean stillReady(UcxSelectionKey key) {
        int ready = look(key);
        if (ready != 0) {
            select(key, ready);
            return true;
        }
        key.clearQueued();
        ready = look(key);
        if (ready == 0) {
            forgetConnectable(key);
            if (key.hasNewInterest()) {
                holdBack(key);
            }
            return false;
        }
        select(key, ready);
        return key.markQueued();
    }

    /** The key leaves the active ones, as what becomes ready meanwhile has to queue it. */
    private void holdBack(UcxSelectionKey key) {
        if (key.heldBack) {
            return;
        }
        key.heldBack = true;
        if (heldBackCount == heldBack.length) {
            heldBack = Arrays.copyOf(heldBack, heldBackCount * 2);
        }
        heldBack[heldBackCount++] = key;
    }

    private int look(UcxSelectionKey key) {
        if (!key.isValid()) {
            return 0;
        }
        adopt(key);
        return key.transport == null ? 0 : key.transport.transportReadyOps() & key.interestInForce();
    }

    /** A key that was ready to connect is not any more, once connected, although nothing selects it again. */
    private void forgetConnectable(UcxSelectionKey key) {
        if (key.readyNow() == SelectionKey.OP_CONNECT && !selected.has(key)) {
            key.ready(0);
        }
    }

    private void onKernelReady(SelectionKey inner) {
        UcxSelectionKey key = (UcxSelectionKey) inner.attachment();
        if (key.kernelKey != inner) {
            return;
        }
        try {
            int ready = inner.readyOps();
            if (key.isValid()) {
                select(key, ready & key.interestNow());
            }
        } catch (CancelledKeyException e) {
            Log.debug("A channel was closed while it became ready");
        }
    }

    private void select(UcxSelectionKey key, int ops) {
        if (ops == 0) {
            return;
        }
        events++;
        if (collecting) {
            collect(key, ops);
        } else if (!selected.has(key)) {
            key.ready(ops);
            selected.put(key);
            updated++;
        } else if ((key.readyNow() | ops) != key.readyNow()) {
            key.ready(key.readyNow() | ops);
            updated++;
        }
    }

    private void collect(UcxSelectionKey key, int ops) {
        if (key.collected) {
            key.ready(key.readyNow() | ops);
            return;
        }
        key.collected = true;
        key.ready(ops);
        if (readyCount == ready.length) {
            ready = Arrays.copyOf(ready, readyCount * 2);
        }
        ready[readyCount++] = key;
        updated++;
    }

    // -- workers -----------------------------------------------------------------------------------------------------

    private void addWorker(TransportWorker worker) {
        for (int i = 0; i < workerCount; i++) {
            if (workers[i] == worker) {
                workerUses[i]++;
                return;
            }
        }
        if (workerCount == workers.length) {
            workers = Arrays.copyOf(workers, workerCount * 2);
            workerUses = Arrays.copyOf(workerUses, workerCount * 2);
        }
        workers[workerCount] = worker;
        workerUses[workerCount++] = 1;
    }

    private void removeWorker(TransportWorker worker) {
        for (int i = 0; i < workerCount; i++) {
            if (workers[i] == worker && --workerUses[i] == 0) {
                sleep.forget(worker);
                workerCount--;
                workers[i] = workers[workerCount];
                workerUses[i] = workerUses[workerCount];
                workers[workerCount] = null;
                return;
            }
        }
    }

    // -- cancelled keys and close ------------------------------------------------------------------------------------

    private void processCancelled() throws IOException {
        Set<SelectionKey> cancelled = cancelledKeys();
        // A racy look: what another thread cancels at this moment is found by the next selection.
        if (cancelled.isEmpty()) {
            return;
        }
        synchronized (cancelled) {
            for (Iterator<SelectionKey> all = cancelled.iterator(); all.hasNext(); ) {
                UcxSelectionKey key = (UcxSelectionKey) all.next();
                all.remove();
                remove(key);
            }
        }
        kernel.letGo();
    }

    private void remove(UcxSelectionKey key) {
        keys.remove(key);
        selected.remove(key);
        deregister(key);
        if (key.transport != null) {
            key.transport.removeListener(key);
            if (key.workerCounted) {
                removeWorker(key.worker);
            }
        } else if (!key.workerCounted) {
            kernel.foreignAdded();
        }
        key.workerCounted = true;
        kernel.drop(key);
        if (key.transport == null) {
            // Where another thread has closed the channel, the inner selector may have let go of it before us.
            Descriptors.releaseIfClosed(key.channel());
        }
    }

    @Override
    protected void implCloseSelector() throws IOException {
        wakeup();
        synchronized (this) {
            wakeup();
            synchronized (selected) {
                for (SelectionKey key : keys) {
                    remove((UcxSelectionKey) key);
                }
                selected.clear();
                kernel.close();
                sleep.close();
                group.close();
            }
        }
    }
}
