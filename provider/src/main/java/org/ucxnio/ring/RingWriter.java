package org.ucxnio.ring;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The writer's end of a ring. For one thread at a time, but for {@link #readerSleeps} and {@link #wake}, which any may call.
 *
 * <p><b>Ordering.</b> {@link #commit} and {@link #commitMore} store the commit word with release, behind all it covers; the reader
 * loads it with acquire. The reader says with release what it has consumed and the writer reads that with acquire, so that nothing is
 * overwritten before it was read. A payload that grows is written behind what the reader may be reading, never over it.
 *
 * <p>For the wake-up the writer stores the commit word and then, <em>behind a full fence that is the caller's</em>, asks {@link
 * #readerSleeps}; the reader stores that it sleeps and then, behind a full fence, looks for a record: one of the two sees the other.
 * The fence is the caller's because on x86 it waits until the line has come over from the reader's core, and a caller that gives up a
 * lock has one anyway. For room it is the same the other way round: {@link #wantRoom} and {@link RingReader#publish} both store, fence
 * and look.
 *
 * <p>The peer may write anything into the memory. What is read from it, the consumer's counts, is checked against private copies;
 * where to write is computed from private ones alone.
 */
public final class RingWriter {
    private static final int NO_ROOM = -1;

    /** Of a last record that cannot grow. */
    private static final int CLOSED = Integer.MAX_VALUE - RingLayout.INLINE_BYTES;

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

    private int lastConnection;
    private int lastLength = CLOSED;
    private long pieces;

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

    /** How often something was committed so far. */
    public long pieces() {
        return pieces;
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

    /** Publishes the record whose payload was written; a {@code kind} is 0 to 15, and of {@code position} the lower half goes along. */
    public void commit(int connection, int kind, long position) {
        int at = layout.slotAt(slot);
        memory.putInt(at + RingLayout.CONNECTION, connection);
        memory.putInt(at + RingLayout.POSITION, (int) position);
        RingLayout.LONGS.setRelease(memory, at + RingLayout.COMMIT, RingLayout.commit(slot, kind, reservedLength));
        slot++;
        pieces++;
        data = reservedEnd;
        lastConnection = connection;
        lastLength = kind == RingLayout.GROWING_KIND ? reservedLength : CLOSED;
    }

    /**
     * Finds room in the line of the last record, if that is of the same connection and may grow; {@link #commitMore} follows.
     *
     * @return where in {@link #memory} to write; negative where it cannot grow
     */
    public int reserveMore(int connection, int length) {
        return connection == lastConnection
                        && lastLength + length <= RingLayout.INLINE_BYTES
                        && length <= RingLayout.INLINE_BYTES
                ? layout.slotAt(slot - 1) + RingLayout.INLINE + lastLength
                : NO_ROOM;
    }

    /** Publishes what {@link #reserveMore} found room for. */
    public void commitMore(int length) {
        lastLength += length;
        pieces++;
        RingLayout.LONGS.setRelease(
                memory,
                layout.slotAt(slot - 1) + RingLayout.COMMIT,
                RingLayout.commit(slot - 1, RingLayout.GROWING_KIND, lastLength));
    }

    /** Whether the reader sleeps, to be asked behind a full fence; then {@link #wake}. */
    public boolean readerSleeps() {
        return (int) RingLayout.INTS.getVolatile(memory, RingLayout.ASLEEP) != 0;
    }

    /** Whether the caller is the one to wake the reader. */
    public boolean wake() {
        return RingLayout.INTS.compareAndSet(memory, RingLayout.ASLEEP, 1, 0);
    }

    /**
     * There was no room: asks the reader for a wake-up once there is.
     *
     * @return whether the reader has made room meanwhile; then it may have missed the request
     */
    public boolean wantRoom() throws IOException {
        RingLayout.INTS.setVolatile(memory, RingLayout.ROOM_WANTED, 1);
        VarHandle.fullFence();
        long slots = consumedSlots;
        long bytes = consumedBytes;
        refresh();
        return slots != consumedSlots || bytes != consumedBytes;
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
