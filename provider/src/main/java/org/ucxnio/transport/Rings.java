package org.ucxnio.transport;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ucxnio.counters.Log;
import org.ucxnio.ring.RingLayout;
import org.ucxnio.ring.RingReader;
import org.ucxnio.ring.RingWriter;
import org.ucxnio.ucx.MappedMemory;
import org.ucxnio.ucx.SharedMemory;
import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxMessage;

/**
 * The rings of a worker, and how they come about. A link begins with messages over UCX. Who opened it asks the peer for a ring
 * (WANTED); the peer, as soon as it has a link the other way, allocates one and says where it is (OFFER); the writer maps it, says
 * behind its last message that from now on everything comes through the ring (START), and does so. A ring that is replaced, as it
 * grew or shrank, is drained before the new one is looked at, since nothing was written to the old one behind START. Where any of it
 * fails, messages over UCX go on. Guarded by the worker's lock.
 */
final class Rings {
    /** Records taken in at most before others have their turn. */
    private static final int MAX_RECORDS = 64;

    /** Records from this size on wait in the ring for their connection to be read, so that they are copied once. */
    private static final int HELD_BYTES = 4 << 10;

    /** Looks at the rings in one go of a thread that spins. */
    private static final int SPIN_LOOKS = 100;

    /** A ring that has moved this many times its size is replaced by a larger one. */
    private static final int LAPS_TO_GROW = 16;

    private static final int GROWTH = 4;

    private final TransportWorker worker;
    private final UcxContext context;
    private final int maxDataBytes;
    private final List<InboundRing> inbound = new ArrayList<>(2);
    private final Map<Link.Key, Integer> wantedEarly = new HashMap<>();

    /** Messages of UCX's to be answered once UCX is left. */
    private final List<Runnable> deferred = new ArrayList<>(2);

    private int lastId;
    private int started;

    Rings(TransportWorker worker, UcxContext context, int maxDataBytes) {
        this.worker = worker;
        this.context = context;
        this.maxDataBytes = maxDataBytes;
    }

    boolean isEnabled() {
        return maxDataBytes >= RingLayout.MIN_DATA_BYTES;
    }

    /** Whether a peer writes to a ring of ours. */
    boolean isActive() {
        return started > 0;
    }

    // -- reading -----------------------------------------------------------------------------------------------------

    /**
     * Hands on what has arrived; returns how many records were met.
     *
     * @param reading the connection whose read this is, or null
     */
    int poll(Connection reading) {
        int records = 0;
        for (int i = 0; i < inbound.size(); i++) {
            InboundRing ring = inbound.get(i);
            if (ring.started) {
                records += poll(ring, reading);
            }
        }
        return records;
    }

    private int poll(InboundRing ring, Connection reading) {
        int records = 0;
        try {
            boolean more = true;
            while (more && records < MAX_RECORDS && (ring.hasCurrent || ring.reader.next())) {
                ring.hasCurrent = true;
                records++;
                more = handOn(ring, reading);
            }
            publish(ring);
        } catch (IOException e) {
            deferred.add(() -> broken(ring, e));
        }
        return records;
    }

    /**
     * Hands the current record on to its connection. A large one is left where it is once, for its connection to be read; nothing
     * behind it is looked at meanwhile. Whoever polls next for another reason has it moved out of the way.
     *
     * @return whether to go on with the next record
     */
    private boolean handOn(InboundRing ring, Connection reading) {
        Connection connection = worker.connection(ring.reader.connection());
        if (connection != null && isHeld(ring, connection, reading)) {
            return false;
        }
        if (connection != null) {
            connection.arrivals().onRecord(ring);
        }
        ring.release();
        if (ring.reader.isPublishDue()) {
            publish(ring);
        }
        // A read that has got all it wants leaves the rest where it is.
        return reading == null || reading.arrivals().isReading();
    }

    private boolean isHeld(InboundRing ring, Connection connection, Connection reading) {
        if (ring.reader.kind() != Frame.DATA || ring.reader.length() < HELD_BYTES) {
            return false;
        }
        if (connection == reading && connection.arrivals().isReading()) {
            connection.arrivals().readRecord(ring);
            ring.announced = false;
            return ring.remaining() > 0;
        }
        if (ring.announced || !connection.arrivals().hold(ring)) {
            return false;
        }
        ring.announced = true;
        return true;
    }

