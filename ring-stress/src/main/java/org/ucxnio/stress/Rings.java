package org.ucxnio.stress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.ucxnio.ring.Block;
import org.ucxnio.ring.RingIn;
import org.ucxnio.ring.RingOut;

/** The smallest rings there are for the tests, and what goes through them. */
final class Rings {
    /** A record that fits into its slot, and one that does not: four of the latter fill the ring. */
    static final int INLINE = 40;

    static final int LARGE = 704;

    /** What a reader found. */
    static final int NOTHING = 0;

    static final int WHOLE = 1;
    static final int TORN = 2;

    private static final int BYTES = 4 << 10;
    private static final int SLOTS = BYTES / 4 / 64;

    /** More than jcstress has in use at a time; memory of one's own for each would take most of the time. */
    private static final int POOL = 1 << 15;

    /** A line more than a page: the headers of neighbours shall not all compete for one place in the caches. */
    private static final int SPACING = BYTES + 64;

    private static final ByteBuffer MEMORY = allocate().alignedSlice(64);
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final byte[] ZEROS = new byte[BYTES / 2];

    private Rings() {}

    /** Real rings lie in mapped files. What tests take is of the same class, so that the same code of the JDK's reads and writes it. */
    private static ByteBuffer allocate() {
        ByteBuffer memory = ByteBuffer.allocateDirect(POOL * SPACING + 64);
        try {
            Path path = Files.createTempFile("ring-stress", null);
            try (FileChannel file = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
                Class<?> mapped =
                        file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES).getClass();
                if (memory.getClass() != mapped) {
                    throw new IllegalStateException(mapped + " is not what is tested: " + memory.getClass());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return memory;
    }

    /** Memory for a ring, zeroed as far as {@code RingMemory} does it. */
    static ByteBuffer memory() {
        int at = Math.floorMod(NEXT.getAndIncrement(), POOL) * SPACING;
        ByteBuffer memory = MEMORY.slice(at, BYTES).order(ByteOrder.nativeOrder());
        zero(memory);
        return memory;
    }

    static void zero(ByteBuffer memory) {
        memory.put(0, ZEROS);
    }

    static RingOut writer(ByteBuffer memory) {
        return new RingOut(new Block(0, 0, memory));
    }

    /** Writes so many bytes of this value; returns how many there was room for. */
    static int write(RingOut out, int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        try {
            return (int) out.write(new ByteBuffer[] {ByteBuffer.wrap(bytes)}, 0, 1, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Fills the ring with records of this length; returns how many there are. */
    static int fill(RingOut out, int length, int value) {
        int count = 0;
        while (write(out, length, value) == length) {
            count++;
        }
        return count;
    }

    /** Reads as many bytes as there are, at most this many; they may be of any value. */
    static byte[] read(RingIn in, int length) {
        byte[] bytes = new byte[length];
        try {
            int count = (int) in.read(new ByteBuffer[] {ByteBuffer.wrap(bytes)}, 0, 1, false);
            return count == length ? bytes : Arrays.copyOf(bytes, count);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether all of these are this value, {@link #WHOLE} if so. */
    static int check(byte[] bytes, int length, int value) {
        if (bytes.length == 0) {
            return NOTHING;
        }
        boolean whole = bytes.length == length;
        for (byte found : bytes) {
            whole &= found == (byte) value;
        }
        return whole ? WHOLE : TORN;
    }

    /** Reads the next record, if there is one: is all of it this value? */
    static int look(RingIn in, int length, int value) {
        return check(read(in, length), length, value);
    }

    /** Reads so many records of this value and length: are all of them there and whole? */
    static int lookAtAll(RingIn in, int records, int length, int value) {
        for (int i = 0; i < records; i++) {
            int found = look(in, length, value);
            if (found != WHOLE) {
                return found;
            }
        }
        return WHOLE;
    }

    /** Sends records through an empty ring until every slot, or byte, has been used. */
    static void lap(RingOut out, RingIn in, int length, int value) {
        for (int i = 0; i < SLOTS; i++) {
            write(out, length, value);
            if (look(in, length, value) != WHOLE) {
                throw new IllegalStateException("A ring that does not work at all");
            }
            in.publish();
        }
    }
}
