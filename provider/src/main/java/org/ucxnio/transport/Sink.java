package org.ucxnio.transport;

import java.nio.ByteBuffer;

/**
 * The buffers of a read that is under way, so that what arrives meanwhile needs no slice. Whatever is wrong with a buffer (its memory
 * was freed by another thread) concerns the read alone: it is thrown from there, and what did not fit is kept. Guarded by the
 * worker's lock.
 */
final class Sink {
    private ByteBuffer[] targets;
    private int index;
    private int end;
    private boolean room;
    private long count;
    private RuntimeException failure;

    void open(ByteBuffer[] buffers, int offset, int length) {
        targets = buffers;
        index = offset;
        end = offset + length;
        count = 0;
        failure = null;
        room = findRoom();
    }

    /** Ends the read; returns how many bytes it got. */
    long close() {
        targets = null;
        room = false;
        if (failure != null && count == 0) {
            throw failure;
        }
        return count;
    }

    /** Whether a read is under way that has room. */
    boolean hasRoom() {
        return room;
    }

    private boolean findRoom() {
        while (index < end) {
            if (targets[index].hasRemaining()) {
                return true;
            }
            index++;
        }
        return false;
    }

    /** Moves bytes of the ring's current record into the buffers, as many as fit; returns how many. */
    int take(InboundRing ring) {
        int before = ring.remaining();
        try {
            while (ring.remaining() > 0 && room) {
                ByteBuffer target = targets[index];
                int position = target.position();
                int part = Math.min(ring.remaining(), target.limit() - position);
                ring.take(target, position, part);
                target.position(position + part);
                room = findRoom();
            }
        } catch (RuntimeException e) {
            failure = e;
            room = false;
        }
        int moved = before - ring.remaining();
        count += moved;
        return moved;
    }
}