    private void publish(InboundRing ring) {
        if (ring.reader.publish()) {
            deferred.add(() -> wakeWriter(ring));
        }
    }

    private void wakeWriter(InboundRing ring) {
        Link link = worker.linkTo(ring.writer.address());
        if (link != null) {
            worker.sendToWorker(link, Frame.NOP, 0, TransportWorker.NO_PAYLOAD);
        }
    }

    /** Looks for a while, without doing anything else, whether there is something in one of the rings. */
    void spin() {
        for (int i = 0; i < SPIN_LOOKS && started > 0 && !worker.isLockWanted(); i++) {
            for (int j = 0; j < inbound.size(); j++) {
                InboundRing ring = inbound.get(j);
                if (ring.started && (ring.hasCurrent || !ring.reader.isEmpty())) {
                    return;
                }
            }
        }
    }

    /** Says to every writer that we are about to sleep; false when there is something to read first. */
    boolean sleep() {
        boolean empty = deferred.isEmpty();
        for (int i = 0; i < inbound.size(); i++) {
            InboundRing ring = inbound.get(i);
            empty &= !ring.started || !ring.hasCurrent && ring.reader.sleeps();
        }
        return empty;
    }

    private void broken(InboundRing ring, IOException cause) {
        if (inbound.contains(ring)) {
            discard(ring);
            worker.failLink(ring.writer, cause.getMessage());
        }
    }

    private void drain(InboundRing ring) {
        while (poll(ring, null) > 0) {
            // until nothing is left
        }
    }

    private void discard(InboundRing ring) {
        inbound.remove(ring);
        started -= ring.started ? 1 : 0;
        Connection holder = ring.hasCurrent ? worker.connection(ring.reader.connection()) : null;
        if (holder != null) {
            holder.arrivals().forgetHeld();
        }
        ring.memory.close();
    }

    // -- setting up --------------------------------------------------------------------------------------------------

    /** A link is known to lead to its peer's worker. */
    void confirmed(Link link) {
        if (!isEnabled()) {
            return;
        }
        worker.sendToWorker(link, Frame.RING_WANTED, RingLayout.MIN_DATA_BYTES, worker.address());
        Integer wanted = wantedEarly.remove(new Link.Key(link.remoteAddress));
        if (wanted != null) {
            offer(link, wanted);
        }
    }

    /** Asks for a larger ring where this one is too small for what goes through it. */
    void growIfDue(Link link) {
        RingWriter writer = link.ring;
        if (writer.moved() >= (long) LAPS_TO_GROW * writer.layout().dataBytes()) {
            wantLarger(link);
        }
    }

    /** Asks for a larger ring, unless that was done already or there is none. */
    void wantLarger(Link link) {
        int dataBytes = link.ring.layout().dataBytes();
        if (link.growthWanted || dataBytes >= maxDataBytes) {
            return;
        }
        link.growthWanted = true;
        long larger = Math.min((long) dataBytes * GROWTH, Integer.highestOneBit(maxDataBytes));
        worker.sendToWorker(link, Frame.RING_WANTED, larger, worker.address());
    }

    /** A message that belongs to no connection. Nothing is done about it while UCX is inside the callback that brings it. */
    void onMessage(UcxMessage received, int typeAndLength) {
        int type = Frame.type(typeAndLength);
        int length = Frame.length(typeAndLength);
        if (type == Frame.NOP || !isEnabled() || Frame.HEADER_LENGTH + length > received.length()) {
            return;
        }
        long argument = received.getLong(Frame.POSITION_OFFSET);
        byte[] payload = payload(received, length);
        deferred.add(() -> answer(type, argument, payload));
    }

