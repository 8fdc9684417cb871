package org.ucxnio.transport;

import java.io.IOException;
import java.util.UUID;

/** Connections with a process on another host. */
final class OverNetwork {
    private OverNetwork() {}

    static Connection open(Processes processes, UUID peer) {
        Peer near = Processes.peer(processes.left);
        Peer far = new Peer(peer, false, near.windowBytes(), near.windowMessages());
        return processes.left.newConnection(far, "far", new TestControl());
    }

    /** Bound to a worker; the peer has not said where it receives. */
    static Connection bound(Processes processes) throws IOException {
        Connection connection = open(processes, UUID.randomUUID());
        connection.bind(processes.left.newGroup());
        return connection;
    }
}
