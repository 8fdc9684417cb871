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
 *    128  slots, 64 bytes each                             written by the writer
 *           0  sequence : 8     index of the record from the ring's beginning, plus one; written last
 *           8  connection : 4
 *          12  kind : 4 bits, length : 28 bits
 *          16  position : 8
 *          24  payload of up to 40 bytes
 *      :  payloads of more than 40 bytes, each in one piece
 * </pre>
 *
 * <p>A small record is one cache line, the commit word and the payload together: reading it moves one line between the cores. A
 * slot always begins where a slot began before, so what an earlier lap left there can never be taken for a record: its sequence is
 * smaller, and no payload lies where sequences are looked for.
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

    static final int SEQUENCE = 0;
    static final int CONNECTION = 8;
    static final int KIND_LENGTH = 12;
    static final int POSITION = 16;
    static final int INLINE = 24;
    static final int INLINE_BYTES = 40;

    static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    static final VarHandle INTS = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private static final int FIRST_SLOT = 128;
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

    static int kindAndLength(int kind, int length) {
        return kind << KIND_SHIFT | length;
    }

    static int kind(int kindAndLength) {
        return kindAndLength >>> KIND_SHIFT;
    }

    static int length(int kindAndLength) {
        return kindAndLength & LENGTH_MASK;
    }
}
