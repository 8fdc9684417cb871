package org.ucxnio.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Where things are in the memory of a ring. It belongs to the reader; the writer has it mapped.
 *
 * <pre>
 *      0  consumed slots : 8, consumed bytes : 8           written by the reader
 *     64  asleep : 4                                       set by the reader, cleared by the writer that wakes it
 *    128  room wanted : 4                                  set by the writer, cleared by the reader that makes room
 *    192  slots, 64 bytes each                             written by the writer
 *           0  commit : 8    sequence:32 kind:4 length:28, written last
 *           8  connection : 4
 *          12  position : 4
 *          16  payload of up to 48 bytes
 *      :  payloads of more than 48 bytes, each in one piece
 * </pre>
 *
 * <p>A small record is one cache line, the commit word and the payload together: reading it moves one line between the cores. The
 * sequence is the record's index from the ring's beginning, plus one. A slot always begins where a slot began before, so what an
 * earlier lap left there can never be taken for a record: its sequence is smaller, and no payload lies where sequences are looked
 * for.
 *
 * <p>A record of kind {@value #GROWING_KIND} that lies in its slot may grow as long as it is the last one: small messages share a
 * line, with a new commit word for each. The reader looks at the last record it has read and at the one behind.
 *
 * @param slots number of slots, a power of two
 * @param dataBytes size of the area for larger payloads, a power of two
 */
public record RingLayout(int slots, int dataBytes) {
    public static final int MIN_DATA_BYTES = 64 << 10;
    public static final int MAX_DATA_BYTES = 64 << 20;

    static final int CONSUMED_SLOTS = 0;
    static final int CONSUMED_BYTES = 8;
    static final int ASLEEP = 64;
    static final int ROOM_WANTED = 128;

    static final int COMMIT = 0;
    static final int CONNECTION = 8;
    static final int POSITION = 12;
    static final int INLINE = 16;
    static final int INLINE_BYTES = 48;

    /** Records of this kind may grow. */
    static final int GROWING_KIND = 0;

    static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    static final VarHandle INTS = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private static final int FIRST_SLOT = 192;
    private static final int SLOT_BYTES = 64;
    private static final int LINE = 64;
    private static final int MIN_SLOTS = 128;
    private static final int BYTES_PER_SLOT = 1 << 10;
    private static final int KIND_SHIFT = 28;
    private static final int LENGTH_MASK = (1 << KIND_SHIFT) - 1;

    public RingLayout {
        if (Integer.bitCount(slots) != 1 || Integer.bitCount(dataBytes) != 1) {
            throw new IllegalArgumentException("Not powers of two: " + slots + " slots, " + dataBytes + " bytes");
        }
    }

    /**
     * The layout for an area of {@code dataBytes}.
     *
     * @param dataBytes a power of two from {@link #MIN_DATA_BYTES} to {@link #MAX_DATA_BYTES}
     */
    public static RingLayout of(int dataBytes) {
        if (dataBytes < MIN_DATA_BYTES || dataBytes > MAX_DATA_BYTES) {
            throw new IllegalArgumentException("A ring of " + dataBytes + " bytes");
        }
        return new RingLayout(Math.max(MIN_SLOTS, dataBytes / BYTES_PER_SLOT), dataBytes);
    }

    /** Whether {@link #of} takes it. */
    public static boolean isValid(int dataBytes) {
        return dataBytes >= MIN_DATA_BYTES && dataBytes <= MAX_DATA_BYTES && Integer.bitCount(dataBytes) == 1;
    }

    /** Bytes of memory a ring takes. */
    public int size() {
        return dataOffset() + dataBytes;
    }

    /** The longest payload: any will fit into an empty ring, wherever it stands. */
    public int maxLength() {
        return dataBytes / 2;
    }

    private int dataOffset() {
        return FIRST_SLOT + slots * SLOT_BYTES;
    }

    int slotAt(long index) {
        return FIRST_SLOT + (int) (index & slots - 1) * SLOT_BYTES;
    }

    int dataAt(long position) {
        return dataOffset() + (int) (position & dataBytes - 1);
    }

    /** Where a payload begins that is to lie in one piece behind {@code position}. */
    long place(long position, int length) {
        int offset = (int) (position & dataBytes - 1);
        return offset + length > dataBytes ? position + (dataBytes - offset) : position;
    }

    /** Where the next payload may begin, at a cache line of its own. */
    static long behind(long start, int length) {
        return start + length + LINE - 1 & -LINE;
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
