package org.ucxnio.transport;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.ucxnio.link.Carrier;
import org.ucxnio.link.Home;
import org.ucxnio.link.Lane;

/** The connections with one peer process that go over UCX, as long as the session with it goes on. Thread-safe. */
final class MessageBond implements Carrier.Bond {
    private final Transport transport;
    private final Peer peer;
    private final BooleanSupplier hasRoom;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean alive = true;

    MessageBond(Transport transport, Peer peer, BooleanSupplier hasRoom) {
        this.transport = transport;
        this.peer = peer;
        this.hasRoom = hasRoom;
    }

    @Override
    public Lane open(Home home) throws IOException {
        if (!hasRoom.getAsBoolean()) {
            throw new IOException("too little room in " + Transport.SHM_FOLDER);
        }
        Connection connection = new Connection(transport, this, peer);
        bind(connection, home);
        connections.add(connection);
        transport.opened(connection);
        return new MessageLane(connection);
    }

    private void bind(Connection connection, Home home) throws IOException {
        if (home instanceof WorkerGroup group) {
            try {
                connection.bind(group);
                return;
            } catch (WorkerGroup.ClosedGroupException e) {
                // The selector was closed: as if there had been none.
            }
        }
        connection.bind(transport.blockingGroup());
    }

    @Override
    public void onNote(int number) throws IOException {
        throw new IOException("the peer sent a note that means nothing over UCX");
    }

    @Override
    public boolean isDraining() {
        return !connections.isEmpty();
    }

    @Override
    public void end() {
        alive = false;
        connections.forEach(Connection::sessionEnded);
        connections.clear();
    }

    boolean isAlive() {
        return alive;
    }

    void forget(Connection connection) {
        connections.remove(connection);
    }
}
