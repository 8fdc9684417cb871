package org.ucxnio.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.ucxnio.ucx.fake.FakeEndpoint;
import org.ucxnio.ucx.fake.FakeWorker;

/** A connection of ours whose other end the test plays itself. The worker's lock is held, so that the poller stays out. */
final class OneSide implements AutoCloseable {
    /** The id our connection has at the peer. */
    static final int REMOTE_ID = 0x00700007;

    final Processes processes;
    final TestFaults faults;
    final WorkerGroup group;
    final RawPeer peer;
    final TestControl control = new TestControl();
    final Connection connection;
    final AtomicInteger signals = new AtomicInteger();
    private final UUID peerProcess;
    private boolean frozen;

    private OneSide(Processes processes, WorkerGroup group, UUID peerProcess) throws IOException {
        this.processes = processes;
        this.faults = processes.faults;
        this.group = group;
        this.peerProcess = peerProcess;
        this.peer = new RawPeer(processes);
        Peer described = Processes.peer(processes.left);
        Peer named = new Peer(peerProcess, true, described.windowBytes(), described.windowMessages());
        this.connection = processes.left.newConnection(named, "peer", control);
        this.connection.setListener(signals::incrementAndGet);
    }

    /** Not bound yet. */
    static OneSide open(String... properties) throws IOException {
        return open(Processes.shared(properties));
    }

    static OneSide open(Processes processes) throws IOException {
        return new OneSide(processes, processes.left.newGroup(), UUID.randomUUID());
    }

    /** Another connection with the same peer process, from the same worker. */
    OneSide another() throws IOException {
        return new OneSide(processes, group, peerProcess);
    }

    /** Binds our side; the peer has not said where it receives. */
    OneSide bind() throws IOException {
        TransportWorker worker = connection.bind(group);
        worker.lock();
        frozen = true;
        // What was said early may have broken the connection, and the poller may have retired its worker.
        if (!worker.isClosed()) {
            peer.connect(worker.address());
        }
        return this;
    }

    /** Binds our side and leaves its worker to the poller. */
    TransportWorker bindThawed() {
        try {
            return connection.bind(group);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    OneSide attach() {
        connection.onPeerBound(peer.address(), REMOTE_ID);
        return this;
    }

    static OneSide bound(String... properties) throws IOException {
        return open(properties).bind().attach();
    }

    void thaw() {
        if (frozen) {
            frozen = false;
            worker().unlock();
        }
    }

    TransportWorker worker() {
        return connection.worker();
    }

    /** The id the peer sends to. */
    int id() {
        return connection.localId();
    }

    FakeEndpoint endpoint() {
        byte[] address = worker().address();
        FakeWorker fake = processes.ucx.workers().stream()
                .filter(candidate -> Arrays.equals(candidate.address(), address))
                .findFirst()
                .orElseThrow();
        return fake.endpoints().get(0);
    }

    /** Moves messages both ways until nothing moves. */
    void settle() {
        boolean moved;
        do {
            moved = worker().progressIfFree() | peer.progress() > 0;
        } while (moved);
    }

    int write(long position, int count) throws IOException {
        return Pattern.write(connection, position, count);
    }

    boolean writable() {
        return (connection.readyOps() & SelectionKey.OP_WRITE) != 0;
    }

    boolean readable() {
        return (connection.readyOps() & SelectionKey.OP_READ) != 0;
    }

    /** Ends everything, whatever state it is in. */
    @Override
    public void close() {
        faults.clear();
        if (worker() != null) {
            settle();
        }
        connection.onControlClosed();
        connection.close();
        thaw();
        group.close();
        peer.close();
    }
}
