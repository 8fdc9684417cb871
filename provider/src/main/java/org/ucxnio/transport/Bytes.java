package org.ucxnio.transport;

import java.nio.ByteBuffer;

/** Copying between buffers. */
final class Bytes {
    /** Up to here a loop beats the call of a copying routine. */
    private static final int SMALL = 64;

    private Bytes() {}

    /** As {@code target.put(to, source, from, count)}, and faster for a few bytes. */
    static void copy(ByteBuffer source, int from, ByteBuffer target, int to, int count) {
        if (count > SMALL) {
            target.put(to, source, from, count);
            return;
        }
        boolean swap = source.order() != target.order();
        int done = 0;
        for (; done <= count - Long.BYTES; done += Long.BYTES) {
            long value = source.getLong(from + done);
            target.putLong(to + done, swap ? Long.reverseBytes(value) : value);
        }
        for (; done < count; done++) {
            target.put(to + done, source.get(from + done));
        }
    }
}
