package org.ucxnio.session;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.ucxnio.counters.Log;

/** The connections that are being paired, or are paired. Thread-safe. */
final class Members {
    private static final AtomicReferenceFieldUpdater<Movable, Pairing> PAIRING =
            AtomicReferenceFieldUpdater.newUpdater(Movable.class, Pairing.class, "pairing");

    /** False where the connection is one already. */
    boolean add(Pairing pairing) {
        return PAIRING.compareAndSet(pairing.connection(), null, pairing);
    }

    /** The connection is closed. */
    void closed(Movable connection) {
        Pairing pairing = connection.pairing;
        if (pairing != null && PAIRING.compareAndSet(connection, pairing, null)) {
            pairing.leave();
        }
    }

    void remove(Pairing pairing) {
        PAIRING.compareAndSet(pairing.connection(), pairing, null);
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
