package org.ucxnio.stress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.ucxnio.ring.RingLayout;
import org.ucxnio.ring.RingReader;
import org.ucxnio.ring.RingWriter;

/** Tiny rings for the tests, and what goes through them. */
final class Rings {
    /** As small as it gets, so that the second record already waits for the first to be consumed. */
    static final RingLayout LAYOUT = new RingLayout(2, 256);

    /** A record that fits into its slot, and one that does not. */
    static final int INLINE = 40;

    static final int LARGE = 100;

    /** What a reader found. */
    static final int NOTHING = 0;

    static final int WHOLE = 1;
    static final int TORN = 2;

    /** Far more than jcstress has in use at a time; memory of one's own for each would take most of the time. */
    private static final int POOL = 1 << 17;

    private static final int SPACING = LAYOUT.size() + 63 & -64;
    private static final ByteBuffer MEMORY =
            ByteBuffer.allocateDirect(POOL * SPACING + 64).alignedSlice(64);
    private static final AtomicInteger NEXT = new AtomicInteger();

    private Rings() {}

    /** Zeroed memory for a ring. */
    static ByteBuffer memory() {
        int at = Math.floorMod(NEXT.getAndIncrement(), POOL) * SPACING;
        ByteBuffer memory = MEMORY.slice(at, LAYOUT.size()).order(ByteOrder.nativeOrder());
        for (int i = 0; i < LAYOUT.size(); i += Long.BYTES) {
            memory.putLong(i, 0);
        }
        return memory;
    }

    /** Writes a record of this length whose every byte, and whose header, is this value; false where there is no room. */
    static boolean write(RingWriter writer, int length, int value) {
        boolean room = reserve(writer, length, value);
        if (room) {
            writer.commit(value, value & 15, value);
        }
        return room;
    }

    /** Everything of {@link #write} but for making it visible. */
    static boolean reserve(RingWriter writer, int length, int value) {
        try {
            int at = writer.reserve(length);
            for (int i = 0; at >= 0 && i < length; i++) {
                writer.memory().put(at + i, (byte) value);
            }
            return at >= 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes it visible as a worker does, whose lock is the fence; returns whether the reader is to be woken. */
    static boolean commit(RingWriter writer, int value, ReentrantLock lock) {
        lock.lock();
        writer.commit(value, value & 15, value);
        lock.unlock();
        return writer.readerSleeps() && writer.wake();
    }

    /** Looks at the next record, if there is one: is all of it this value? */
    static int look(RingReader reader, int length, int value) {
        try {
            if (!reader.next()) {
                return NOTHING;
            }
        } catch (IOException e) {
            return TORN;
        }
        boolean whole = reader.length() == length
                && reader.connection() == value
                && reader.kind() == (value & 15)
                && reader.position() == value;
        for (int i = 0; i < length; i++) {
            whole &= reader.memory().get(reader.payload() + i) == (byte) value;
        }
        return whole ? WHOLE : TORN;
    }

    /** Sends records through an empty ring until every slot and byte has been used. */
    static void lap(RingWriter writer, RingReader reader, int length, int value) {
        for (int i = 0; i < LAYOUT.slots(); i++) {
            write(writer, length, value);
            if (look(reader, length, value) != WHOLE) {
                throw new IllegalStateException("A ring that does not work at all");
            }
            reader.release();
            reader.publish();
        }
    }
}
