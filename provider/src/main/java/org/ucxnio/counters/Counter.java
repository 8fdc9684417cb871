package org.ucxnio.counters;

import java.util.concurrent.atomic.LongAdder;

/** The counters of a process. Adding is safe from any thread and allocates nothing in steady state. */
public enum Counter {
    RING_BYTES_SENT("bytes applications wrote to rings"),
    RING_BYTES_RECEIVED("bytes applications read from rings"),
    TCP_BYTES_SENT("bytes applications wrote to plain connections"),
    TCP_BYTES_RECEIVED("bytes applications read from plain connections"),
    FILE_BYTES_SENT("bytes of files that the kernel copied to connections: to their sockets or their rings"),
    RINGS_OPEN("connections with at least one direction in a ring, open now"),
    RINGS_TOTAL("connections with at least one direction in a ring, since start"),
    RINGS_LEFT("directions that went back from a ring to TCP for want of memory, since start"),
    ACCELERATED_OPEN("connections with at least one direction over UCX, open now"),
    ACCELERATED_TOTAL("connections with at least one direction over UCX, since start"),
    CONNECTIONS_RESET("connections over UCX that ended without an end of stream");

    private final String doc;
    private final LongAdder value = new LongAdder();

    Counter(String doc) {
        this.doc = doc;
    }

    public String doc() {
        return doc;
    }

    public void add(long delta) {
        value.add(delta);
    }

    public void increment() {
        value.increment();
    }

    public void decrement() {
        value.decrement();
    }

    public long get() {
        return value.sum();
    }
}
