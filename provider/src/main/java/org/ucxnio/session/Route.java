package org.ucxnio.session;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;

/**
 * The way to the process that listens at one address: its session once there is one, and until then the connections that wait for it.
 * Owned by the session thread.
 */
final class Route implements ClientSide.Owner {
    /** Connections that wait for a session. More stay plain. */
    private static final int MAX_WAITING = 16 << 10;

    static final String NOBODY = "no session with the peer: nobody there speaks it";

    private final Way way;
    private final SessionSetting setting;
    private final Runnable unused;
    private final ArrayDeque<Pairing> waiting = new ArrayDeque<>();

    /** Made in advance: there may be no memory when it is needed. */
    private final Runnable attempt = this::attempt;

    /** That of the session, or of the one that is being opened; null where there is none. */
    private ClientSide client;

    /** Whether a connect is under way, or a timer runs until it is tried again. */
    private boolean trying;

    private boolean connectedOnce;
    private long delayNanos;
    private String reason = NOBODY;

    /** @param unused is run when nobody waits and there is no session */
    Route(Way way, SessionSetting setting, Runnable unused) {
        this.way = way;
        this.setting = setting;
        this.unused = unused;
    }

    void request(Pairing pairing) {
        if (client != null && client.isOpen()) {
            client.request(pairing);
        } else if (waiting.size() >= MAX_WAITING) {
            setting.members().staysPlain(pairing, "too many connections wait for a session with the peer");
        } else {
            waiting.add(pairing);
            if (client == null && !trying) {
                attempt();
            }
        }
    }

    /** Drops the requests that have waited for too long, or are of no use any more. */
    private void expire() {
        long now = System.nanoTime();
        for (int left = waiting.size(); left > 0; left--) {
            Pairing pairing = waiting.poll();
            if (pairing.hasLeft()) {
                setting.members().remove(pairing);
            } else if (pairing.isExpired(now)) {
                setting.members().staysPlain(pairing, reason);
            } else {
                waiting.add(pairing);
            }
        }
    }

    private void attempt() {
        trying = false;
        boolean done = false;
        try {
            tryAttempt();
            done = true;
        } finally {
            if (!done) {
                later();
            }
        }
    }

    private void tryAttempt() {
        expire();
        String closed = waiting.isEmpty() ? null : way.closed();
        while (closed != null && !waiting.isEmpty()) {
            setting.members().staysPlain(waiting.poll(), closed);
        }
        if (waiting.isEmpty()) {
            unused.run();
            return;
        }
        trying = true;
        try {
            if (!way.begin(this)) {
                reason = NOBODY;
                later();
            }
        } catch (IOException | RuntimeException e) {
            failed(e instanceof IOException ? e.getMessage() : e.toString());
        }
    }

    /** Nobody was reached for now. */
    void failed(String why) {
        reason = "no session with the peer: " + why;
        later();
    }

    /** Whether a session was had, or is being opened. */
    boolean wasConnected() {
        return connectedOnce;
    }

    private void later() {
        trying = true;
        delayNanos = setting.timing().delayAfter(delayNanos);
        setting.loop().schedule(delayNanos, attempt);
    }

    /** The peer is reached; who it is was checked as far as the kernel knows. */
    void connected(SocketChannel channel, Terms terms, Object identity) throws IOException {
        trying = false;
        boolean started = false;
        try {
            Session session = new Session(setting, terms, channel, false);
            client = new ClientSide(session, identity, this);
            session.start(client);
            started = true;
        } finally {
            if (!started) {
                client = null;
                SessionLoop.close(channel);
            }
        }
    }

    // -- the session -------------------------------------------------------------------------------------------------

    @Override
    public void onOpen() {
        connectedOnce = true;
        // A session that ends meanwhile is no client any more.
        while (client != null && !waiting.isEmpty()) {
            client.request(waiting.poll());
        }
    }

    @Override
    public void onEnd(ClientSide ended, String why) {
        if (client == ended) {
            client = null;
            later();
            reason = "no session with the peer: " + why;
        }
    }

    @Override
    public boolean isCurrent(ClientSide asked) {
        return way.isCurrent(asked.identity());
    }

    @Override
    public void onMoved(ClientSide asked, Pairing pairing) {
        if (client == asked) {
            client = null;
        }
        asked.endIfUnused();
        request(pairing);
    }
}
