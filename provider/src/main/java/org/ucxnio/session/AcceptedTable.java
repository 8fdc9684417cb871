package org.ucxnio.session;

import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The accepted connections that no client has asked for yet, by their addresses. Thread-safe; adding and removing cost one access to a
 * map and neither start nor load anything, as every accepted connection pays for it.
 */
final class AcceptedTable {
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

        /** What is left: null where nothing is, and {@code this} where it does not hold the connection. */
        Object minus(Movable removed) {
            Movable[] left = new Movable[connections.length];
            int count = 0;
            for (Movable connection : connections) {
                if (connection != removed) {
                    left[count++] = connection;
                }
            }
            if (count == connections.length) {
                return this;
            }
            return count == 1 ? left[0] : new Several(Arrays.copyOf(left, count));
        }
    }

    /** A {@link Movable} or {@link Several}. */
    private final ConcurrentHashMap<AddressPair, Object> connections = new ConcurrentHashMap<>();

    void add(Movable connection) {
        AddressPair addresses = AddressPair.of(connection);
        if (addresses == null) {
            return;
        }
        Object before = connections.putIfAbsent(addresses, connection);
        while (before != null) {
            if (connections.replace(addresses, before, Several.plus(before, connection))) {
                return;
            }
            before = connections.putIfAbsent(addresses, connection);
        }
    }

    void remove(Movable connection) {
        AddressPair addresses = AddressPair.of(connection);
        Object before = addresses == null ? null : connections.get(addresses);
        while (before != null && !remove(addresses, before, connection)) {
            before = connections.get(addresses);
        }
    }

    /** False where {@code before} is not what there is any more. */
    private boolean remove(AddressPair addresses, Object before, Movable connection) {
        if (before instanceof Several several) {
            Object left = several.minus(connection);
            return left == before || connections.replace(addresses, before, left);
        }
        return before != connection || connections.remove(addresses, connection);
    }

    /** The only one of these addresses, as this process sees them; null where there is none or more than one. */
    Movable find(AddressPair addresses) {
        return connections.get(addresses) instanceof Movable connection ? connection : null;
    }
}
