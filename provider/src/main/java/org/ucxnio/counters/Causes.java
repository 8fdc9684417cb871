package org.ucxnio.counters;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The causes that people were warned of lately. A hostile peer that brings up ever new ones neither makes the set grow without end, nor
 * uses it up: where it is full the cause that was seen longest ago makes room. That happens once a second at most, so that such a peer
 * does not fill the log either; a cause that finds no room is not told of now, but the next time. Thread-safe.
 */
class Causes {
    static final int MOST = 1024;
    static final long ROOM_NANOS = TimeUnit.SECONDS.toNanos(1);

    // -- guarded by this --
    private final Map<String, Boolean> seen = new LinkedHashMap<>(16, 0.75f, true);
    private long lastRoomNanos;
    private boolean madeRoom;
    // -- end --

    /** The clock. */
    long nanos() {
        return System.nanoTime();
    }

    /** Whether to tell of a cause: it was not seen lately. It is remembered then. */
    synchronized boolean add(String cause) {
        if (seen.get(cause) != null || seen.size() >= MOST && !makeRoom()) {
            return false;
        }
        seen.put(cause, Boolean.TRUE);
        return true;
    }

    private boolean makeRoom() {
        long now = nanos();
        if (madeRoom && now - lastRoomNanos < ROOM_NANOS) {
            return false;
        }
        madeRoom = true;
        lastRoomNanos = now;
        Iterator<String> eldestFirst = seen.keySet().iterator();
        eldestFirst.next();
        eldestFirst.remove();
        return true;
    }
}
