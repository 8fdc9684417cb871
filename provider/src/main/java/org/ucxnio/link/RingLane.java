package org.ucxnio.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.ucxnio.ring.Block;
import org.ucxnio.ring.RingMemory;

/**
 * Two rings in shared memory, each made by its writer. In messages a block is its {@code slab:4 offset:4 bytes:4}, as its writer names it.
 */
public final class RingLane implements Lane {
    private final RingMemory memory;
    private final Block own;
    private final Bells bells;
    private final FutexAgreement futexes;

    /** The peer's block; null before {@link #join}. */
    private ByteBuffer peers;

    /**
     * @param bells those of the peer's process
     * @param futexes with the peer's process
     */
    public RingLane(RingMemory memory, Block own, Bells bells, FutexAgreement futexes) {
        this.memory = memory;
        this.own = own;
        this.bells = bells;
        this.futexes = futexes;
    }

    public RingMemory memory() {
        return memory;
    }

    /** The ring that this process writes to. */
    public Block own() {
        return own;
    }

    /** The ring that the peer writes to. */
    public ByteBuffer peers() {
        return peers;
    }

    @Override
    public Medium medium() {
        return Medium.RING;
    }

    @Override
    public Driver driver() {
        return null;
    }

    @Override
    public void describe(ByteBuffer message) {
        message.putInt(own.slab()).putInt(own.offset()).putInt(own.bytes());
    }

    @Override
    public void join(ByteBuffer message) throws IOException {
        int slab = message.getInt();
        int offset = message.getInt();
        peers = memory.peerBlock(slab, offset, message.getInt());
    }

    @Override
    public Source source(Carried connection) {
        return new RingSource(memory, peers, connection, sleepers(connection));
    }

    @Override
    public Sink sink(Carried connection) {
        return new RingSink(memory, own, connection, sleepers(connection));
    }

    private Sleepers sleepers(Carried connection) {
        return new Sleepers(futexes, connection.tokens(), bells);
    }

    @Override
    public void free() {
        memory.free(own);
    }

    @Override
    public void retire() {
        memory.retire(own);
    }
}
