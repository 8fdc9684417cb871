package org.ucxnio.ring;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Where things are in the block of memory that holds one ring. The writer's process made it; the reader has it mapped.
 *
 * <pre>
 *      0  consumed slots : 8, consumed bytes : 8           written by the reader
 *     16  reader done : 4, reader left : 4                 written by the reader, done last of all
 *     64  reader waits : 4                                 set by the reader, cleared by the writer that wakes it
 *     68  bell's process : 4, pipe : 8, name : 8           written by the reader, before it waits for its bell
 *    128  writer waits : 4                                 set by the writer, cleared by the reader that makes room
 *    192  switched at : 8, ended back : 4, exits : 4       each written once by the writer
 *    256  slots, 64 bytes each, a quarter of the block     written by the writer
 *           0  commit : 8    sequence:32 kind:4 length:28, written last
 *           8  payload of up to 56 bytes
 *      :  payloads of more than 56 bytes, each in one piece
 * </pre>
 *
 * <p>A small record is one cache line, the commit word and the payload together: reading it moves one line between the cores. The
 * sequence is the record's index from the ring's beginning, plus one. A slot always begins where a slot began before, so what an
 * earlier lap left there can never be taken for a record: its sequence is smaller, and no payload lies where sequences are looked
 * for.
 *
 * @param slots number of slots, a power of two
 * @param dataBytes size of the area for larger payloads, a multiple of a cache line
 */
record RingFormat(int slots, int dataBytes) {
    static final int CONSUMED_SLOTS = 0;
    static final int CONSUMED_BYTES = 8;
    static final int READER_DONE = 16;
    static final int READER_LEFT = 20;
    static final int READER_WAITS = 64;
    static final int BELL_PROCESS = 68;
    static final int BELL_PIPE = 72;
    static final int BELL_NAME = 80;
    static final int WRITER_WAITS = 128;
    static final int SWITCHED_AT = 192;
    static final int ENDED_BACK = 200;
    static final int EXITS = 204;

    static final int INLINE = 8;
    static final int INLINE_BYTES = 56;

    static final int KIND_DATA = 0;
    static final int KIND_URGENT = 1;
    static final int KIND_END = 2;
    static final int KIND_RESET = 3;
    static final int KIND_MOVED = 4;
    static final int KIND_BACK = 5;

    private static final int FIRST_SLOT = 256;
    private static final int SLOT_BYTES = 64;
    private static final int LINE = 64;
    private static final int KIND_SHIFT = 28;
    private static final int LENGTH_MASK = (1 << KIND_SHIFT) - 1;

    /** A line less than a power of two: source and target at the same offset within a page make copies wait for each other. */
    private static final int MAX_RECORD = (32 << 10) - LINE;

    static RingFormat of(ByteBuffer memory) {
        int bytes = memory.capacity();
        if (!Block.isSize(bytes)) {
            throw new IllegalArgumentException("A ring in " + bytes + " bytes");
        }
        if (memory.order() != ByteOrder.nativeOrder()) {
            throw new IllegalArgumentException("A ring in memory whose order is " + memory.order());
        }
        int slots = bytes / 4 / SLOT_BYTES;
        return new RingFormat(slots, bytes - FIRST_SLOT - slots * SLOT_BYTES);
    }

    /** The longest payload: several fit into an empty ring, wherever they stand. */
    int maxLength() {
        return Math.min(dataBytes / 4, MAX_RECORD);
    }

    int slotAt(long index) {
        return FIRST_SLOT + (int) (index & slots - 1) * SLOT_BYTES;
    }

    /** Where the data area's byte at {@code offset} is in the block. */
    int dataAt(int offset) {
        return FIRST_SLOT + slots * SLOT_BYTES + offset;
    }

    /** Where a payload begins that is to lie in one piece from {@code offset} of the data area on, or from its beginning. */
    int place(int offset, int length) {
        return offset + length > dataBytes ? 0 : offset;
    }

    /** What of the data area a payload uses up that is placed from {@code offset} on, the gap before it included. */
    int usedBy(int offset, int length) {
        return roundUp(length) + (place(offset, length) == offset ? 0 : dataBytes - offset);
    }

    /** Where the next payload may begin, at a cache line of its own. */
    int behind(int start, int length) {
        int end = start + roundUp(length);
        return end >= dataBytes ? 0 : end;
    }

    static int roundUp(int length) {
        return length + LINE - 1 & -LINE;
    }

    /** The commit word of the record at {@code index}. */
    static long commit(long index, int kind, int length) {
        return index + 1 << 32 | (long) kind << KIND_SHIFT | length;
    }

    /** Whether a commit word is that of the record at {@code index}. */
    static boolean isOf(long commit, long index) {
        return (int) (commit >>> 32) == (int) (index + 1);
    }

    static int kind(long commit) {
        return (int) commit >>> KIND_SHIFT;
    }

    static int length(long commit) {
        return (int) commit & LENGTH_MASK;
    }
}
