package org.ucxnio.transport;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.ucxnio.counters.Log;
import org.ucxnio.posix.Epoll;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxWorker;

/**
 * Who hears of a worker's events while nobody progresses it: an epoll instance of a selector's, or the poller, which takes them in for
 * threads that sleep elsewhere and for sends that are pending. Guarded by the worker's lock; public methods take it.
 */
public final class WorkerEvents implements Polled {
    /** How long a thread sleeps where the worker says it is busy but makes no progress. */
    public static final long BUSY_WAIT_NANOS = 1_000_000;

    private static final int MAX_BUSY_ROUNDS = 16;

    private final WorkerCore worker;
    private final UcxWorker ucx;
    private final Poller poller;
    private final int eventFd;
    private final List<Epoll> watchers = new ArrayList<>(1);
    private int waiters;
    private boolean watchedByPoller;

    /** Its number with the poller; negative before the first thread parks. */
    private int pollerNumber = -1;

    /** The poller comes every millisecond. */
    private boolean attended;

    WorkerEvents(WorkerCore worker, UcxWorker ucx, Poller poller) throws IOException {
        this.worker = worker;
        this.ucx = ucx;
        this.poller = poller;
        this.eventFd = ucx.eventFd();
    }

    /** What becomes readable with an event of an armed worker. */
    @Override
    public int eventFd() {
        return eventFd;
    }

    // -- sleeping ----------------------------------------------------------------------------------------------------

    /**
     * Prepares the worker for a sleep on its event descriptor: takes in what has arrived and arms it.
     *
     * @return whether it is armed; when not, it has events, or claims to: sleep for {@link #BUSY_WAIT_NANOS} at most
     */
    public boolean arm() {
        worker.lock();
        try {
            return armNow();
        } finally {
            worker.unlock();
        }
    }

    /**
     * As {@link #arm}, for a thread that does not sleep on the event descriptor: from now on the poller takes in what comes, and
     * listeners are told. Followed by {@link #handBack}.
     */
    public boolean handToPoller() {
        worker.lock();
        try {
            boolean armed = armForWaiter();
            return worker.isClosed() || watchForWaiter() && armed;
        } finally {
            worker.unlock();
        }
    }

    public void handBack() {
        worker.lock();
        try {
            waiterDone();
        } finally {
            worker.unlock();
        }
    }

    private boolean armNow() {
        for (int round = 0; round < MAX_BUSY_ROUNDS; round++) {
            if (worker.isClosed()) {
                return true;
            }
            worker.drain();
            if (ucx.arm() == UcsStatus.OK) {
                return true;
            }
        }
        return false;
    }

    /** As {@link #arm}, for a thread that the poller shall wake. Followed by {@link #waiterDone}. */
    boolean armForWaiter() {
        waiters++;
        return !worker.isClosed() && armNow();
    }

    /**
     * The poller wakes the waiters from now on, if the worker has an event already as well as when one comes; returns false where it
     * cannot. To be asked only behind {@link #armForWaiter}, or the poller would be woken by an event that the caller is about to take in.
     */
    boolean watchForWaiter() {
        return !worker.isClosed() && watchWithPoller();
    }

    private boolean watchWithPoller() {
        if (pollerNumber < 0) {
            pollerNumber = poller.add(this);
            watchedByPoller = pollerNumber >= 0;
        } else if (!watchedByPoller) {
            poller.watch(this, pollerNumber);
            watchedByPoller = true;
        }
        return watchedByPoller;
    }

    /** As {@link #armForWaiter} and {@link #watchForWaiter}; where one of them fails the poller comes every millisecond. */
    void watchForWaiterOrAttend() {
        boolean armed = armForWaiter();
        if (!watchForWaiter() || !armed) {
            poller.attend(this);
        }
    }

    void waiterDone() {
        waiters--;
    }

    /** Adds the event descriptor to an epoll instance, until {@link #unwatch} or the end of the worker. */
    public boolean watch(Epoll epoll, long data) {
        worker.lock();
        try {
            if (worker.isClosed()) {
                return false;
            }
            epoll.add(eventFd, Epoll.IN, data);
            watchers.add(epoll);
            return true;
        } catch (IOException e) {
            Log.warnOnce("watch", "Cannot watch a UCX worker: " + e.getMessage());
            return false;
        } finally {
            worker.unlock();
        }
    }

    public void unwatch(Epoll epoll) {
        worker.lock();
        try {
            if (watchers.remove(epoll)) {
                epoll.remove(eventFd);
            }
        } finally {
            worker.unlock();
        }
    }

    // -- the poller --------------------------------------------------------------------------------------------------

    @Override
    public void onEvent() {
        worker.lock();
        try {
            if (waiters > 0 || worker.isClosed()) {
                if (!armNow()) {
                    poller.attend(this);
                }
            } else if (watchedByPoller) {
                watchedByPoller = false;
                poller.unwatch(this, pollerNumber);
            }
        } finally {
            worker.unlock();
        }
    }

    /** Asks the poller to progress the worker while it has sends pending and nobody else does. */
    void attendIfPending() {
        if (worker.hasPendingSends() && !attended) {
            attended = true;
            poller.attend(this);
        }
    }

    @Override
    public boolean visit() {
        if (!worker.tryLock()) {
            return true;
        }
        try {
            worker.drain();
            attended = !worker.isClosed() && (worker.hasPendingSends() || waiters > 0 && !armNow());
            return attended;
        } finally {
            worker.unlock();
        }
    }

    @Override
    public long progressCount() {
        return worker.progressCount();
    }

    @Override
    public void abandon(Throwable cause) {
        worker.abandon(cause);
    }

    /** The worker is closed, and its event descriptor about to be. */
    void close() {
        for (Epoll epoll : watchers) {
            epoll.remove(eventFd);
        }
        watchers.clear();
        if (pollerNumber >= 0) {
            poller.remove(this, pollerNumber);
            pollerNumber = -1;
        }
    }
}
