package org.ucxnio.channel;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Plain connections, by the reason why they are plain. Thread-safe. Every connection is one at first: what counts them is a plain number
 * with a monitor, for which a process that starts runs less code than for an adder.
 */
public final class PlainConnections {
    /** Those that are plain for one reason. */
    static final class Tally {
        private final String reason;

        // -- guarded by the monitor --

        private int open;

        /** Connections that were plain for this reason first. */
        private long begun;

        // -- end --

        private Tally(String reason) {
            this.reason = reason;
        }

        boolean isFor(String why) {
            return why.equals(reason);
        }

        synchronized void begin() {
            begun++;
            open++;
        }

        synchronized void enter() {
            open++;
        }

        synchronized void leave() {
            open--;
        }

        private synchronized int open() {
            return open;
        }

        private synchronized long begun() {
            return begun;
        }
    }

    private final Map<String, Tally> tallies = new ConcurrentHashMap<>();

    /** The one that was asked for last, as most connections are plain for the same reason. */
    private volatile Tally last;

    Tally of(String reason) {
        Tally known = last;
        if (known != null && known.isFor(reason)) {
            return known;
        }
        Tally fresh = new Tally(reason);
        known = tallies.putIfAbsent(reason, fresh);
        Tally found = known == null ? fresh : known;
        last = found;
        return found;
    }

    /** Connections that were plain, since the start. */
    public long total() {
        long all = 0;
        for (Tally tally : tallies.values()) {
            all += tally.begun();
        }
        return all;
    }

    /** Connections that are plain now. */
    public int open() {
        int all = 0;
        for (Tally tally : tallies.values()) {
            all += tally.open();
        }
        return all;
    }

    /** Reasons with the number of connections open now. */
    public Map<String, Integer> byReason() {
        Map<String, Integer> counts = new TreeMap<>();
        for (Tally tally : tallies.values()) {
            int open = tally.open();
            if (open > 0) {
                counts.put(tally.reason, open);
            }
        }
        return counts;
    }
}
