package org.ucxnio.ring;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The writer's end of a ring. For one thread at a time.
 *
 * <p><b>Ordering.</b> {@link #commit} stores the sequence with release, behind all it covers. The reader says with release what
 * it has consumed and the writer reads that with acquire, so that nothing is overwritten before it was read. For the wake-up the
 * writer stores the sequence, then, behind a full fence, reads whether the reader sleeps; the reader stores that it sleeps, then,
 * behind a full fence, reads the sequence: one of the two sees the other.
 *
 * <p>The peer may write anything into the memory. What is read from it, the consumer's counts, is checked against private copies;
 * where to write is computed from private ones alone.
 */
public final class RingWriter {
    private static final int NO_ROOM = -1;

    private final ByteBuffer memory;
    private final RingLayout layout;

    /** Index of the next record. */
    private long slot;

    /** Where the next payload may begin. */
    private long data;

    private long consumedSlots;
    private long consumedBytes;

    private int reservedLength;
    private long reservedEnd;

    /** @param memory at least {@link RingLayout#size} bytes, zeroed before the first of the two ends was made */
    public RingWriter(ByteBuffer memory, RingLayout layout) {
        this.memory = memory;
        this.layout = layout;
    }

    public RingLayout layout() {
        return layout;
    }

    /** Payload bytes that went through the data area so far, gaps included. */
    public long moved() {
        return data;
    }

    /** Records so far. */
    public long records() {
        return slot;
    }

    public ByteBuffer memory() {
        return memory;
    }

    /**
     * Finds room for a payload; {@link #commit} follows when it is written, or nothing.
     *
     * @param length at most {@link RingLayout#maxLength}
     * @return where in {@link #memory} to write it; negative where there is no room
     * @throws IOException when the peer claims to have consumed what cannot be
     */
    public int reserve(int length) throws IOException {
        if (slot - consumedSlots >= layout.slots()) {
            refresh();
            if (slot - consumedSlots >= layout.slots()) {
                return NO_ROOM;
            }
        }
        reservedLength = length;
        reservedEnd = data;
        if (length <= RingLayout.INLINE_BYTES) {
            return layout.slotAt(slot) + RingLayout.INLINE;
        }
        long start = layout.place(data, length);
        long end = RingLayout.behind(start, length);
        if (end - consumedBytes > layout.dataBytes()) {
            refresh();
            if (end - consumedBytes > layout.dataBytes()) {
                return NO_ROOM;
            }
        }
        reservedEnd = end;
        return layout.dataAt(start);
    }

    /**
     * Publishes the record whose payload was written.
     *
     * @param kind 0 to 15
     * @return whether the reader sleeps and the caller is the one to wake it
     */
    public boolean commit(int connection, int kind, long position) {
        int at = layout.slotAt(slot);
        memory.putInt(at + RingLayout.CONNECTION, connection);
        memory.putInt(at + RingLayout.KIND_LENGTH, RingLayout.kindAndLength(kind, reservedLength));
        memory.putLong(at + RingLayout.POSITION, position);
        slot++;
        data = reservedEnd;
        RingLayout.LONGS.setRelease(memory, at + RingLayout.SEQUENCE, slot);
        VarHandle.fullFence();
        return (int) RingLayout.INTS.getOpaque(memory, RingLayout.ASLEEP) != 0
                && RingLayout.INTS.compareAndSet(memory, RingLayout.ASLEEP, 1, 0);
    }

    private void refresh() throws IOException {
        long newSlots = (long) RingLayout.LONGS.getAcquire(memory, RingLayout.CONSUMED_SLOTS);
        long newBytes = (long) RingLayout.LONGS.getAcquire(memory, RingLayout.CONSUMED_BYTES);
        if (newSlots < consumedSlots || newSlots > slot || newBytes < consumedBytes || newBytes > data) {
            throw new IOException("The peer claims to have read what was never written");
        }
        consumedSlots = newSlots;
        consumedBytes = newBytes;
    }
}
