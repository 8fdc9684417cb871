package org.ucxnio.session;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ucxnio.counters.Log;

/**
 * The names that the listeners of this process have in the rendezvous directory. A name that cannot be had now is tried again later, as
 * long as its listener is open. Behind the end of a listener its name stays for a little: a client may ask for a connection that was
 * accepted before. Owned by the session thread, except {@link #problems}.
 */
final class ListenerNames {
    private static final class Listener {
        /** Listeners of this process at that address: several may share a port. */
        int count;

        boolean claimed;
        long delayNanos;

        /** Claims its name; made in advance, as there may be no memory when it is needed. */
        Runnable claim;
    }

    private final Meeting meeting;
    private final SessionLoop loop;
    private final Timing timing;
    private final Map<InetSocketAddress, Listener> listeners = new HashMap<>();
    private final Map<InetSocketAddress, String> problems = new ConcurrentHashMap<>();

    ListenerNames(Meeting meeting, SessionLoop loop, Timing timing) {
        this.meeting = meeting;
        this.loop = loop;
        this.timing = timing;
    }

    /** Both wildcard addresses have one name. */
    private static InetSocketAddress key(InetSocketAddress bound) {
        return bound.getAddress().isAnyLocalAddress() ? new InetSocketAddress(bound.getPort()) : bound;
    }

    void open(InetSocketAddress address) {
        InetSocketAddress bound = key(address);
        Listener listener = listeners.get(bound);
        if (listener == null) {
            Listener made = new Listener();
            made.claim = () -> claim(bound, made);
            listeners.put(bound, made);
            listener = made;
        }
        if (listener.count++ == 0 && !listener.claimed) {
            listener.claim.run();
        }
    }

    private void claim(InetSocketAddress bound, Listener listener) {
        if (listeners.get(bound) != listener) {
            return;
        }
        try {
            tryClaim(bound, listener);
        } finally {
            if (!listener.claimed) {
                listener.delayNanos = timing.nameDelayAfter(listener.delayNanos);
                loop.schedule(listener.delayNanos, listener.claim);
            }
        }
    }

    private void tryClaim(InetSocketAddress bound, Listener listener) {
        String problem;
        try {
            Rendezvous rendezvous = meeting.open();
            if (rendezvous == null) {
                problem = meeting.unavailable();
            } else if (rendezvous.claim(rendezvous.listenerName(bound))) {
                problem = null;
            } else {
                problem = "the name of the listener is held by another process";
            }
        } catch (IOException e) {
            problem = "the listener has no name: " + e.getMessage();
        }
        listener.claimed = problem == null;
        if (problem == null) {
            problems.remove(bound);
        } else if (listener.count > 0) {
            problems.put(bound, problem);
        }
    }

    /** A process that had the name for a listener which was closed before keeps it for as long: so much longer one that has no name is tried for. */
    void close(InetSocketAddress address) {
        InetSocketAddress bound = key(address);
        Listener listener = listeners.get(bound);
        if (--listener.count == 0) {
            problems.remove(bound);
            long linger = timing.lingerNanos();
            loop.schedule(listener.claimed ? linger : 2 * linger, () -> forget(bound, listener));
        }
    }

    private void forget(InetSocketAddress bound, Listener listener) {
        if (listener.count > 0 || !listeners.remove(bound, listener) || !listener.claimed) {
            return;
        }
        Rendezvous rendezvous = meeting.current();
        try {
            rendezvous.unclaim(rendezvous.listenerName(bound));
        } catch (IOException e) {
            Log.debug("The name of a listener stays: " + e);
        }
    }

    /** Why listeners cannot be found by clients of this host, by their addresses. Any thread. */
    Map<InetSocketAddress, String> problems() {
        return Map.copyOf(problems);
    }
}
