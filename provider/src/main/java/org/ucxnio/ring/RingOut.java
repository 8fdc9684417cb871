package org.ucxnio.ring;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.ucxnio.jdk.LateErrors;

/**
 * The writer's end of a ring. For one thread at a time, but for what is said to be for any.
 *
 * <p><b>Ordering.</b> A commit word is stored with release, behind all it covers; the reader loads it with acquire. The reader says
 * with release what it has consumed and the writer reads that with acquire, so that nothing is overwritten before it was read.
 *
 * <p>For the wake-up the writer stores the commit word and then, behind a full fence, asks whether the reader waits ({@link
 * #takeReaderWait}); the reader stores that it waits and then, behind a full fence, looks for a record: one of the two sees the other.
 * For room it is the same the other way round: {@link #wantRoom} and {@link RingIn#publish} both store, fence and look.
 *
 * <p>The peer may write anything into the memory. What is read from it, the consumer's counts, is checked against private copies;
 * where to write is computed from private ones alone.
 */
public final class RingOut {
    /** A payload that the end of the data area would cut is cut there, unless less than this would go before it. */
    private static final int MIN_PIECE = 256;

    private final Block block;
    private final ByteBuffer memory;
    private final RingFormat format;

    /** Index of the next record. */
    private long slot;

    /** Where the next payload may begin in the data area. */
    private int dataOffset;

    /** What of the data area was ever used up. */
    private long data;

    // Read by selecting threads as well: what they see late makes them look again.
    private long consumedSlots;
    private long consumedBytes;

    /** @param block zeroed where it matters: see {@link RingMemory#allocate} */
    public RingOut(Block block) {
        this.block = block;
        this.memory = block.memory();
        this.format = RingFormat.of(memory);
    }

    public Block block() {
        return block;
    }

    public int bytes() {
        return memory.capacity();
    }

    // -- writing -----------------------------------------------------------------------------------------------------

    /**
     * Writes as much as there is room for.
     *
     * @param count what remains in all the buffers
     * @return bytes written, whose buffers have moved on
     * @throws IOException when the peer claims to have consumed what cannot be
     */
    public long write(ByteBuffer[] sources, int offset, int length, long count) throws IOException {
        long left = count;
        int from = offset;
        while (left > 0 && hasSlot()) {
            int piece = piece(left);
            if (piece == 0) {
                break;
            }
            from = gather(sources, from, piece, at(piece));
            commit(RingFormat.KIND_DATA, piece);
            left -= piece;
        }
        return count - left;
    }

    /** Writes a buffer as one record; returns its bytes, or 0 where there is no room for that. */
    public int writeWhole(ByteBuffer source) throws IOException {
        int position = source.position();
        int length = source.limit() - position;
        if (length == 0 || !hasSlot() || piece(length) < length) {
            return 0;
        }
        memory.put(at(length), source, position, length);
        source.position(position + length);
        commit(RingFormat.KIND_DATA, length);
        return length;
    }

    /**
     * Reads the next part of a file as one record, which the kernel copies to where the reader finds it.
     *
     * @return its bytes; 0 where there is no room, or the file has less than there is room for
     */
    public int writeFile(FileChannel file, long position, long count) throws IOException {
        int length = hasSlot() ? piece(count) : 0;
        if (length == 0 || file.read(memory.slice(at(length), length), position) < length) {
            return 0;
        }
        commit(RingFormat.KIND_DATA, length);
        return length;
    }

    /** The length of the next payload; 0 where there is no room. */
    private int piece(long left) throws IOException {
        return left <= RingFormat.INLINE_BYTES ? (int) left : findRoom(left);
    }

    /** Where the next payload lies in the block. */
    private int at(int length) {
        return length <= RingFormat.INLINE_BYTES
                ? format.slotAt(slot) + RingFormat.INLINE
                : format.dataAt(format.place(dataOffset, length));
    }

    /** Whether there is a slot for data: the last one is kept for the record that follows when there is no more room. */
    private boolean hasSlot() throws IOException {
        if (slot - consumedSlots >= format.slots() - 1) {
            refresh();
            return slot - consumedSlots < format.slots() - 1;
        }
        return true;
    }

    /** The length of the next payload in the data area, longer than what fits a slot; 0 where there is no room. */
    private int findRoom(long left) throws IOException {
        int wanted = (int) Math.min(left, format.maxLength());
        int tail = format.dataBytes() - dataOffset;
        if (tail < wanted && tail >= MIN_PIECE) {
            wanted = tail;
        }
        if (!fits(wanted)) {
            refresh();
            wanted = fits(wanted) ? wanted : shorter(wanted);
        }
        return wanted > RingFormat.INLINE_BYTES ? wanted : 0;
    }

    private boolean fits(int length) {
        return format.usedBy(dataOffset, length) <= free();
    }

    private long free() {
        return format.dataBytes() - (data - consumedBytes);
    }

    /** The most that fits behind the last payload, or from the beginning of the area. */
    private int shorter(int wanted) {
        long free = free();
        int tail = format.dataBytes() - dataOffset;
        int there = (int) Math.min(Math.min(wanted, tail), free) & -64;
        if (there >= MIN_PIECE || free <= tail) {
            return there;
        }
        // Payloads that would fit into the tail are looked for there.
        int beginning = (int) Math.min(wanted, free - tail) & -64;
        return beginning > tail ? beginning : there;
    }

    /** Copies the next {@code count} bytes of the buffers; returns the index of the buffer where the next ones are. */
    private int gather(ByteBuffer[] sources, int from, int count, int at) {
        int left = count;
        int to = at;
        int index = from;
        while (true) {
            ByteBuffer source = sources[index];
            int position = source.position();
            int piece = Math.min(left, source.limit() - position);
            if (piece > 0) {
                memory.put(to, source, position, piece);
                source.position(position + piece);
                left -= piece;
                to += piece;
            }
            if (left == 0) {
                return index;
            }
            index++;
        }
    }

