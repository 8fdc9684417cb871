package org.ucxnio.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.ucxnio.link.Lane;

/**
 * The end of a session that is asked: its process has accepted the connections. Why a pairing is right stands at {@link Pairings}.
 * Owned by the session thread.
 */
final class ServerSide implements Session.Role {
    /** Why a client's request is not granted. */
    private static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        /** Whether it may be granted a little later. */
        final boolean again;

        RefusedException(boolean again, String reason) {
            super(reason, null, false, false);
            this.again = again;
        }
    }

    private final Session session;
    private final SessionSetting setting;
    private final Runnable ended;

    /** @param ended is run when the session is over */
    ServerSide(Session session, Runnable ended) {
        this.session = session;
        this.setting = session.setting();
        this.ended = ended;
    }

    @Override
    public void onOpen() {
        // The client begins.
    }

    @Override
    public void onMessage(int type, ByteBuffer body) throws IOException {
        long id = body.getLong();
        switch (type) {
            case Protocol.PAIR -> onPair(id, body);
            case Protocol.CONFIRM -> onConfirm(expectHearing(id));
            case Protocol.CANCEL -> onCancel(expectHearing(id));
            default -> throw new IOException("the peer, a client, sent a message of type " + type);
        }
    }

    private Pairing expectHearing(long id) throws IOException {
        Pairing pairing = session.pairings().get(id);
        if (pairing == null || pairing.state() != Pairing.State.HEARING) {
            throw new IOException("the peer spoke of a pairing that there is not");
        }
        return pairing;
    }

    private void onPair(long id, ByteBuffer body) throws IOException {
        long namespace = body.getLong();
        AddressPair addresses = Protocol.readAddresses(body).mirrored();
        if (session.pairings().containsKey(id)) {
            throw new IOException("the peer used a number twice");
        }
        try {
            Movable connection = find(namespace, addresses);
            Lane own = hear(id, connection, body);
            session.send(Protocol.paired(id, own));
        } catch (RefusedException e) {
            // What was not looked at.
            body.position(body.limit());
            session.send(Protocol.refused(id, e.again, e.getMessage()));
        }
    }

    private Movable find(long namespace, AddressPair addresses) throws IOException, RefusedException {
        AddressPair own = session.addresses();
        if (own != null && !own.hasSameHosts(addresses)) {
            throw new RefusedException(false, "address unknown to the peer (translated on the way?)");
        }
        if (namespace != session.terms().namespace()) {
            throw new RefusedException(false, "the peer is in another network namespace");
        }
        if (addresses.needsInterface()) {
            throw new RefusedException(false, "link-local addresses do not name a connection");
        }
        Movable connection = setting.accepted().find(addresses);
        if (connection == null) {
            throw new RefusedException(true, "address unknown to the peer (translated on the way?)");
        }
        if (!connection.isEstablished()) {
            throw new RefusedException(false, "the peer has closed it, or shut it down");
        }
        return connection;
    }

    /** Returns this end's lane. Where this throws, nobody has looked at the client's. */
    private Lane hear(long id, Movable connection, ByteBuffer body) throws RefusedException {
        Lane own = null;
        try {
            own = session.bond().open(connection.home());
            own.join(body);
        } catch (IOException e) {
            if (own != null) {
                own.free();
            }
            throw new RefusedException(false, "at the peer: " + e.getMessage());
        }
        Pairing pairing = new Pairing(connection, null, Pairing.State.HEARING);
        pairing.lane(own);
        // Before it is asked to listen: what closes it from now on finds it here.
        if (!setting.members().add(pairing)) {
            own.free();
            throw new RefusedException(false, "the connection is paired already");
        }
        pairing.join(session.pairings(), id);
        if (!connection.hear(own)) {
            own.free();
            forget(pairing);
            throw new RefusedException(false, "the peer has closed it, or could not reach this process");
        }
        setting.accepted().remove(connection);
        return own;
    }

    private void forget(Pairing pairing) {
        session.pairings().remove(pairing.id());
        setting.members().remove(pairing);
    }

    private void onConfirm(Pairing pairing) {
        pairing.settle();
        setting.sessions().paired();
        if (!pairing.connection().speak(pairing.lane())) {
            pairing.lane().retire();
        }
    }

    private void onCancel(Pairing pairing) throws IOException {
        forget(pairing);
        pairing.connection().unhear();
        pairing.lane().free();
        session.send(Protocol.about(Protocol.RELEASED, pairing.id()));
    }

    @Override
    public void onEnd(String reason) {
        session.pairings().values().forEach(setting.members()::sessionEnded);
        session.pairings().clear();
        ended.run();
    }
}
