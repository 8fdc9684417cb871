package org.ucxnio.transport;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A connection between two processes, both ends of it ours; the control connections deliver when told to. */
final class TwoSides implements AutoCloseable {
    /** One end. */
    static final class Side {
        final Transport transport;
        final WorkerGroup group;
        final TestControl control = new TestControl();
        final Connection connection;
        final AtomicInteger signals = new AtomicInteger();

        Side(Transport transport, Transport other, WorkerGroup group) {
            this.transport = transport;
            this.group = group;
            this.connection = transport.newConnection(Processes.peer(other), "peer", control);
            this.connection.setListener(signals::incrementAndGet);
        }

        TransportWorker bind() throws IOException {
            return connection.bind(group);
        }

        TransportWorker worker() {
            return connection.worker();
        }

        SlicePool slices() {
            return worker().slices();
        }
    }

    final Processes processes;
    final TestFaults faults;
    final Side left;
    final Side right;
    private final boolean ownsGroups;
    private boolean frozen;

    private TwoSides(Processes processes, WorkerGroup leftGroup, WorkerGroup rightGroup, boolean ownsGroups) {
        this.ownsGroups = ownsGroups;
        this.processes = processes;
        this.faults = processes.faults;
        this.left = new Side(processes.left, processes.right, leftGroup);
        this.right = new Side(processes.right, processes.left, rightGroup);
    }

    static TwoSides open(Processes processes) {
        return new TwoSides(processes, processes.left.newGroup(), processes.right.newGroup(), true);
    }

    static TwoSides open(String... properties) {
        return open(Processes.shared(properties));
    }

    /** Another connection between the same groups. */
    TwoSides another() {
        return new TwoSides(processes, left.group, right.group, false);
    }

    /** A connection on which nothing is called. */
    static Connection unused() {
        Transport transport = Processes.shared().left;
        return new Connection(transport, Processes.peer(transport), "unused", new TestControl());
    }

    /** Binds both ends and tells each of the other. */
    TwoSides bound() throws IOException {
        left.bind();
        right.bind();
        deliverControl();
        return this;
    }

    /** Keeps the pollers out, so that nothing moves but what the test moves. */
    TwoSides frozen() throws IOException {
        bound();
        left.worker().lock();
        right.worker().lock();
        frozen = true;
        return this;
    }

    void thaw() {
        if (frozen) {
            frozen = false;
            right.worker().unlock();
            left.worker().unlock();
        }
    }

    void deliverControl() {
        boolean delivered;
        do {
            delivered = deliverOneFrom(left, right) | deliverOneFrom(right, left);
        } while (delivered);
    }

    /** The next control message of {@code from}; a side that closed its socket hears nothing any more. */
    static boolean deliverOneFrom(Side from, Side to) {
        return !to.control.isClosed() && !to.control.isAborted() && from.control.deliverOneTo(to.connection);
    }

    void progress() {
        progress(left);
        progress(right);
    }

    static boolean progress(Side side) {
        TransportWorker worker = side.worker();
        if (worker == null) {
            return false;
        }
        worker.lock();
        try {
            return worker.progress();
        } finally {
            worker.unlock();
        }
    }

    /** Delivers until nothing moves. */
    void settle() {
        boolean moved;
        do {
            moved = progress(left) | progress(right);
            moved |= deliverOneFrom(left, right) | deliverOneFrom(right, left);
        } while (moved);
    }

    /** What one process knows is not enough to end the other: closes both ends, and the groups it made. */
    @Override
    public void close() {
        faults.clear();
        left.connection.close();
        right.connection.close();
        settle();
        thaw();
        if (ownsGroups) {
            left.group.close();
            right.group.close();
        }
    }
}
