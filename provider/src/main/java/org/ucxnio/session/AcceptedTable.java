package org.ucxnio.session;

import java.util.Arrays;
import java.util.HashMap;

/**
 * The accepted connections that no client has asked for yet, by their addresses. Thread-safe.
 *
 * <p>Every accepted connection pays for it, and most are closed before a client asks for any. So those that were accepted since a client has
 * asked are in a list only, linked through themselves: adding and removing need no memory and neither start nor load anything. Whoever asks
 * puts them into the map, a few at a time, so that nobody who accepts waits long for the monitor.
 */
public final class AcceptedTable {
    /** Several connections of the same addresses, of which at most one can be alive. They are told apart no more. Immutable. */
    private static final class Several {
        final Movable[] connections;

        Several(Movable... connections) {
            this.connections = connections;
        }

        static Object plus(Object before, Movable added) {
            Movable[] old = before instanceof Several several ? several.connections : new Movable[] {(Movable) before};
            Movable[] all = Arrays.copyOf(old, old.length + 1);
            all[old.length] = added;
            return new Several(all);
        }

        /** What is left without one of them. */
        Object minus(Movable removed) {
            Movable[] left = new Movable[connections.length];
            int count = 0;
            for (Movable connection : connections) {
                if (connection != removed) {
                    left[count++] = connection;
                }
            }
            return count == 1 ? left[0] : new Several(Arrays.copyOf(left, count));
        }
    }

    /** Connections that are put into the map without letting go of the monitor. */
    private static final int MAPPED_AT_ONCE = 64;

    // -- guarded by the monitor --

    /** Each is a {@link Movable} or {@link Several}. */
    private final HashMap<AddressPair, Object> map = new HashMap<>();

    private Movable newest;

    // -- end --

    /** A client may ask for it from now on. */
    public synchronized void add(Movable connection) {
        connection.isListed = true;
        connection.older = newest;
        if (newest != null) {
            newest.newer = connection;
        }
        newest = connection;
    }

    /** No client finds it any more; it was added, or not. */
    public synchronized void remove(Movable connection) {
        if (connection.isListed) {
            unlist(connection);
        } else if (connection.found != null) {
            unmap(connection);
        }
    }

    private void unlist(Movable connection) {
        Movable older = connection.older;
        Movable newer = connection.newer;
        if (older != null) {
            older.newer = newer;
        }
        if (newer != null) {
            newer.older = older;
        } else {
            newest = older;
        }
        connection.older = null;
        connection.newer = null;
        connection.isListed = false;
    }

    private void unmap(Movable connection) {
        AddressPair addresses = connection.found;
        connection.found = null;
        Object left = map.get(addresses) instanceof Several several ? several.minus(connection) : null;
        if (left == null) {
            map.remove(addresses);
        } else {
            map.put(addresses, left);
        }
    }

    /** The only one of these addresses, as this process sees them; null where there is none or more than one. */
    Movable find(AddressPair addresses) {
        boolean more = true;
        while (more) {
            more = mapsMore();
        }
        synchronized (this) {
            return map.get(addresses) instanceof Movable connection ? connection : null;
        }
    }

    /** Returns whether some are left in the list. */
    private synchronized boolean mapsMore() {
        for (int i = 0; i < MAPPED_AT_ONCE && newest != null; i++) {
            Movable connection = newest;
            AddressPair addresses = AddressPair.of(connection);
            if (addresses != null) {
                Object before = map.get(addresses);
                map.put(addresses, before == null ? connection : Several.plus(before, connection));
                connection.found = addresses;
            }
            unlist(connection);
        }
        return newest != null;
    }
}
