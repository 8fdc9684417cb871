package org.ucxnio.selector;

import java.util.Arrays;
import org.ucxnio.transport.TransportWorker;
import org.ucxnio.transport.WorkerEvents;
import org.ucxnio.transport.WorkerGroup;

/**
 * The UCX workers of a selector's keys, each with the number of keys that use it. None in a process without UCX. Owned by the
 * selecting thread, but for {@link #bind}.
 */
final class WorkerSet {
    /** At a worker with ever more to do, before the others have their turn. */
    private static final int MAX_LOOKS = 4;

    private final WorkerGroup group;
    private TransportWorker[] workers = new TransportWorker[2];
    private int[] uses = new int[2];
    private int count;

    /** Workers that the poller sees to. */
    private int handed;

    /** @param group null in a process without UCX */
    WorkerSet(WorkerGroup group) {
        this.group = group;
    }

    /** The worker that serves the channel; null while it has none. Any thread. */
    TransportWorker bind(TransportChannel channel) {
        return group == null ? null : channel.bindTo(group);
    }

    boolean isEmpty() {
        return count == 0;
    }

    int size() {
        return count;
    }

    TransportWorker get(int index) {
        return workers[index];
    }

    /** One key more uses the worker. */
    void add(TransportWorker worker) {
        for (int i = 0; i < count; i++) {
            if (workers[i] == worker) {
                uses[i]++;
                return;
            }
        }
        if (count == workers.length) {
            workers = Arrays.copyOf(workers, count * 2);
            uses = Arrays.copyOf(uses, count * 2);
        }
        workers[count] = worker;
        uses[count++] = 1;
    }

    /** One key less uses the worker; returns whether it was the last. */
    boolean remove(TransportWorker worker) {
        for (int i = 0; i < count; i++) {
            if (workers[i] == worker && --uses[i] == 0) {
                count--;
                workers[i] = workers[count];
                uses[i] = uses[count];
                workers[count] = null;
                return true;
            }
        }
        return false;
    }

    void progress() {
        for (int i = 0; i < count; i++) {
            int looks = 0;
            // What sets up an endpoint comes before what was sent over it: one look may find no more than that.
            while (workers[i].progressIfFree() && looks < MAX_LOOKS) {
                looks++;
            }
        }
    }

    /** Before a sleep on the workers' descriptors; returns how long it may last of the time given. */
    long arm(long nanos) {
        long limit = nanos;
        for (int i = 0; i < count; i++) {
            if (!workers[i].events().arm()) {
                limit = Math.min(limit, WorkerEvents.BUSY_WAIT_NANOS);
            }
        }
        return limit;
    }

    /** As {@link #arm}, for a sleep elsewhere: the poller sees to the workers until {@link #handBack}. */
    long handToPoller(long nanos) {
        long limit = nanos;
        for (handed = 0; handed < count; handed++) {
            if (!workers[handed].events().handToPoller()) {
                limit = Math.min(limit, WorkerEvents.BUSY_WAIT_NANOS);
            }
        }
        return limit;
    }

    void handBack() {
        for (; handed > 0; handed--) {
            workers[handed - 1].events().handBack();
        }
    }

    void close() {
        if (group != null) {
            group.close();
        }
    }
}
