package org.ucxnio;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.ucxnio.session.Host;

/** The listeners of a process that has no sessions yet. Thread-safe. */
final class EarlyListeners {
    private final Set<Listening> listening = new LinkedHashSet<>();

    /** Returns what is to be closed with the listener, be that before or behind {@link #repeatTo}. */
    synchronized Closeable listening(InetSocketAddress bound) {
        Listening made = new Listening(bound);
        listening.add(made);
        return made;
    }

    /** Names all to those who see to it from now on. Where there is no memory for that the rest is left for another time. */
    synchronized void repeatTo(Host host) {
        for (Iterator<Listening> each = listening.iterator(); each.hasNext(); each.remove()) {
            Listening next = each.next();
            next.there = host.listening(next.bound);
        }
    }

    private synchronized Closeable forget(Listening closed) {
        listening.remove(closed);
        return closed.there;
    }

    private final class Listening implements Closeable {
        private final InetSocketAddress bound;

        /** Guarded by the monitor of the set. Null before {@link #repeatTo}. */
        private Closeable there;

        Listening(InetSocketAddress bound) {
            this.bound = bound;
        }

        @Override
        public void close() throws IOException {
            Closeable known = forget(this);
            if (known != null) {
                known.close();
            }
        }
    }
}
