package org.ucxnio.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.OwnThread;
import org.ucxnio.posix.Epoll;
import org.ucxnio.posix.EventFd;
import org.ucxnio.posix.Posix;

/**
 * The one background thread of the transport. It wakes threads parked in blocking calls when their worker has events, progresses
 * workers that have sends pending and no thread inside (what was written must arrive even if the writer never touches NIO
 * again), and runs what is due at a time. It sleeps while there is nothing of that. Thread-safe.
 */
public final class Poller implements Runnable {
    private static final String THREAD = "ucxnio-poller";
    private static final int VISIT_MILLIS = 1;
    private static final long WAKE = -1;

    private record Timer(long dueNanos, long order, Runnable task) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            long difference = dueNanos - other.dueNanos;
            return Long.signum(difference == 0 ? order - other.order : difference);
        }
    }

    private static final class Visit {
        final Polled worker;
        long progressSeen;

        Visit(Polled worker) {
            this.worker = worker;
            this.progressSeen = worker.progressCount();
        }
    }

    private final Epoll epoll;
    private final EpollSleep sleep;
    private final EventFd wake;

    /** Workers whose descriptors are in the epoll instance, each at its number there; replaced and changed with the monitor held. */
    private volatile Polled[] watched = new Polled[8];

    // -- guarded by this --
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final List<Polled> newlyAttended = new ArrayList<>();
    private long timerCount;
    private boolean sleeping;
    // -- end --

    // -- owned by the poller thread --
    private final List<Visit> visits = new ArrayList<>();
    private final ErrorPause errors = new ErrorPause(THREAD);
    // -- end --

    Poller(Posix posix) throws IOException {
        epoll = posix.openEpoll();
        sleep = new EpollSleep(epoll);
        wake = posix.openEventFd();
        epoll.add(wake.fd(), Epoll.IN, WAKE);
    }

    void start() {
        OwnThread.of(this, THREAD).start();
    }

    /**
     * Watches a worker's event descriptor; the worker's lock is held.
     *
     * @return a number for {@link #watch}, {@link #unwatch} and {@link #remove}; negative where the descriptor cannot be watched
     */
    int add(Polled worker) {
        int number = claim(worker);
        try {
            epoll.add(worker.eventFd(), Epoll.IN, number);
            return number;
        } catch (IOException e) {
            release(number);
            Log.warnOnce("poller-watch", "Cannot watch a UCX worker, polling it instead: " + e.getMessage());
            return -1;
        }
    }

    private synchronized int claim(Polled worker) {
        Polled[] table = watched;
        int number = 0;
        while (number < table.length && table[number] != null) {
            number++;
        }
        if (number == table.length) {
            table = Arrays.copyOf(table, number * 2);
        }
        table[number] = worker;
        watched = table;
        return number;
    }

    /** Event data may still be under way to the poller thread: the worker that has the number next is then looked at in vain. */
    private synchronized void release(int number) {
        watched[number] = null;
    }

    /** Takes up again what {@link #unwatch} ended; allocates nothing, as threads that park come this way each time. */
    void watch(Polled worker, int number) {
        modify(worker, Epoll.IN, number);
    }

    void unwatch(Polled worker, int number) {
        modify(worker, 0, number);
    }

    private void modify(Polled worker, int mask, int number) {
        try {
            epoll.modify(worker.eventFd(), mask, number);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void remove(Polled worker, int number) {
        epoll.remove(worker.eventFd());
        release(number);
    }

    /** Visits a worker every millisecond, as long as it wants to be visited and nobody else progresses it. */
    void attend(Polled worker) {
        synchronized (this) {
            newlyAttended.add(worker);
            wakeUp();
        }
    }

    /** Runs a task on the poller thread, soon. */
    void execute(Runnable task) {
        schedule(0, task);
    }

    /** Runs a task on the poller thread after {@code delayNanos}. */
    void schedule(long delayNanos, Runnable task) {
        long due = System.nanoTime() + delayNanos;
        synchronized (this) {
            boolean first = timers.isEmpty() || due - timers.peek().dueNanos() < 0;
            timers.add(new Timer(due, timerCount++, task));
            if (first) {
                wakeUp();
            }
        }
    }

    /** Runs a task on the poller thread again and again, {@code pauseNanos} behind the end of the last time, even if it throws. */
    void repeat(long pauseNanos, Runnable task) {
        schedule(pauseNanos, () -> {
            try {
                task.run();
            } finally {
                repeat(pauseNanos, task);
            }
        });
    }

    /** The JVM ends: see {@link EpollSleep}. */
    synchronized void end() {
        sleep.end();
        wakeUp();
    }

    private void wakeUp() {
        if (sleeping) {
            sleeping = false;
            wake.signal();
        }
    }

    @Override
    public void run() {
        while (true) {
            try {
                cycle();
            } catch (IOException | RuntimeException | Error e) {
                errors.after(e);
            }
        }
    }

    private void cycle() throws IOException {
        int timeout = prepareSleep();
        int events = sleep.await(timeout);
        synchronized (this) {
            sleeping = false;
        }
        for (int i = 0; i < events; i++) {
            long data = epoll.data(i);
            if (data == WAKE) {
                wake.drain();
            } else {
                Polled worker = watched[(int) data];
                if (worker != null) {
                    onEvent(worker);
                }
            }
        }
        visitAttended();
        runDueTimers();
    }

    /** A worker that throws would do so again, and keep the thread from all others. */
    private static void onEvent(Polled worker) {
        try {
            worker.onEvent();
        } catch (RuntimeException | Error e) {
            worker.abandon(e);
        }
    }

    private static boolean visit(Polled worker) {
        try {
            return worker.visit();
        } catch (RuntimeException | Error e) {
            worker.abandon(e);
            return false;
        }
    }

    private synchronized int prepareSleep() {
        if (!newlyAttended.isEmpty() || !visits.isEmpty()) {
            sleeping = true;
            return VISIT_MILLIS;
        }
        sleeping = true;
        if (timers.isEmpty()) {
            return -1;
        }
        long left = timers.peek().dueNanos() - System.nanoTime();
        return left <= 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(left) + 1);
    }

    private void visitAttended() {
        synchronized (this) {
            for (Polled worker : newlyAttended) {
                visits.add(new Visit(worker));
            }
            newlyAttended.clear();
        }
        for (int i = visits.size() - 1; i >= 0; i--) {
            Visit visit = visits.get(i);
            long progress = visit.worker.progressCount();
            if (progress != visit.progressSeen) {
                // Somebody is at it.
                visit.progressSeen = progress;
            } else if (visit(visit.worker)) {
                visit.progressSeen = visit.worker.progressCount();
            } else {
                visits.remove(i);
            }
        }
    }

    private void runDueTimers() {
        while (true) {
            Timer due;
            synchronized (this) {
                due = timers.peek();
                if (due == null || due.dueNanos() - System.nanoTime() > 0) {
                    return;
                }
                timers.poll();
            }
            try {
                due.task().run();
            } catch (RuntimeException | Error e) {
                errors.after(e);
            }
        }
    }
}
