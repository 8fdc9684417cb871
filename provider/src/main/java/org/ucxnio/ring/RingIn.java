package org.ucxnio.ring;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The reader's end of a ring. For one thread at a time, but for what is said to be for any. The argument on ordering is at {@link
 * RingOut}.
 *
 * <p>The peer may write anything at any time. A record's header is copied once and checked; payloads are the application's. Whatever
 * the peer writes, nothing outside of the ring is read.
 */
public final class RingIn {
    /** The reader has left, having read all there was. */
    public static final int READ_TO_THE_END = 1;

    /** The reader has left bytes unread, or broken the connection off. */
    public static final int LEFT_UNREAD = 2;

    private final ByteBuffer memory;
    private final RingFormat format;

    /**
     * Index of the current record, or of the next one. Selecting threads look with it as well, and what they see late was read meanwhile. The
     * fences around each use of the memory keep it in its place.
     */
    private long slot;

    /** Bytes of the current record that were read. */
    private int used;

    private int dataOffset;
    private long data;
    private long publishedSlots;
    private long publishedBytes;

    public RingIn(ByteBuffer memory) {
        this.memory = memory;
        this.format = RingFormat.of(memory);
    }

    /** The block, for whoever waits on it. */
    public ByteBuffer memory() {
        return memory;
    }

    // -- what is next ------------------------------------------------------------------------------------------------

    private long commitAt(long index) {
        return Words.getLongAcquire(memory, format.slotAt(index));
    }

    /** Whether there is a record. Any thread. */
    public boolean hasRecord() {
        long index = slot;
        return RingFormat.isOf(commitAt(index), index);
    }

    /** Whether the next record is bytes for the application, or the end of them. Any thread. */
    public boolean isReadable(boolean urgentCounts) {
        int kind = nextKind(urgentCounts);
        return kind >= 0 && kind < RingFormat.KIND_MOVED;
    }

    /** Whether all was read, and the stream goes on over TCP. Any thread. */
    public boolean isBack(boolean urgentCounts) {
        return nextKind(urgentCounts) == RingFormat.KIND_BACK;
    }

    /** Whether a stream that {@link #isBack} has ended there. */
    public boolean isEndedBack() {
        return Words.getAcquire(memory, RingFormat.ENDED_BACK) != 0;
    }

    /** Whether the writer's process has ended in order, where it has ended. */
    public boolean hasExited() {
        return Words.getAcquire(memory, RingFormat.EXITS) != 0;
    }

    /** What the next record is that is no urgent byte to be passed over; -1 where there is none. */
    private int nextKind(boolean urgentCounts) {
        long index = slot;
        long word = commitAt(index);
        if (!RingFormat.isOf(word, index)) {
            return -1;
        }
        int kind = RingFormat.kind(word);
        return kind == RingFormat.KIND_URGENT && !urgentCounts ? kindBehindUrgent(index) : kind;
    }

    private int kindBehindUrgent(long first) {
        for (long index = first + 1; index - first < format.slots(); index++) {
            long word = commitAt(index);
            if (!RingFormat.isOf(word, index)) {
                return -1;
            }
            if (RingFormat.kind(word) != RingFormat.KIND_URGENT) {
                return RingFormat.kind(word);
            }
        }
        return -1;
    }

    /** Whether the next record is the end of the stream, in order. */
    public boolean isAtEnd() {
        return isNext(RingFormat.KIND_END);
    }

    /** Whether the next record says that the writer has broken the stream off. */
    public boolean isAtReset() {
        return isNext(RingFormat.KIND_RESET);
    }

    /** Whether the stream goes on in another block, of which {@link #next} tells. */
    public boolean isMoved() {
        return isNext(RingFormat.KIND_MOVED);
    }

    private boolean isNext(int kind) {
        long word = commitAt(slot);
        return RingFormat.isOf(word, slot) && RingFormat.kind(word) == kind;
    }

    /** The block that follows, where {@link #isMoved}. */
    public ByteBuffer next(RingMemory peers) throws IOException {
        int at = format.slotAt(slot) + RingFormat.INLINE;
        int bytes = memory.getInt(at + 8);
        if (!Block.isSize(bytes)) {
            throw new IOException("A ring of " + bytes + " bytes");
        }
        return peers.peerBlock(memory.getInt(at), memory.getInt(at + 4), bytes);
    }

    /** From which byte of the stream on it is in the ring; -1 where the writer has not switched. Any thread. */
    public long switchedAt() {
        return Words.getLongAcquire(memory, RingFormat.SWITCHED_AT) - 1;
    }

    // -- reading -----------------------------------------------------------------------------------------------------

    /**
     * Reads what is there, until the buffers are full or something else than bytes is next.
     *
     * @param urgentInline whether urgent bytes count as bytes, or are passed over
     * @return bytes read
     * @throws IOException when a record cannot be what an honest writer wrote
     */
    public long read(ByteBuffer[] targets, int offset, int length, boolean urgentInline) throws IOException {
        long count = 0;
        for (int i = offset; i < offset + length; i++) {
            count += read(targets[i], urgentInline);
            if (targets[i].hasRemaining()) {
                break;
            }
        }
        return count;
    }