    private static byte[] payload(UcxMessage received, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            // Of four bytes in front the last one is ours: a message is longer than its payload by a header.
            bytes[i] = (byte) (received.getInt(Frame.PAYLOAD_OFFSET + i - 3) >>> 24);
        }
        return bytes;
    }

    /** With UCX left: does what messages have asked for; returns how much that was. */
    int workOff() {
        int count = 0;
        for (; !deferred.isEmpty(); count++) {
            deferred.remove(0).run();
        }
        return count;
    }

    private void answer(int type, long argument, byte[] payload) {
        switch (type) {
            case Frame.RING_WANTED -> wanted(payload, (int) argument);
            case Frame.RING_OFFER -> offered(payload);
            case Frame.RING_START -> start((int) argument);
            case Frame.RING_END -> end((int) argument);
            default -> Log.debug("A message of unknown type " + type);
        }
    }

    private void wanted(byte[] address, int dataBytes) {
        Link link = worker.linkTo(address);
        if (link == null) {
            wantedEarly.put(new Link.Key(address), dataBytes);
        } else {
            offer(link, dataBytes);
        }
    }

    private void offer(Link link, int dataBytes) {
        Link.Key writer = new Link.Key(link.remoteAddress);
        if (!RingLayout.isValid(dataBytes) || dataBytes > maxDataBytes || find(writer, false) != null) {
            return;
        }
        RingLayout layout = RingLayout.of(dataBytes);
        try {
            SharedMemory memory = context.allocateShared(layout.size());
            InboundRing ring = new InboundRing(++lastId, writer, memory, new RingReader(memory.buffer(), layout));
            inbound.add(ring);
            RingOffer offer = new RingOffer(ring.id, dataBytes, worker.address(), memory.packedKey());
            worker.sendToWorker(link, Frame.RING_OFFER, 0, offer.toBytes());
        } catch (UcxException e) {
            worker.ringsUnavailable(e.getMessage());
        }
    }

    private InboundRing find(Link.Key writer, boolean isStarted) {
        for (InboundRing ring : inbound) {
            if (ring.started == isStarted && ring.writer.equals(writer)) {
                return ring;
            }
        }
        return null;
    }

    private InboundRing find(int id) {
        for (InboundRing ring : inbound) {
            if (ring.id == id) {
                return ring;
            }
        }
        return null;
    }

    private void offered(byte[] payload) {
        try {
            RingOffer offer = RingOffer.parse(payload);
            Link link = worker.linkTo(offer.owner());
            if (link == null) {
                return;
            }
            RingLayout layout = RingLayout.of(offer.dataBytes());
            MappedMemory mapped = context.map(offer.key(), layout.size());
            worker.sendToWorker(link, Frame.RING_START, offer.id(), TransportWorker.NO_PAYLOAD);
            link.use(new RingWriter(mapped.buffer(), layout), mapped, offer.id());
        } catch (IOException e) {
            worker.ringsUnavailable(e.getMessage());
        }
    }

    private void start(int id) {
        InboundRing ring = find(id);
        if (ring == null || ring.started) {
            return;
        }
        InboundRing old = find(ring.writer, true);
        if (old != null) {
            drain(old);
            if (!inbound.contains(old)) {
                return;
            }
            discard(old);
        }
        ring.started = true;
        started++;
    }

    private void end(int id) {
        InboundRing ring = find(id);
        if (ring != null) {
            if (ring.started) {
                drain(ring);
            }
            discard(ring);
        }
    }

    // -- memory ------------------------------------------------------------------------------------------------------

    /** Now and then: a large ring that nothing has come through since the last look is replaced by a small one. */
    void tidy() {
        for (InboundRing ring : List.copyOf(inbound)) {
            boolean idle = ring.started && ring.reader.pieces() == ring.piecesSeen;
            ring.piecesSeen = ring.reader.pieces();
            if (idle && ring.reader.layout().dataBytes() > RingLayout.MIN_DATA_BYTES) {
                Link link = worker.linkTo(ring.writer.address());
                if (link != null) {
                    offer(link, RingLayout.MIN_DATA_BYTES);
                }
            }
        }
    }

    /** Bytes of shared memory held. */
    long bytes() {
        long sum = 0;
        for (InboundRing ring : inbound) {
            sum += ring.reader.layout().size();
        }
        return sum;
    }

    /** The worker ends; its connections have taken what was theirs. */
    void close() {
        deferred.clear();
        wantedEarly.clear();
        inbound.forEach(ring -> ring.memory.close());
        inbound.clear();
        started = 0;
    }
}
