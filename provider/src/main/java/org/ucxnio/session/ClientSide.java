package org.ucxnio.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.ucxnio.counters.Log;
import org.ucxnio.link.Lane;

/**
 * The end of a session that asks: its process has opened the connections. Why a pairing is right stands at {@link Pairings}. Owned by
 * the session thread.
 */
final class ClientSide implements Session.Role {
    /** Pairings that the server may have to answer at a time. The others wait. */
    private static final int MAX_ASKED = 1024;

    /** Where a session begins slowly, so many times as many pairings may have been asked for at each step as at the one before. */
    private static final int GROWTH = 4;

    /** That begins behind so many steps, in which two processes load what they need, the one behind the other. */
    private static final int STEPS_TO_LOAD = 2;

    /** Is told how the session goes. */
    interface Owner {
        void onOpen();

        void onEnd(ClientSide client, String reason);

        /** Whether the server is still the process that listens at the address. */
        boolean isCurrent(ClientSide client);

        /** It is not, and the one that is should be asked. */
        void onMoved(ClientSide client, Pairing pairing);
    }

    private final Session session;
    private final SessionSetting setting;
    private final Owner owner;
    private final Object identity;
    private final ArrayDeque<Pairing> waiting = new ArrayDeque<>();
    private long lastId;

    /** The last one when the session was looked at. */
    private long idleSince;

    /** Pairings that are asked for or cancelled. */
    private int asked;

    /** Pairings that were asked for, and that may have been by now: all, but while the session begins slowly. */
    private long begun;

    private long allowed = Long.MAX_VALUE;

    /** @param identity of the process at the other end: {@link Rendezvous#identity} of the name that led there */
    ClientSide(Session session, Object identity, Owner owner) {
        this.session = session;
        this.setting = session.setting();
        this.owner = owner;
        this.identity = identity;
    }

    boolean isOpen() {
        return session.isOpen();
    }

    Object identity() {
        return identity;
    }

    /** The owner has no more use for it. What is paired stays so. */
    void endIfUnused() {
        if (session.pairings().isEmpty()) {
            session.end("no longer needed");
        }
    }

    @Override
    public void onOpen() {
        endOnceIdle();
        owner.onOpen();
    }

    /** Who goes from one listener to the next is not to keep a session with each. The next connection has a new one. */
    private void endOnceIdle() {
        idleSince = lastId;
        setting.loop().schedule(setting.timing().idleNanos(), this::endIfIdle);
    }

    private void endIfIdle() {
        if (session.isOpen() && lastId == idleSince && !session.bond().isDraining()) {
            endIfUnused();
        }
        if (session.isOpen()) {
            endOnceIdle();
        }
    }

    /** Pairs a connection with the process at the other end. */
    void request(Pairing pairing) {
        pairing.join(session.pairings(), ++lastId);
        waiting.add(pairing);
        if (lastId == 1 && pairing.pace() != Pace.AT_ONCE) {
            beginSlowly(pairing.connection().hasSleepers(), setting.timing().stepNanos(pairing.pace()));
        }
        askWaiting();
    }

    /**
     * What a session needs, and what threads sleep with, takes each process a tenth of a second of processor time to load, and the code that carries
     * bytes a second to compile. Calls that come to a link meanwhile are slow, and a program that sends at a pace of its own has a queue before
     * it in no time. So all connections stay on TCP until that is loaded. Then one moves, and more at each step, so that most calls find
     * compiled code.
     */
    private void beginSlowly(boolean sleepers, long stepNanos) {
        allowed = 0;
        setting.loop().schedule(STEPS_TO_LOAD * stepNanos, () -> allowMore(stepNanos));
        if (sleepers) {
            session.bond().expectSleepers();
        }
    }

    private void allowMore(long stepNanos) {
        allowed = allowed < MAX_ASKED ? Math.max(1, GROWTH * allowed) : Long.MAX_VALUE;
        long deadline = System.nanoTime() + setting.timing().patienceNanos();
        for (Pairing pairing : waiting) {
            pairing.deadline(deadline);
        }
        askWaiting();
        if (allowed < Long.MAX_VALUE && session.isOpen()) {
            setting.loop().schedule(stepNanos, () -> allowMore(stepNanos));
        }
    }

    private void askWaiting() {
        while (begun < allowed && asked < MAX_ASKED && !waiting.isEmpty()) {
            begun++;
            ask(waiting.poll());
        }
    }

