package org.ucxnio.session;

import java.io.IOException;
import java.net.InetSocketAddress;
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

    private final Meeting meeting;
    private final SessionSetting setting;
    private final InetSocketAddress address;
    private final Runnable unused;
    private final ArrayDeque<Pairing> waiting = new ArrayDeque<>();

    /** Made in advance: there may be no memory when it is needed. */
    private final Runnable attempt = this::attempt;

    /** That of the session, or of the one that is being opened; null where there is none. */
    private ClientSide client;

    /** Whether a timer runs until a session is tried again. */
    private boolean pausing;

    private long delayNanos;
    private String reason = NOBODY;

    /** @param unused is run when nobody waits and there is no session */
    Route(Meeting meeting, SessionSetting setting, InetSocketAddress address, Runnable unused) {
        this.meeting = meeting;
        this.setting = setting;
        this.address = address;
        this.unused = unused;
    }

    void request(Pairing pairing) {
        if (client != null && client.isOpen()) {
            client.request(pairing);
        } else if (waiting.size() >= MAX_WAITING) {
            setting.members().staysPlain(pairing, "too many connections wait for a session with the peer");
        } else {
            waiting.add(pairing);
            if (client == null && !pausing) {
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
        pausing = false;
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
        Rendezvous rendezvous = waiting.isEmpty() ? null : meeting.open();
        if (rendezvous == null) {
            while (!waiting.isEmpty()) {
                setting.members().staysPlain(waiting.poll(), meeting.unavailable());
            }
            unused.run();
            return;
        }
        try {
            if (!connect(rendezvous)) {
                reason = NOBODY;
                later();
            }
        } catch (IOException | RuntimeException e) {
            reason = "no session with the peer: " + (e instanceof IOException ? e.getMessage() : e);
            later();
        }
    }

    private void later() {
        pausing = true;
        delayNanos = setting.timing().delayAfter(delayNanos);
        setting.loop().schedule(delayNanos, attempt);
    }

    /** The name of the listener, or null. */
    private String name(Rendezvous rendezvous) throws IOException {
        for (String name : new String[] {rendezvous.listenerName(address), rendezvous.listenerOfAny(address)}) {
            if (rendezvous.identity(name) != null) {
                return name;
            }
        }
        return null;
    }

    private boolean connect(Rendezvous rendezvous) throws IOException {
        String name = name(rendezvous);
        if (name == null) {
            return false;
        }
        // First: a name that changes hands meanwhile looks changed later.
        Object identity = rendezvous.identity(name);
        SocketChannel channel = rendezvous.connect(name);
        if (channel == null) {
            return false;
        }
        boolean started = false;
        try {
            PeerUser.check(channel, rendezvous.user());
            Session session = new Session(setting, rendezvous, channel, false);
            client = new ClientSide(session, identity, this);
            session.start(client);
            started = true;
        } finally {
            if (!started) {
                client = null;
                channel.close();
            }
        }
        return true;
    }

    // -- the session -------------------------------------------------------------------------------------------------

    @Override
    public void onOpen() {
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
        try {
            Rendezvous rendezvous = meeting.current();
            String name = name(rendezvous);
            return name == null || asked.identity().equals(rendezvous.identity(name));
        } catch (IOException e) {
            return true;
        }
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
