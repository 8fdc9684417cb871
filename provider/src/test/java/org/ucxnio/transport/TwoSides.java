package org.ucxnio.transport;

import java.io.IOException;
import org.ucxnio.link.Lane;
import org.ucxnio.link.Sink;
import org.ucxnio.link.Source;
import org.ucxnio.ucx.fake.FakeWorker;

/** A connection between two processes, both ends of it ours. */
final class TwoSides implements AutoCloseable {
    /** One end. */
    static final class Side {
        final Processes processes;
        final Transport transport;
        final WorkerGroup group;
        final MessageBond bond;
        final Lane lane;
        final TransportWorker worker;
        final TestCarried carried = new TestCarried();

        /** The number that the other end sends to. */
        final int id;

        Source source;
        Sink sink;

        private Side(Processes processes, Transport transport, WorkerGroup group, MessageBond bond) throws IOException {
            this.processes = processes;
            this.transport = transport;
            this.group = group;
            this.bond = bond;
            this.lane = bond.open(group);
            this.worker = (TransportWorker) lane.driver();
            this.id = OneSide.described(lane).getInt();
        }

        private static Side open(Processes processes, Transport transport, Transport other) throws IOException {
            MessageBond bond = new MessageBond(transport, Processes.peer(other), () -> true);
            return new Side(processes, transport, transport.newGroup(), bond);
        }

        private Side another() throws IOException {
            return new Side(processes, transport, group, bond);
        }

        boolean progress() {
            return worker.progressIfFree();
        }

        SlicePool slices() {
            return worker.slices();
        }

        FakeWorker fake() {
            return OneSide.fake(processes.ucx, worker);
        }
    }

    final Processes processes;
    final TestFaults faults;
    final Side left;
    final Side right;
    private final boolean isFirst;

    private TwoSides(Processes processes, Side left, Side right, boolean isFirst) {
        this.processes = processes;
        this.faults = processes.faults;
        this.left = left;
        this.right = right;
        this.isFirst = isFirst;
    }

    static TwoSides open(Processes processes) throws IOException {
        return new TwoSides(
                processes,
                Side.open(processes, processes.left, processes.right),
                Side.open(processes, processes.right, processes.left),
                true);
    }

    /** Another connection between the same workers. */
    TwoSides another() throws IOException {
        return new TwoSides(processes, left.another(), right.another(), false);
    }

    TwoSides joined() throws IOException {
        right.lane.join(OneSide.described(left.lane));
        left.lane.join(OneSide.described(right.lane));
        return this;
    }

    TwoSides paired() throws IOException {
        joined();
        for (Side side : new Side[] {left, right}) {
            side.source = side.lane.source(side.carried);
            side.sink = side.lane.sink(side.carried);
        }
        return this;
    }

    /** Both directions have moved, at their first byte. */
    TwoSides switched() throws IOException {
        paired();
        left.sink.switchAt(0);
        right.sink.switchAt(0);
        move();
        left.source.enter();
        right.source.enter();
        return this;
    }

    /** Delivers messages until nothing moves. */
    void move() {
        boolean moved;
        do {
            moved = left.progress() | right.progress();
        } while (moved);
    }

    /** The same, and what the pollers were asked to do: where they are stepped. */
    void settle() {
        move();
        processes.step();
        move();
    }

    /** Ends everything, whatever state it is in. */
    @Override
    public void close() {
        faults.clear();
        left.lane.free();
        right.lane.free();
        if (isFirst) {
            move();
            left.group.close();
            right.group.close();
        }
    }
}