    private void ask(Pairing pairing) {
        if (!session.isOpen()) {
            // The end of the session tells it.
            return;
        }
        if (!isEstablished(pairing)) {
            drop(pairing, "it is closed, or shut down");
        } else if (hasLane(pairing)) {
            asked++;
            pairing.state(Pairing.State.ASKED);
            long namespace = session.terms().namespace();
            session.sendOrEnd(Protocol.pair(pairing.id(), namespace, pairing.addresses(), pairing.lane()));
        }
    }

    private static boolean isEstablished(Pairing pairing) {
        try {
            return !pairing.hasLeft() && pairing.connection().isEstablished();
        } catch (RuntimeException | Error e) {
            Log.error("A connection does not know whether it is established", e);
            return false;
        }
    }

    private boolean hasLane(Pairing pairing) {
        if (pairing.lane() == null) {
            try {
                pairing.lane(session.bond().open(pairing.connection().home()));
            } catch (IOException e) {
                drop(pairing, e.getMessage());
                return false;
            }
        }
        return true;
    }

    /** It stays plain; the server does not look at its lane. */
    private void drop(Pairing pairing, String reason) {
        leaveSession(pairing);
        setting.members().staysPlain(pairing, reason);
    }

    private void leaveSession(Pairing pairing) {
        session.pairings().remove(pairing.id());
        Lane lane = pairing.lane();
        if (lane != null) {
            lane.free();
            pairing.lane(null);
        }
    }

    // -- answers -----------------------------------------------------------------------------------------------------

    @Override
    public void onMessage(int type, ByteBuffer body) throws IOException {
        Pairing pairing = session.pairings().get(body.getLong());
        switch (type) {
            case Protocol.PAIRED -> onPaired(expect(pairing, Pairing.State.ASKED), body);
            case Protocol.REFUSED -> {
                boolean again = body.get() != 0;
                onRefused(expect(pairing, Pairing.State.ASKED), again, Protocol.readReason(body));
            }
            case Protocol.RELEASED -> onReleased(expect(pairing, Pairing.State.CANCELLED));
            default -> throw new IOException("the peer, a server, sent a message of type " + type);
        }
        askWaiting();
    }

    private static Pairing expect(Pairing pairing, Pairing.State state) throws IOException {
        if (pairing == null || pairing.state() != state) {
            throw new IOException("the peer answered what it was not asked");
        }
        return pairing;
    }

    private void onPaired(Pairing pairing, ByteBuffer body) throws IOException {
        String reason = "it is closed, or shut down";
        boolean heard = false;
        if (isEstablished(pairing)) {
            try {
                pairing.lane().join(body);
                heard = pairing.connection().hear(pairing.lane());
            } catch (IOException e) {
                reason = e.getMessage();
            }
        }
        // What was not looked at.
        body.position(body.limit());
        if (!heard) {
            pairing.state(Pairing.State.CANCELLED);
            session.send(Protocol.about(Protocol.CANCEL, pairing.id()));
            setting.members().staysPlain(pairing, reason);
            return;
        }
        asked--;
        // Before it is sent: a session that ends meanwhile is the connection's to know.
        pairing.settle();
        setting.sessions().paired();
        session.send(Protocol.about(Protocol.CONFIRM, pairing.id()));
        if (!pairing.connection().speak(pairing.lane())) {
            pairing.lane().retire();
        }
    }

    private void onRefused(Pairing pairing, boolean again, String reason) {
        asked--;
        pairing.state(Pairing.State.WAITING);
        if (!again || pairing.isExpired(System.nanoTime())) {
            drop(pairing, reason);
        } else if (!owner.isCurrent(this)) {
            leaveSession(pairing);
            owner.onMoved(this, pairing);
        } else {
            setting.loop().schedule(pairing.nextDelayNanos(setting.timing()), () -> {
                begun--;
                waiting.add(pairing);
                askWaiting();
            });
        }
    }

    private void onReleased(Pairing pairing) {
        asked--;
        session.pairings().remove(pairing.id());
        pairing.lane().free();
    }

    // -- the end -----------------------------------------------------------------------------------------------------

    @Override
    public void onEnd(String reason) {
        waiting.clear();
        for (Pairing pairing : session.pairings().values()) {
            switch (pairing.state()) {
                case PAIRED -> setting.members().sessionEnded(pairing);
                case CANCELLED -> setting.members().remove(pairing);
                default -> setting.members().staysPlain(pairing, "the session with the peer is over: " + reason);
            }
        }
        session.pairings().clear();
        owner.onEnd(this, reason);
    }
}
