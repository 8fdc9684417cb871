package org.ucxnio.selector;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Collections;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.Descriptors;
import org.ucxnio.jdk.LateErrors;
import org.ucxnio.loop.OutOfLine;
import org.ucxnio.loop.SpinGovernor;
import org.ucxnio.loop.Spinner;
import org.ucxnio.posix.Posix;
import org.ucxnio.transport.Transport;

/**
 * A selection costs what is hot, not what is registered: connections put their keys into a queue, and only keys from there, still ready from the
 * last time, or with rings that had something lately ({@link ActiveKeys}), are looked at. It spins while work keeps coming, then sleeps: in the
 * platform's selector, unless there are UCX workers, whose descriptors an epoll instance of its own watches beside the kernel channels.
 *
 * <p>No wakeup is lost. Whoever has something first publishes it (queue, wakeup flag) and then reads whether the selector sleeps ({@link Sleep}),
 * while the selector first says that it sleeps and then looks at both once more. A key is taken from the queue before it is looked at ({@link
 * UcxSelectionKey#clearQueued}), so that a later change queues it anew. A ring is armed before the selector says that it sleeps, and outside a
 * selection's reach as long as nobody looks at it; what becomes ready in an armed ring makes a kernel channel readable, which ends the sleep.
 */
public final class UcxSelector extends SelectorCalls {
    /** How long to spin without a look at the kernel channels. */
    private static final long LOOK_SPINNING_NANOS = 10_000;

    /** How long to return what the transport has found without a look at the kernel channels. */
    private static final long LOOK_NANOS = 20_000;

    private final Spinner spinner;
    private final WorkerSet workers;
    final KernelSide kernel;
    private final Sleep sleep;
    private final ReadyQueue queue = new ReadyQueue();
    private final Set<SelectionKey> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> publicKeys = Collections.unmodifiableSet(keys);
    private final Findings found = new Findings();
    private final SelectedKeys selected = found.selected();

    // -- owned by the selecting thread (the holder of this monitor) --
    private final ActiveKeys active = new ActiveKeys();
    private boolean selecting;

    /** The selecting thread during a selection. Others read it as well, but only whether it is themselves. */
    private Thread selectingThread;
    // -- end --

