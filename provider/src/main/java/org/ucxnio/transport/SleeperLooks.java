package org.ucxnio.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.ucxnio.ring.RingWriter;
import org.ucxnio.ucx.MappedMemory;

/**
 * Looks whether the reader of a ring sleeps. A writer looks once it has given the worker's lock back, so the ring's memory must stay
 * mapped until it has looked: the JVM interrupts a thread that it meets in memory whose arena another one closes. Guarded by the
 * worker's lock, but for {@link #readerSleeps}.
 */
final class SleeperLooks {
    private static final long RETRY_NANOS = 1_000_000;

    private final TransportWorker worker;
    private final Poller poller;
    private final AtomicLong ended = new AtomicLong();

    /** Memory that no link uses any more and somebody may look at. */
    private final List<MappedMemory> unused = new ArrayList<>(1);

    private long begun;

    SleeperLooks(TransportWorker worker, Poller poller) {
        this.worker = worker;
        this.poller = poller;
    }

    /** The caller is about to give the lock back; {@link #readerSleeps} follows. */
    void begin() {
        begun++;
    }

    /** Without the lock, behind {@link #begin}: as {@link RingWriter#readerSleeps}. */
    boolean readerSleeps(RingWriter ring) {
        try {
            return ring.readerSleeps();
        } finally {
            ended.getAndIncrement();
        }
    }

    /** Ends the mapping of memory that no link uses any more, as soon as nobody looks. */
    void unmap(MappedMemory memory) {
        unused.add(memory);
        if (!unmapIfUnseen() && unused.size() == 1) {
            retryLater();
        }
    }

    private boolean unmapIfUnseen() {
        if (ended.get() != begun) {
            return false;
        }
        unused.forEach(MappedMemory::close);
        unused.clear();
        return true;
    }

    private void retryLater() {
        poller.schedule(RETRY_NANOS, this::retry);
    }

    private void retry() {
        worker.lock();
        try {
            if (!unused.isEmpty() && !unmapIfUnseen()) {
                retryLater();
            }
        } finally {
            worker.unlock();
        }
    }
}
