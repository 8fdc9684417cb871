package org.ucxnio.channel;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.ucxnio.counters.Counter;

/** Open plain connections by the reason why they are plain. Thread-safe. */
public final class PlainConnections {
    private final Map<String, AtomicInteger> open = new ConcurrentHashMap<>();

    void opened(String reason) {
        AtomicInteger count = open.get(reason);
        if (count == null) {
            AtomicInteger first = new AtomicInteger();
            count = open.putIfAbsent(reason, first);
            count = count == null ? first : count;
        }
        count.incrementAndGet();
        Counter.PLAIN_OPEN.increment();
        Counter.PLAIN_TOTAL.increment();
    }

    void closed(String reason) {
        open.get(reason).decrementAndGet();
        Counter.PLAIN_OPEN.decrement();
    }

    /** Reasons with the number of connections open now. */
    public Map<String, Integer> byReason() {
        Map<String, Integer> counts = new TreeMap<>();
        open.forEach((reason, count) -> {
            if (count.get() > 0) {
                counts.put(reason, count.get());
            }
        });
        return counts;
    }
}