    /**
     * @param transport null in a process without UCX
     * @param posix for the sleep with workers of UCX; may be null where the transport is
     */
    public UcxSelector(
            SelectorProvider provider,
            SelectorProvider platform,
            Transport transport,
            SpinGovernor governor,
            Posix posix)
            throws IOException {
        super(provider);
        this.spinner = Spinner.ofSelector(governor);
        this.workers = new WorkerSet(transport == null ? null : transport.newGroup());
        this.kernel = new KernelSide(platform.openSelector(), this);
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
            key.kernelKey = kernel.registerForeign(channel, key);
        } else {
            key.transport.addListener(key);
            key.worker = workers.bind(key.transport);
        }
        keys.add(key);
        enqueue(key);
        // Whoever takes it out again has it to undo: this thread, or the one that closes the selector, which waits
        // until the channel has the key.
        if (!isOpen() && keys.remove(key)) {
            if (key.transport != null) {
                key.transport.removeListener(key);
            }
            throw new ClosedSelectorException();
        }
        return key;
    }

    @Override
    void signal(UcxSelectionKey key) {
        enqueue(key);
        // The selecting thread looks at the queue itself before it sleeps.
        if (selectingThread != Thread.currentThread()) {
            sleep.wakeIfAsleep();
        }
    }

    @Override
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
    int lockAndSelect(Consumer<SelectionKey> keyAction, long timeoutNanos) throws IOException {
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

    /** Selects into a list instead of the selected-key set, and then hands the keys to the action. */
    private int doSelect(Consumer<SelectionKey> keyAction, long timeoutNanos) throws IOException {
        found.beginCollecting();
        try {
            doSelect(timeoutNanos);
        } finally {
            found.endCollecting();
        }
        int handled = 0;
        while (handled < found.collected()) {
            UcxSelectionKey key = found.take(handled++);
            keyAction.accept(key);
            ensureOpen();
        }
        return handled;
    }

    private int doSelect(long timeoutNanos) throws IOException {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        found.begin();
        selectingThread = Thread.currentThread();
        try {
            processCancelled();
            takeQueued();
            active.putInterestsInForce();
            selectGuarded(timeoutNanos);
            processCancelled();
            kernel.letGo();
            sleep.takeWakeup();
        } finally {
            selectingThread = null;
        }
        return found.updated();
    }

    /**
     * Memory of a ring that its peer has taken away is an error of the JVM's, which may show a little behind the look at the ring. It is
     * the connection's and not the selection's: the key that brings it about is ready, and its channel tells why.
     */
    private void selectGuarded(long timeoutNanos) throws IOException {
        try {
            selectReady(timeoutNanos);
            LateErrors.surfaceCheaply();
        } catch (InternalError e) {
            active.lookOneByOne(found);
            if (found.isEmpty()) {
                throw e;
            }
        }
    }

    /** Where there are kernel channels alone, this is one selection of the platform's selector and no more. */
    private void selectReady(long timeoutNanos) throws IOException {
        if (!isKernelsAlone()) {
            round(false);
        }
        if (!found.isEmpty()) {
            kernel.selectNowIfDue(System.nanoTime(), LOOK_NANOS);
            lookAtNew();
            return;
        }
        if (timeoutNanos == 0 || isToReturn()) {
            kernel.selectNowIfNeeded(active.leaveSomeToTheKernel());
            lookAtNew();
            return;
        }
        long start = timeoutNanos == Long.MAX_VALUE ? 0 : System.nanoTime();
        if (!active.waitForRings() && workers.isEmpty()) {
            sleepUntilFound(timeoutNanos, start);
        } else if (!spin(timeoutNanos)) {
            sleepUntilFound(timeoutNanos, start);
            spinner.slept();
        }
    }

    /** Whether kernel channels are all there is to look at, and nothing is known to have changed about them. */
    private boolean isKernelsAlone() {
        return active.size() == 0 && queue.isEmpty() && workers.isEmpty();
    }

    /** At the rings of which the kernel, or a bell, has just told. */
    private void lookAtNew() throws IOException {
        if (active.hasNew()) {
            round(false);
        }
    }

    private void sleepUntilFound(long timeoutNanos, long start) throws IOException {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        while (found.isEmpty() && !isToReturn()) {
            long left = timeoutNanos == Long.MAX_VALUE ? timeoutNanos : timeoutNanos - (System.nanoTime() - start);
            if (left <= 0) {
                return;
            }
            boolean armed = isKernelsAlone() || active.arm(kernel.bell(active.waitForRings() && workers.isEmpty()));
            if (armed) {
                sleepOnce(left);
            }
            if (!isKernelsAlone()) {
                round(false);
            }
            if (!armed && found.isEmpty()) {
                // Another thread reads or writes, and may want this very processor for it.
                Thread.yield();
            }
        }
    }

    /** Whether somebody wants the selection to end. */
    private boolean isToReturn() {
        return sleep.wakeupPending() || Thread.currentThread().isInterrupted() || !isOpen();
    }

    /**
     * An interrupt wakes a sleeper only; whoever does not sleep looks whether there was one. The platform's selector hears of interrupts
     * by itself.
     */
    private void sleepOnce(long nanos) throws IOException {
        if (workers.isEmpty()) {
            sleep.inKernel(queue, nanos);
            return;
        }
        try {
            begin();
            if (VirtualThreads.isCurrent()) {
                sleep.offCarrier(workers, queue, nanos);
            } else {
                sleep.onWorkers(workers, queue, keys, nanos);
            }
        } finally {
            end();
        }
    }

    private boolean spin(long timeoutNanos) throws IOException {
        if (!spinner.begin(timeoutNanos)) {
            return false;
        }
        boolean paidOff = false;
        try {
            do {
                round(true);
                kernel.selectNowIfDue(spinner.now(), LOOK_SPINNING_NANOS);
                lookAtNew();
                paidOff = !found.isEmpty() || isToReturn();
            } while (!paidOff && spinner.again());
            return paidOff;
        } finally {
            spinner.end(paidOff);
        }
    }

    /** Progresses the workers and looks at the keys that may be ready. */
    private void round(boolean spinning) throws IOException {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        if (!workers.isEmpty() || !queue.isEmpty()) {
            // New keys first: their workers, too, may have something already.
            takeQueued();
            workers.progress();
            takeQueued();
        }
        active.look(found, spinning);
    }

    private void takeQueued() throws IOException {
        UcxSelectionKey next;
        for (UcxSelectionKey key = queue.takeAll(); key != null; key = next) {
            next = key.next;
            key.next = null;
            key.clearQueued();
            boolean done = false;
            try {
                takeQueued(key);
                done = true;
            } finally {
                if (!done) {
                    queue.putBack(next);
                }
            }
        }
    }

    private void takeQueued(UcxSelectionKey key) throws IOException {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        if (!key.isValid()) {
            return;
        }
        try {
            adopt(key);
            if (key.transport != null) {
                active.add(key);
            }
        } catch (OutOfMemoryError e) {
            enqueue(key);
            throw e;
        }
    }

    /** Takes note of what has changed about a key: its worker, its kernel channel, its interest. */
    private void adopt(UcxSelectionKey key) throws IOException {
        if (key.transport == null) {
            if (!key.workerCounted) {
                key.workerCounted = true;
                kernel.foreignAdded(key);
            }
        } else {
            if (key.worker == null) {
                key.worker = workers.bind(key.transport);
            }
            if (key.worker != null && !key.workerCounted) {
                key.workerCounted = true;
                workers.add(key.worker);
            }
        }
        kernel.sync(key);
    }

    @Override
    void onKernelReady(SelectionKey inner) {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        UcxSelectionKey key = (UcxSelectionKey) inner.attachment();
        if (key.kernelKey != inner || !key.isValid()) {
            return;
        }
        try {
            int inKernel = inner.readyOps();
            int ops = key.transport == null ? inKernel : key.transport.onKernelReady(inKernel);
            // What the kernel does not speak for any more has moved, maybe since the queue was looked at.
            if (ops != inKernel || key.worker != null || key.transport != null && key.transport.ringOps() != 0) {
                key.endKernelsAlone();
                onRung(key);
                if (KernelSide.wantedOps(key) != inner.interestOps()) {
                    enqueue(key);
                }
            }
            found.add(key, ops & key.interestNow());
        } catch (CancelledKeyException e) {
            Log.debug("A channel was closed while it became ready");
        }
    }

    @Override
    void onRung(UcxSelectionKey key) {
        if (key.isValid()) {
            active.add(key);
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
    }

    private void remove(UcxSelectionKey key) {
        if (!keys.remove(key)) {
            return;
        }
        selected.remove(key);
        active.remove(key);
        kernel.forget(key);
        deregister(key);
        if (key.transport != null) {
            key.transport.removeListener(key);
            if (key.workerCounted && workers.remove(key.worker)) {
                sleep.forget(key.worker);
            }
        } else if (!key.workerCounted) {
            kernel.foreignAdded(key);
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
                workers.close();
            }
        }
    }
}
