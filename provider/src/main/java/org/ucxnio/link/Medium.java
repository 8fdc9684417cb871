package org.ucxnio.link;

import org.ucxnio.counters.Counter;

/** What carries the bytes, for the report. */
public enum Medium {
    RING(Counter.RINGS_OPEN, Counter.RINGS_TOTAL),
    UCX(Counter.ACCELERATED_OPEN, Counter.ACCELERATED_TOTAL);

    private final Counter open;
    private final Counter total;

    Medium(Counter open, Counter total) {
        this.open = open;
        this.total = total;
    }

    /** A connection has moved to it. */
    public void opened() {
        open.increment();
        total.increment();
    }

    /** Such a connection was closed. */
    public void closed() {
        open.decrement();
    }
}
