package org.ucxnio.ring;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The reader's end of a ring: {@link #next}, look at the record, {@link #release}, and {@link #publish} when there is no more. For one
 * thread at a time. The argument on ordering is at {@link RingWriter}.
 *
 * <p>The peer may write anything at any time. A record's header is copied once and checked; payloads are to be copied before they
 * are judged. Whatever the peer writes, nothing outside of the ring is read.
 */
public final class RingReader {
    private final ByteBuffer memory;
    private final RingLayout layout;

    /** Index of the current record, or of the next one. */
    private long slot;

    /** The current record was released and may have grown since; {@link #commit} is how it was seen last. */
    private boolean growing;

    private long commit;
    private long data;
    private long publishedSlots;
    private long publishedBytes;
    private long pieces;

    // The current record, or what it has grown by.
    private int connection;
    private int kind;
    private int length;
    private int position;
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

    /** How often something was released so far. */
    public long pieces() {
        return pieces;
    }

    private long commitAt(long index) {
        return (long) RingLayout.LONGS.getAcquire(memory, layout.slotAt(index) + RingLayout.COMMIT);
    }

    public boolean isEmpty() {
        long word = commitAt(slot);
        return growing
                ? word == commit && !RingLayout.isOf(commitAt(slot + 1), slot + 1)
                : !RingLayout.isOf(word, slot);
    }

    /**
     * Makes the next record, or what the last one has grown by, the current one; false when there is none.
     *
     * @throws IOException when it cannot be what an honest writer wrote
     */
    public boolean next() throws IOException {
        if (growing) {
            // The writer lets a record grow only before it begins the next one, so what is seen behind the next one is
            // final.
            boolean isLast = !RingLayout.isOf(commitAt(slot + 1), slot + 1);
            long word = commitAt(slot);
            if (word != commit) {
                grow(word);
                return true;
            }
            if (isLast) {
                return false;
            }
            advance();
        }
        long word = commitAt(slot);
        if (!RingLayout.isOf(word, slot)) {
            return false;
        }
        begin(word);
        return true;
    }

    private void begin(long word) throws IOException {
        int at = layout.slotAt(slot);
        commit = word;
        connection = memory.getInt(at + RingLayout.CONNECTION);
        position = memory.getInt(at + RingLayout.POSITION);
        kind = RingLayout.kind(word);
        length = RingLayout.length(word);
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
    }

    private void grow(long word) throws IOException {
        int before = RingLayout.length(commit);
        int after = RingLayout.length(word);
        if (!RingLayout.isOf(word, slot)
                || RingLayout.kind(word) != kind
                || after <= before
                || after > RingLayout.INLINE_BYTES) {
            throw new IOException("A record has changed");
        }
        position += length;
        payload += length;
        length = after - before;
        commit = word;
        growing = false;
    }

    private void advance() {
        slot++;
        growing = false;
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

    /** The lower half of what the writer gave; for what a record has grown by, with the length before added. */
    public int position() {
        return position;
    }

    /** Where the payload begins in {@link #memory}; all of it is inside. */
    public int payload() {
        return payload;
    }

    /** Whether this is a record's beginning and not what it has grown by. */
    public boolean isFirst() {
        return RingLayout.length(commit) == length;
    }

    /** Done with the current record. */
    public void release() {
        pieces++;
        data = end;
        if (kind == RingLayout.GROWING_KIND && RingLayout.length(commit) < RingLayout.INLINE_BYTES) {
            growing = true;
        } else {
            advance();
        }
    }

    /**
     * Lets the writer have the room of what was released, as far as it may need it: payloads' always, that of slots by the quarter.
     *
     * @return whether the writer waits for room and the caller is the one to wake it
     */
    public boolean publish() {
        boolean bytes = data != publishedBytes;
        if (!bytes && slot - publishedSlots <= layout.slots() / 4) {
            return false;
        }
        publishedSlots = slot;
        publishedBytes = data;
        RingLayout.LONGS.setRelease(memory, RingLayout.CONSUMED_BYTES, data);
        RingLayout.LONGS.setRelease(memory, RingLayout.CONSUMED_SLOTS, slot);
        VarHandle.fullFence();
        return (int) RingLayout.INTS.getOpaque(memory, RingLayout.ROOM_WANTED) != 0
                && RingLayout.INTS.compareAndSet(memory, RingLayout.ROOM_WANTED, 1, 0);
    }

    /** Whether so much was released that {@link #publish} should not wait for the end of what there is. */
    public boolean isPublishDue() {
        return slot - publishedSlots > layout.slots() / 4 || data - publishedBytes > layout.dataBytes() / 4;
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
