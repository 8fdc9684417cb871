package org.ucxnio.selector;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ucxnio.posix.Epoll;
import org.ucxnio.posix.EventFd;
import org.ucxnio.posix.Posix;
import org.ucxnio.transport.TransportWorker;

/**
 * How a selector sleeps and is woken. The state and the wakeup flag are sequentially consistent: a sleeper writes the state and then
 * reads flag and queue, a waker writes flag or queue and then reads the state, so one of the two sees the other.
 */
final class Sleep {
    private static final int AWAKE = 0;
    private static final int IN_KERNEL = 1;
    private static final int ON_WORKERS = 2;

    private static final long WAKE_DATA = Long.MIN_VALUE;
    private static final long WORKER_DATA = Long.MIN_VALUE + 1;

    private final Posix posix;
    private final KernelSide kernel;
    private final AtomicInteger state = new AtomicInteger(AWAKE);
    private volatile boolean wakeup;

    // -- owned by the selecting thread; made at the first sleep with workers --
    private Epoll epoll;
    private final List<TransportWorker> watched = new ArrayList<>();
    // -- end --

    /** Written before the state first becomes ON_WORKERS. */
    private EventFd event;

    /** @param posix null in a process without workers */
    Sleep(Posix posix, KernelSide kernel) {
        this.posix = posix;
        this.kernel = kernel;
    }

    /** Makes the current or the next selection return. Any thread. */
    void wakeUp() {
        wakeup = true;
        wakeIfAsleep();
    }

    boolean wakeupPending() {
        return wakeup;
    }

    void takeWakeup() {
        if (wakeup) {
            wakeup = false;
        }
    }

    /** Wakes the sleeper, once for each sleep. Any thread. */
    void wakeIfAsleep() {
        int now = state.get();
        if (now != AWAKE && state.compareAndSet(now, AWAKE)) {
            if (now == IN_KERNEL) {
                kernel.wakeUp();
            } else {
                event.signal();
            }
        }
    }

    /** Sleeps where there are kernel channels only. */
    void inKernel(ReadyQueue queue, long nanos) throws IOException {
        state.set(IN_KERNEL);
        try {
            if (wakeup || !queue.isEmpty()) {
                kernel.selectNow();
            } else {
                kernel.select(millis(nanos));
            }
        } finally {
            state.set(AWAKE);
        }
    }

    /**
     * Sleeps until a worker, a kernel channel or a waker has something. Where there are no descriptors for that, it sleeps as a virtual
     * thread does.
     */
    void onWorkers(WorkerSet workers, ReadyQueue queue, Set<SelectionKey> keys, long nanos) throws IOException {
        if (!canWatchKernel(keys) || !watch(workers)) {
            offCarrier(workers, queue, nanos);
        } else if (onArmedWorkers(queue, workers.arm(nanos))) {
            kernel.selectNow();
        }
    }

    /**
     * The same for a virtual thread, which must not sleep on descriptors of ours, as it would hold on to its carrier. The platform's
     * selector knows how to do without; the poller sees to the workers meanwhile, and keys that become ready wake us.
     */
    void offCarrier(WorkerSet workers, ReadyQueue queue, long nanos) throws IOException {
        try {
            inKernel(queue, workers.handToPoller(nanos));
        } finally {
            workers.handBack();
        }
    }

    private boolean canWatchKernel(Set<SelectionKey> keys) {
        if (epoll != null) {
            return true;
        }
        Epoll opened = openEpoll();
        if (opened == null) {
            return false;
        }
        epoll = opened;
        kernel.watchWith(opened, keys);
        return true;
    }

    /** Opens both descriptors, or none. */
    private Epoll openEpoll() {
        Epoll opened = null;
        EventFd openedEvent = null;
        try {
            opened = posix.openEpoll();
            openedEvent = posix.openEventFd();
            opened.add(openedEvent.fd(), Epoll.IN, WAKE_DATA);
            event = openedEvent;
            return opened;
        } catch (IOException e) {
            if (openedEvent != null) {
                openedEvent.close();
            }
            if (opened != null) {
                opened.close();
            }
            return null;
        }
    }

    /** Returns whether all workers are watched. */
    private boolean watch(WorkerSet workers) {
        boolean all = true;
        for (int i = 0; i < workers.size(); i++) {
            TransportWorker worker = workers.get(i);
            if (!watched.contains(worker)) {
                if (worker.events().watch(epoll, WORKER_DATA)) {
                    watched.add(worker);
                } else {
                    all = false;
                }
            }
        }
        return all;
    }

    /** The workers are armed; returns whether a kernel channel has something. */
    private boolean onArmedWorkers(ReadyQueue queue, long nanos) throws IOException {
        state.set(ON_WORKERS);
        boolean kernelReady = false;
        try {
            if (wakeup || !queue.isEmpty()) {
                return false;
            }
            int events = epoll.await((int) Math.min(Integer.MAX_VALUE, nanos == Long.MAX_VALUE ? -1 : millis(nanos)));
            for (int i = 0; i < events; i++) {
                long data = epoll.data(i);
                if (data == WAKE_DATA) {
                    event.drain();
                } else if (data != WORKER_DATA) {
                    kernelReady = true;
                }
            }
        } finally {
            state.set(AWAKE);
        }
        return kernelReady;
    }

    /** Milliseconds for the kernel, rounded up; 0 means without bound to the platform's selector. */
    private static long millis(long nanos) {
        return nanos == Long.MAX_VALUE ? 0 : TimeUnit.NANOSECONDS.toMillis(nanos + 999_999);
    }

    void forget(TransportWorker worker) {
        if (watched.remove(worker)) {
            worker.events().unwatch(epoll);
        }
    }

    void close() {
        for (TransportWorker worker : watched) {
            worker.events().unwatch(epoll);
        }
        watched.clear();
        if (epoll != null) {
            epoll.close();
            event.close();
        }
    }
}
