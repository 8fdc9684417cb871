package org.ucxnio.session;

import java.util.concurrent.ConcurrentHashMap;
import org.ucxnio.counters.Log;

/** The connections that are being paired, or are paired. Thread-safe. */
final class Members {
    private final ConcurrentHashMap<Movable, Pairing> pairings = new ConcurrentHashMap<>();

    /** False where the connection is one already. */
    boolean add(Pairing pairing) {
        return pairings.putIfAbsent(pairing.connection(), pairing) == null;
    }

    /** The connection is closed. */
    void closed(Movable connection) {
        // Not behind isEmpty(), whose count may be behind what other threads have done.
        Pairing pairing = pairings.remove(connection);
        if (pairing != null) {
            pairing.leave();
        }
    }

    void remove(Pairing pairing) {
        pairings.remove(pairing.connection(), pairing);
    }

    /** It will not be paired. */
    void staysPlain(Pairing pairing, String reason) {
        remove(pairing);
        if (pairing.hasLeft()) {
            return;
        }
        try {
            pairing.connection().staysPlain(reason);
        } catch (RuntimeException | Error e) {
            Log.error("A connection failed as it was told that it stays plain", e);
        }
    }

    /** The session of its rings is over. */
    void sessionEnded(Pairing pairing) {
        remove(pairing);
        try {
            pairing.connection().sessionEnded();
        } catch (OutOfMemoryError e) {
            // Somebody may sleep on its rings still: the session's end is told again.
            throw e;
        } catch (RuntimeException | Error e) {
            Log.error("A connection failed as it was told that its session is over", e);
        }
    }
}
