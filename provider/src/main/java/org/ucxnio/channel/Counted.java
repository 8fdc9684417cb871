package org.ucxnio.channel;

import org.ucxnio.link.Medium;

/** How a connection is counted: as plain, for a reason, or as one that something else carries. Thread-safe. */
final class Counted {
    private static final String NO_ROOM = "went back to TCP: no room for its rings";

    private final PlainConnections plain;

    // -- guarded by this --
    private PlainConnections.Tally tally;

    /** Null while it is plain. */
    private Medium medium;

    private boolean closed;
    // -- end --

    /** Only rises; with the monitor held. */
    private volatile boolean everMoved;

    Counted(PlainConnections plain, String reason) {
        this.plain = plain;
        this.tally = plain.of(reason);
        tally.begin();
    }

    /** Whether a direction has ever moved. */
    boolean hasEverMoved() {
        return everMoved;
    }

    /** It stays plain for this reason, unless it has moved. */
    synchronized void staysPlain(String why) {
        if (!everMoved && !closed && !tally.isFor(why)) {
            tally.leave();
            tally = plain.of(why);
            tally.enter();
        }
    }

    /**
     * A direction has moved, or gone back.
     *
     * @param now what carries a direction at least; null where both are the kernel's
     * @return whether it is the first to move
     */
    synchronized boolean carriedBy(Medium now) {
        boolean first = now != null && !everMoved;
        if (now == medium || closed) {
            return false;
        }
        if (now != null) {
            tally.leave();
            now.opened();
        } else {
            medium.closed();
            tally = plain.of(NO_ROOM);
            tally.enter();
        }
        medium = now;
        everMoved = true;
        return first;
    }

    synchronized void close() {
        closed = true;
        if (medium != null) {
            medium.closed();
        } else {
            tally.leave();
        }
    }
}
