package org.ucxnio.transport;

import java.nio.ByteBuffer;
import org.ucxnio.ring.RingReader;
import org.ucxnio.ucx.SharedMemory;

/** A ring of ours that one link of a peer writes to. Guarded by the worker's lock. */
final class InboundRing {
    final int id;

    /** The worker it was offered to. */
    final Link.Key writer;

    final SharedMemory memory;
    final RingReader reader;

    /** The writer uses it: what it sent before over UCX has arrived. */
    boolean started;

    /** Pieces at the last look of {@link Rings#tidy}. */
    long piecesSeen;

    // -- the reader's current record, not released yet --
    boolean hasCurrent;

    /** Bytes of it that its connection has taken. */
    private int taken;

    /** It waits for its connection to be read, which was told of it and did not come yet. */
    boolean announced;

    InboundRing(int id, Link.Key writer, SharedMemory memory, RingReader reader) {
        this.id = id;
        this.writer = writer;
        this.memory = memory;
        this.reader = reader;
    }

    /** Bytes of the current record that are left. */
    int remaining() {
        return reader.length() - taken;
    }

    /** Lower half of the stream offset of what is left. */
    int position() {
        return reader.position() + taken;
    }

    /** Whether nothing of it was taken yet, and it is no part that was added to a record. */
    boolean isWholeRecord() {
        return taken == 0 && reader.isFirst();
    }

    /** Copies out the next {@code count} bytes of it. */
    void take(ByteBuffer target, int at, int count) {
        Bytes.copy(reader.memory(), reader.payload() + taken, target, at, count);
        taken += count;
    }

    void skip() {
        taken = reader.length();
    }

    void release() {
        reader.release();
        hasCurrent = false;
        announced = false;
        taken = 0;
    }
}
