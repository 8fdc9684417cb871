package org.ucxnio.session;

import java.util.concurrent.atomic.AtomicInteger;

/** How many sessions there are, and how many connections they have paired. Thread-safe. */
final class SessionCount {
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger paired = new AtomicInteger();

    void opened() {
        open.incrementAndGet();
    }

    void ended() {
        open.decrementAndGet();
    }

    void paired() {
        paired.incrementAndGet();
    }

    int open() {
        return open.get();
    }

    int totalPaired() {
        return paired.get();
    }
}
