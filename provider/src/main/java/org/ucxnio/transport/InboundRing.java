package org.ucxnio.transport;

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

    /** Records at the last look of {@link Rings#tidy}. */
    long recordsSeen;

    InboundRing(int id, Link.Key writer, SharedMemory memory, RingReader reader) {
        this.id = id;
        this.writer = writer;
        this.memory = memory;
        this.reader = reader;
    }
}
