package org.ucxnio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.ucxnio.link.Lane;
import org.ucxnio.link.Sink;
import org.ucxnio.link.Source;
import org.ucxnio.ucx.fake.FakeEndpoint;
import org.ucxnio.ucx.fake.FakeUcx;
import org.ucxnio.ucx.fake.FakeWorker;

/** An end of a connection of ours, whose peer the test plays itself. Nothing moves but what the test moves, the poller included. */
final class OneSide implements AutoCloseable {
    private static final int FIRST_REMOTE_ID = 0x00700007;

    final Processes processes;
    final TestFaults faults;
    final WorkerGroup group;
    final MessageBond bond;
    final RawPeer peer;
    final Lane lane;
    final TransportWorker worker;
    final TestCarried carried = new TestCarried();

    /** The number that the peer sends to. */
    final int id;

    /** The number that we send to. */
    final int remoteId;

    /** Null before {@link #hear}. */
    Source source;

    /** Null before {@link #speak}. */
    Sink sink;

    private final OneSide first;

    private OneSide(Processes processes, boolean sameHost) throws IOException {
        this(processes, processes.left.newGroup(), newBond(processes, sameHost), new RawPeer(processes), null);
        peer.connect(worker.address());
    }

    private OneSide(Processes processes, WorkerGroup group, MessageBond bond, RawPeer peer, OneSide first)
            throws IOException {
        this.processes = processes;
        this.faults = processes.faults;
        this.group = group;
        this.bond = bond;
        this.peer = peer;
        this.first = first;
        this.lane = bond.open(group);
        this.worker = (TransportWorker) lane.driver();
        this.id = described(lane).getInt();
        this.remoteId = first == null ? FIRST_REMOTE_ID : first.remoteId + 1;
    }

    private static MessageBond newBond(Processes processes, boolean sameHost) {
        Peer like = Processes.peer(processes.left);
        Peer named = new Peer(UUID.randomUUID(), sameHost, like.windowBytes(), like.windowMessages(), like.running());
        return new MessageBond(processes.left, named, () -> true);
    }

    static ByteBuffer described(Lane lane) {
        ByteBuffer message = ByteBuffer.allocate(4096);
        lane.describe(message);
        return message.flip();
    }

    /** Our end of it is open, and nothing more. */
    static OneSide open(Processes processes) throws IOException {
        return new OneSide(processes, true);
    }

    static OneSide open(String... properties) throws IOException {
        return open(Processes.sharedStepped(properties));
    }

    /** The same, with a peer on another host. */
    static OneSide far(Processes processes) throws IOException {
        return new OneSide(processes, false);
    }

    /** Another connection between the same two workers. */
    OneSide another() throws IOException {
        return new OneSide(processes, group, bond, peer, this);
    }

    /** We learn where the peer receives. */
    OneSide join() throws IOException {
        byte[] address = peer.address();
        lane.join(ByteBuffer.allocate(64)
                .putInt(remoteId)
                .putShort((short) address.length)
                .put(address)
                .flip());
        return this;
    }

    OneSide hear() {
        source = lane.source(carried);
        return this;
    }

    OneSide speak() {
        sink = lane.sink(carried);
        return this;
    }

    OneSide paired() throws IOException {
        return join().hear().speak();
    }

    /** Both directions have moved, at their first byte, and nothing is under way. */
    OneSide switched() throws IOException {
        paired();
        sink.switchAt(0);
        send(Frame.SWITCH, 0);
        send(Frame.SWITCHED, 0);
        settle();
        source.enter();
        settle();
        peer.received.clear();
        carried.signals.set(0);
        return this;
    }

    // -- the peer ----------------------------------------------------------------------------------------------------

    /** The peer sends a message without payload. */
    void send(int type, long position) throws IOException {
        peer.send(id, type, 0, position);
    }

    /** The peer sends {@code count} bytes of the pattern, and they arrive. */
    void arrives(long position, int count) throws IOException {
        peer.data(id, position, Pattern.bytes(position, count));
        settle();
    }

    void acknowledge(long bytes, long messages) throws IOException {
        peer.acknowledge(id, bytes, messages);
        settle();
    }

    /** The messages of one type that came to the peer. */
    List<RawPeer.Message> got(int type) {
        return peer.received(remoteId).stream()
                .filter(message -> message.type() == type)
                .toList();
    }

    /** The types of all that came to the peer. */
    List<Integer> types() {
        return peer.received(remoteId).stream().map(RawPeer.Message::type).toList();
    }

    /** The payload of all DATA messages that came to the peer, in order of arrival. */
    byte[] stream() {
        ByteBuffer all = ByteBuffer.allocate(
                got(Frame.DATA).stream().mapToInt(RawPeer.Message::length).sum());
        got(Frame.DATA).forEach(message -> all.put(message.payload()));
        return all.array();
    }

    // -- our end -----------------------------------------------------------------------------------------------------

    int write(long position, int count) throws IOException {
        return Pattern.write(sink, position, count);
    }

    byte[] read(int most) throws IOException {
        return Pattern.read(source, most);
    }

    /** Whether the peer hears of it by the socket that the connection is broken. */
    boolean isBroken() {
        return carried.broken.get() > 0;
    }

    FakeWorker fake() {
        return fake(processes.ucx, worker);
    }

    /** What a worker of ours is to UCX. */
    static FakeWorker fake(FakeUcx ucx, TransportWorker worker) {
        return ucx.workers().stream()
                .filter(candidate -> Arrays.equals(candidate.address(), worker.address()))
                .findFirst()
                .orElseThrow();
    }

    /** The one that leads to the peer. */
    FakeEndpoint endpoint() {
        return fake().endpoints().get(0);
    }

    /** Moves messages both ways until nothing moves, has the poller do what it was asked to, and moves what came of that. */
    void settle() {
        move();
        processes.step();
        move();
    }

    private void move() {
        boolean moved;
        do {
            moved = worker.progressIfFree() | peer.progress() > 0;
        } while (moved);
    }

    /** Ends everything, whatever state it is in. */
    @Override
    public void close() {
        faults.clear();
        lane.free();
        if (first == null) {
            move();
            group.close();
            peer.close();
        }
    }
}