    /** As {@link #read}, into one buffer. */
    public int read(ByteBuffer target, boolean urgentInline) throws IOException {
        int count = 0;
        while (target.hasRemaining()) {
            long word = commitAt(slot);
            int kind = RingFormat.kind(word);
            if (!RingFormat.isOf(word, slot) || kind > RingFormat.KIND_URGENT) {
                break;
            }
            if (kind == RingFormat.KIND_DATA || urgentInline) {
                count += copy(checkedLength(word), target);
            } else {
                release(checkedLength(word));
            }
        }
        return count;
    }

    private int checkedLength(long word) throws IOException {
        int length = RingFormat.length(word);
        if (length > format.maxLength() || length <= used) {
            throw new IOException("A record of " + length + " bytes in a ring of " + memory.capacity());
        }
        return length;
    }

    private int copy(int length, ByteBuffer target) {
        int at = length <= RingFormat.INLINE_BYTES
                ? format.slotAt(slot) + RingFormat.INLINE
                : format.dataAt(format.place(dataOffset, length));
        int position = target.position();
        int piece = Math.min(length - used, target.limit() - position);
        target.put(position, memory, at + used, piece);
        target.position(position + piece);
        used += piece;
        if (used == length) {
            release(length);
        }
        return piece;
    }

    private void release(int length) {
        used = 0;
        if (length > RingFormat.INLINE_BYTES) {
            int start = format.place(dataOffset, length);
            data += format.usedBy(dataOffset, length);
            dataOffset = format.behind(start, length);
        }
        slot++;
    }

    /**
     * Passes over all that is there, up to the end of the stream or to where it goes on.
     *
     * @return whether that were any records
     */
    public boolean skip() throws IOException {
        boolean any = false;
        long word = commitAt(slot);
        while (RingFormat.isOf(word, slot) && RingFormat.kind(word) <= RingFormat.KIND_URGENT) {
            release(checkedLength(word));
            any = true;
            word = commitAt(slot);
        }
        return any;
    }

    /** How many bytes are there; stops counting at {@code enough}. */
    public int available(int enough, boolean urgentInline) {
        int count = -used;
        boolean any = false;
        for (long index = slot; count < enough; index++) {
            long word = commitAt(index);
            int kind = RingFormat.kind(word);
            if (!RingFormat.isOf(word, index) || kind > RingFormat.KIND_URGENT || index - slot >= format.slots()) {
                break;
            }
            if (kind == RingFormat.KIND_DATA || urgentInline) {
                count += RingFormat.length(word);
                any = true;
            }
        }
        return any ? Math.max(0, count) : 0;
    }

    // -- room for the writer -----------------------------------------------------------------------------------------

    /** Whether so much was read that {@link #publish} is due. */
    public boolean isPublishDue() {
        return slot - publishedSlots > format.slots() / 4 || data - publishedBytes > format.dataBytes() / 4;
    }

    /**
     * Lets the writer have the room of what was read.
     *
     * @return how the writer that sleeps is to be woken, by the caller; {@link Waits#NOT} where it does not
     */
    public int publish() {
        publishedSlots = slot;
        publishedBytes = data;
        Words.setLongRelease(memory, RingFormat.CONSUMED_BYTES, data);
        Words.setLongRelease(memory, RingFormat.CONSUMED_SLOTS, slot);
        return takeWriterWait();
    }

    /** How the writer that sleeps is to be woken, by the caller; {@link Waits#NOT} where it does not. Any thread. */
    public int takeWriterWait() {
        VarHandle.fullFence();
        return RingOut.take(memory, RingFormat.WRITER_WAITS);
    }

    // -- sleeping ----------------------------------------------------------------------------------------------------

    /**
     * Says that this end is about to sleep and how it wants to be woken; to be followed by a look for records. Any thread.
     *
     * @param how one of {@link Waits}
     */
    public void wantRecord(int how) {
        Words.setVolatile(memory, RingFormat.READER_WAITS, how);
    }

    /**
     * Says what pipe {@link Waits#bell} is about, from the next {@link #wantRecord} on.
     *
     * @param process number of this process, as the kernel tells it
     * @param pipe number of the pipe
     * @param name what is put into it
     */
    public void tellBell(int process, long pipe, long name) {
        memory.putInt(RingFormat.BELL_PROCESS, process);
        memory.putLong(RingFormat.BELL_PIPE, pipe);
        memory.putLong(RingFormat.BELL_NAME, name);
    }

    /** This end looks by itself again. Any thread. */
    public void wantNothing() {
        if (Words.getAcquire(memory, RingFormat.READER_WAITS) != Waits.NOT) {
            Words.setVolatile(memory, RingFormat.READER_WAITS, Waits.NOT);
        }
    }

    /** The word that {@link #wantRecord} sets. Any thread. */
    public int readerWaits() {
        return Words.getAcquire(memory, RingFormat.READER_WAITS);
    }

    /**
     * Tells the writer that nobody will read any more; not where the stream goes on in another block.
     *
     * @param how {@link #READ_TO_THE_END} or {@link #LEFT_UNREAD}
     * @return how the writer that sleeps is to be woken, by the caller; {@link Waits#NOT} where it does not
     */
    public int leave(int how) {
        Words.setRelease(memory, RingFormat.READER_LEFT, how);
        return takeWriterWait();
    }

    /** The reader's very last access: from now on the block may be used for something else, unless the writer still uses it. */
    public void letGo() {
        Words.setRelease(memory, RingFormat.READER_DONE, 1);
    }
}
