package org.ucxnio.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.ucxnio.ring.Block;

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
        Protocol.BlockName name = Protocol.readBlock(body);
        if (session.pairings().containsKey(id)) {
            throw new IOException("the peer used a number twice");
        }
        try {
            Movable connection = find(namespace, addresses);
            Block own = hear(id, connection, addresses, name);
            session.send(Protocol.paired(id, own));
        } catch (RefusedException e) {
            session.send(Protocol.refused(id, e.again, e.getMessage()));
        }
    }

    private Movable find(long namespace, AddressPair addresses) throws RefusedException {
        if (namespace != session.rendezvous().namespace()) {
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

    /** Returns the block for the own direction. Where this throws, nobody has looked at the client's block. */
    private Block hear(long id, Movable connection, AddressPair addresses, Protocol.BlockName name)
            throws RefusedException {
        ByteBuffer block;
        Block own;
        try {
            block = session.memory().peerBlock(name.slab(), name.offset(), name.bytes());
            own = session.memory().allocate(ClientSide.FIRST_RING_BYTES);
        } catch (IOException e) {
            throw new RefusedException(false, "the peer has no memory for a ring: " + e.getMessage());
        }
        if (own == null) {
            throw new RefusedException(false, "the peer holds as much memory for rings as it may");
        }
        Pairing pairing = new Pairing(connection, addresses, Pairing.State.HEARING);
        pairing.block(own);
        // Before it is asked to listen: what closes it from now on finds it here.
        if (!setting.members().add(pairing)) {
            session.memory().free(own);
            throw new RefusedException(false, "the connection is paired already");
        }
        pairing.join(session.pairings(), id);
        if (!connection.hear(session.memory(), block)) {
            session.memory().free(own);
            forget(pairing);
            throw new RefusedException(false, "the peer has closed it");
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
        if (!pairing.connection().speak(session.memory(), pairing.block())) {
            session.memory().retire(pairing.block());
        }
    }

    private void onCancel(Pairing pairing) throws IOException {
        forget(pairing);
        pairing.connection().unhear();
        session.memory().free(pairing.block());
        session.send(Protocol.about(Protocol.RELEASED, pairing.id()));
    }

    @Override
    public void onEnd(String reason) {
        session.pairings().values().forEach(setting.members()::sessionEnded);
        session.pairings().clear();
        ended.run();
    }
}
