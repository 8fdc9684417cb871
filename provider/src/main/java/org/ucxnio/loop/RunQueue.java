package org.ucxnio.loop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * Whether more threads of the machine want to run than it has processors. Asks the kernel at most once a millisecond, in the thread
 * that wants to know. Thread-safe; nobody waits for another thread's look.
 */
final class RunQueue {
    static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Threads of the kernel's that run for a moment have one look in three or four find a crowd on a machine with nothing to do. */
    private static final int NOW = 0b11;

    private static final int LATELY_LOOKS = 16;
    private static final int LATELY = (1 << LATELY_LOOKS) - 1;

    /** Called by one thread at a time. */
    private final IntSupplier wantToRun;

    /** 0 for those that there are, which the first look finds out. */
    private final int processors;

    private final AtomicLong lookedAt = new AtomicLong(System.nanoTime() - LOOK_NANOS);
    private final AtomicBoolean looking = new AtomicBoolean();

    /** What the last looks found, a bit for each, the last one's lowest: set where there was a crowd. */
    private volatile int history = -1;

    RunQueue(IntSupplier wantToRun) {
        this(wantToRun, 0);
    }

    /**
     * @param wantToRun threads that run or wait for a processor, with the calling one; negative where nobody knows
     * @param processors of the machine, whatever share of them this process may use; 0 for those that there are
     */
    RunQueue(IntSupplier wantToRun, int processors) {
        this.wantToRun = wantToRun;
        this.processors = processors;
    }

    /**
     * Whether the calling thread would take a processor from somebody. It counts among those that want to run, as it does when it spins.
     *
     * @param now the time by {@link System#nanoTime}
     */
    boolean isCrowded(long now) {
        return (historyAt(now) & NOW) == NOW;
    }

    /** Whether that was so in most of the last looks, those of a hundredth of a second at least. Before them it was. */
    boolean isCrowdedLately(long now) {
        return 2 * Integer.bitCount(historyAt(now) & LATELY) > LATELY_LOOKS;
    }

    private int historyAt(long now) {
        long last = lookedAt.get();
        if (now - last >= LOOK_NANOS && lookedAt.compareAndSet(last, now)) {
            look();
        }
        return history;
    }

    private void look() {
        // A look may take longer than the time to the next one.
        if (looking.compareAndSet(false, true)) {
            try {
                int shared = processors == 0 ? LoadAverage.processors() : processors;
                history = history << 1 | (wantToRun.getAsInt() > shared ? 1 : 0);
            } finally {
                looking.set(false);
            }
        }
    }
}