    private void commit(int kind, int length) {
        int at = format.slotAt(slot);
        if (length > RingFormat.INLINE_BYTES) {
            int start = format.place(dataOffset, length);
            data += format.usedBy(dataOffset, length);
            dataOffset = format.behind(start, length);
        }
        Words.setLongRelease(memory, at, RingFormat.commit(slot, kind, length));
        slot++;
    }

    /** Writes a byte of urgent data; false where there is no room. */
    public boolean writeUrgent(byte value) throws IOException {
        if (!hasSlot()) {
            return false;
        }
        memory.put(format.slotAt(slot) + RingFormat.INLINE, value);
        commit(RingFormat.KIND_URGENT, 1);
        return true;
    }

    /**
     * Writes the last record: the end of the stream.
     *
     * @param reset the stream is broken off
     */
    public void end(boolean reset) {
        commit(reset ? RingFormat.KIND_RESET : RingFormat.KIND_END, 0);
    }

    /** Writes the last record: the stream goes on in another block. */
    public void moveTo(Block next) {
        int at = format.slotAt(slot) + RingFormat.INLINE;
        memory.putInt(at, next.slab());
        memory.putInt(at + 4, next.offset());
        memory.putInt(at + 8, next.bytes());
        commit(RingFormat.KIND_MOVED, 12);
    }

    /** Writes the last record: the stream goes on over TCP. */
    public void goBack() {
        commit(RingFormat.KIND_BACK, 0);
    }

    /** Behind {@link #goBack}: the stream has ended there, with nothing of it over TCP. */
    public void endBack() {
        Words.setRelease(memory, RingFormat.ENDED_BACK, 1);
    }

    /**
     * The writer's process ends in order: where it has gone, what is here by then is all of the stream. It may write on meanwhile. Any thread that
     * knows the block to be this stream's.
     */
    public void exits() {
        Words.setRelease(memory, RingFormat.EXITS, 1);
    }

    // -- room --------------------------------------------------------------------------------------------------------

    private void refresh() throws IOException {
        long newSlots = Words.getLongAcquire(memory, RingFormat.CONSUMED_SLOTS);
        long newBytes = Words.getLongAcquire(memory, RingFormat.CONSUMED_BYTES);
        if (newSlots < consumedSlots || newSlots > slot || newBytes < consumedBytes || newBytes > data) {
            throw new IOException("The peer claims to have read what was never written");
        }
        consumedSlots = newSlots;
        consumedBytes = newBytes;
    }

    /** Whether a write would move something, with what the reader has told by now. Any thread: a racy look. */
    public boolean hasRoom() {
        long slots = Words.getLongAcquire(memory, RingFormat.CONSUMED_SLOTS);
        long bytes = Words.getLongAcquire(memory, RingFormat.CONSUMED_BYTES);
        return slot - slots < format.slots() - 1 && format.dataBytes() - (data - bytes) >= 2L * MIN_PIECE;
    }

    /**
     * There is no room: asks the reader for a wake-up once there is. To be followed by a look at {@link #hasRoom}.
     *
     * @param how one of {@link Waits}
     */
    public void wantRoom(int how) {
        Words.setVolatile(memory, RingFormat.WRITER_WAITS, how);
    }

    /** The word that {@link #wantRoom} sets. Any thread. */
    public int writerWaits() {
        return Words.getAcquire(memory, RingFormat.WRITER_WAITS);
    }

    /** What a futex waits on for room: its offset in the block. */
    public static int writerWaitsOffset() {
        return RingFormat.WRITER_WAITS;
    }

    // -- the reader --------------------------------------------------------------------------------------------------

    /** Behind a commit: how the reader that sleeps is to be woken, by the caller; {@link Waits#NOT} where it does not. */
    public int takeReaderWait() {
        VarHandle.fullFence();
        return take(memory, RingFormat.READER_WAITS);
    }

    static int take(ByteBuffer memory, int word) {
        int how = Words.getAcquire(memory, word);
        if (how == Waits.NOT) {
            return Waits.NOT;
        }
        // Where the memory has gone, the JVM throws for the look at it, Java 17 late. It does not survive an exchange
        // that is interpreted.
        LateErrors.surface();
        return Words.compareAndSet(memory, word, how, Waits.NOT) ? how : Waits.NOT;
    }

    /** Behind a wait for a bell that was taken: the process that has it. The reader may wait for another one by now. */
    public int bellProcess() {
        return Words.getAcquire(memory, RingFormat.BELL_PROCESS);
    }

    /** As {@link #bellProcess}: the number of its pipe. */
    public long bellPipe() {
        return Words.getLongAcquire(memory, RingFormat.BELL_PIPE);
    }

    /** As {@link #bellProcess}: what is to be put into it. */
    public long bellName() {
        return Words.getLongAcquire(memory, RingFormat.BELL_NAME);
    }

    /** What a futex waits on for records: its offset in the block. */
    public static int readerWaitsOffset() {
        return RingFormat.READER_WAITS;
    }

    /** Whether the reader has left, and how: 0, {@link RingIn#READ_TO_THE_END} or {@link RingIn#LEFT_UNREAD}. Any thread. */
    public int readerLeft() {
        return Words.getAcquire(memory, RingFormat.READER_LEFT);
    }

    /** Says from which byte of the stream on it is in the ring: once, before the byte over TCP that tells of it. */
    public void switchAt(long position) {
        Words.setLongVolatile(memory, RingFormat.SWITCHED_AT, position + 1);
    }
}
