package org.ucxnio.session;

import java.util.Map;
import org.ucxnio.link.Lane;

/**
 * One connection on its way to a link, and there: at most one for each connection and process. Owned by the session thread, except
 * {@link #leave}.
 */
final class Pairing {
    /** The client's go from the first to the last; the server's begin with HEARING. */
    enum State {
        /** The client has not asked. */
        WAITING,
        /** The client has asked: the server may look at the client's lane. */
        ASKED,
        /** The client has taken back what it asked, and waits until the server does not look at its lane any more. */
        CANCELLED,
        /** The server listens, and waits to be told that the client does. */
        HEARING,
        /** Both listen to each other. */
        PAIRED
    }

    private final Movable connection;
    private final AddressPair addresses;

    /** What this process offers; null until there is one. */
    private Lane lane;

    private long deadlineNanos;
    private long delayNanos;
    private Pace pace = Pace.AT_ONCE;
    private Map<Long, Pairing> table;
    private long id;

    /** Both are written by one thread and read by another; whoever writes the second of them sees the first. */
    private volatile State state;

    private volatile boolean left;

    Pairing(Movable connection, AddressPair addresses, State state) {
        this.connection = connection;
        this.addresses = addresses;
        this.state = state;
    }

    Movable connection() {
        return connection;
    }

    /** As this process sees them; null at a server, which asks nobody. */
    AddressPair addresses() {
        return addresses;
    }

    Lane lane() {
        return lane;
    }

    void lane(Lane opened) {
        lane = opened;
    }

    State state() {
        return state;
    }

    void state(State next) {
        state = next;
    }

    /** Until when a client asks. */
    void deadline(long nanos) {
        deadlineNanos = nanos;
    }

    boolean isExpired(long nowNanos) {
        return nowNanos - deadlineNanos >= 0;
    }

    /** Before others see it. */
    void pace(Pace chosen) {
        pace = chosen;
    }

    Pace pace() {
        return pace;
    }

    /** How long to wait before it is asked for the next time: longer each time. */
    long nextDelayNanos(Timing timing) {
        delayNanos = timing.delayAfter(delayNanos);
        return delayNanos;
    }

    /** It belongs to a session from now on, under that number. */
    void join(Map<Long, Pairing> pairings, long number) {
        table = pairings;
        id = number;
        pairings.put(number, this);
    }

    long id() {
        return id;
    }

    /** Both ends have agreed. */
    void settle() {
        state = State.PAIRED;
        if (left) {
            table.remove(id);
        }
    }

    /** The connection is closed. Where nothing is being agreed on any more it is forgotten, else as soon as that is over. Any thread. */
    void leave() {
        left = true;
        if (state == State.PAIRED) {
            table.remove(id);
        }
    }

    boolean hasLeft() {
        return left;
    }
}
