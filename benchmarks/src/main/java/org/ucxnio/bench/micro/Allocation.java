package org.ucxnio.bench.micro;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Bytes that the current thread allocated on the heap between two moments. */
final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private long startBytes;

    void start() {
        startBytes = THREADS.getCurrentThreadAllocatedBytes();
    }

    /** Bytes for each of {@code operations} since {@link #start}. */
    double perOperation(long operations) {
        return (double) (THREADS.getCurrentThreadAllocatedBytes() - startBytes) / Math.max(1, operations);
    }
}
