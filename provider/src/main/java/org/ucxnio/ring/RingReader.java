package org.ucxnio.ring;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The reader's end of a ring: {@link #next}, look at the record, {@link #release}, and now and then {@link #publish}. For one thread at
 * a time. The argument on ordering is at {@link RingWriter}.
 *
 * <p>The peer may write anything at any time. A record's header is copied once and checked; payloads are to be copied before they
 * are judged. Whatever the peer writes, nothing outside of the ring is read.
 */
public final class RingReader {
    private final ByteBuffer memory;
    private final RingLayout layout;

    private long slot;
    private long data;
    private long publishedSlots;
    private long publishedBytes;

    // The current record.
    private int connection;
    private int kind;
    private int length;
    private long position;
    private int payload;
    private long end;

    /** @param memory at least {@link RingLayout#size} bytes, zeroed */
    public RingReader(ByteBuffer memory, RingLayout layout) {
        this.memory = memory;
        this.layout = layout;
    }

    public RingLayout layout() {
        return layout;
    }

    public ByteBuffer memory() {
        return memory;
    }

    /** Records released so far. */
    public long records() {
        return slot;
    }

    public boolean isEmpty() {
        return (long) RingLayout.LONGS.getAcquire(memory, layout.slotAt(slot) + RingLayout.SEQUENCE) != slot + 1;
    }

    /**
     * Makes the next record the current one; false when there is none.
     *
     * @throws IOException when its length cannot be
     */
    public boolean next() throws IOException {
        if (isEmpty()) {
            return false;
        }
        int at = layout.slotAt(slot);
        int kindAndLength = memory.getInt(at + RingLayout.KIND_LENGTH);
        connection = memory.getInt(at + RingLayout.CONNECTION);
        position = memory.getLong(at + RingLayout.POSITION);
        kind = RingLayout.kind(kindAndLength);
        length = RingLayout.length(kindAndLength);
        if (length > layout.maxLength()) {
            throw new IOException("A record of " + length + " bytes in a ring of " + layout.dataBytes());
        }
        if (length <= RingLayout.INLINE_BYTES) {
            payload = at + RingLayout.INLINE;
            end = data;
        } else {
            long start = layout.place(data, length);
            payload = layout.dataAt(start);
            end = RingLayout.behind(start, length);
        }
        return true;
    }

    public int connection() {
        return connection;
    }

    public int kind() {
        return kind;
    }

    /** Bytes of payload, at most {@link RingLayout#maxLength}. */
    public int length() {
        return length;
    }

    public long position() {
        return position;
    }

    /** Where the payload begins in {@link #memory}; all of it is inside. */
    public int payload() {
        return payload;
    }

    /** Done with the current record. */
    public void release() {
        slot++;
        data = end;
        if (slot - publishedSlots > layout.slots() / 4 || data - publishedBytes > layout.dataBytes() / 4) {
            publish();
        }
    }

    /** Lets the writer have the room of what was released. To be called whenever the ring was found empty. */
    public void publish() {
        if (publishedSlots == slot) {
            return;
        }
        publishedSlots = slot;
        publishedBytes = data;
        RingLayout.LONGS.setRelease(memory, RingLayout.CONSUMED_BYTES, data);
        RingLayout.LONGS.setRelease(memory, RingLayout.CONSUMED_SLOTS, slot);
    }

    /**
     * Says that this end is about to sleep and wants to be woken.
     *
     * @return whether the ring is empty still; if not, there is no reason to sleep
     */
    public boolean sleeps() {
        RingLayout.INTS.setVolatile(memory, RingLayout.ASLEEP, 1);
        VarHandle.fullFence();
        return isEmpty();
    }
}
