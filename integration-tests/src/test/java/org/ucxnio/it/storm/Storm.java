package org.ucxnio.it.storm;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** What all connections of a process share: who it is, when it ends, the weather, and the count of what went well. Thread-safe. */
final class Storm {
    /** Both processes read the same clock, so that both are quiet at the same time and fall asleep. */
    private static final long TIDE_MS = 500;

    private static final long QUIET_MS = 120;
    private static final long LONGEST_PAUSE_NANOS = 400_000;
    private static final int LARGEST_STREAM = 26;

    private final int name;
    private final long endNanos;
    private final SplittableRandom random;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger finished = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();

    Storm(int name, long seed, long seconds) {
        this.name = name;
        this.endNanos = System.nanoTime() + seconds * 1_000_000_000L;
        this.random = new SplittableRandom(seed);
    }

    boolean isOver() {
        return System.nanoTime() - endNanos >= 0;
    }

    synchronized SplittableRandom random() {
        return random.split();
    }

    Source newSource(SplittableRandom from) {
        return new Source(name, from, from.nextLong(1L << from.nextInt(1, LARGEST_STREAM)));
    }

    /** How long nobody writes any more, in both processes; 0 where everybody may. */
    static long quietNanos() {
        return Math.max(0, QUIET_MS - System.currentTimeMillis() % TIDE_MS) * 1_000_000;
    }

    /** A thread of its own for a direction waits before it writes: now and then for a moment, and as long as all is quiet. */
    static void pause(SplittableRandom from) {
        for (long quiet = quietNanos(); quiet > 0; quiet = quietNanos()) {
            LockSupport.parkNanos(quiet);
        }
        if (from.nextInt(20) == 0) {
            LockSupport.parkNanos(from.nextLong(LONGEST_PAUSE_NANOS));
        }
    }

    void received(long count) {
        bytes.addAndGet(count);
    }

    void opened() {
        open.incrementAndGet();
    }

    int open() {
        return open.get();
    }

    /** A connection has come to its end in both directions. */
    void finished() {
        finished.incrementAndGet();
        open.decrementAndGet();
    }

    /** A connection ended otherwise; {@code peer} is what its stream said of its writer. */
    void failed(int peer, Exception cause) {
        open.decrementAndGet();
        print((cause instanceof IOException ? "BROKEN " : "WRONG ") + peer + ' ' + cause);
        if (!(cause instanceof IOException)) {
            cause.printStackTrace();
        }
    }

    /** Connections that came to their end, bytes that came in, connections open. */
    String stats() {
        return finished.get() + " " + bytes.get() + " " + open.get();
    }

    static void print(String line) {
        synchronized (System.out) {
            System.out.println(line);
            System.out.flush();
        }
    }
}
