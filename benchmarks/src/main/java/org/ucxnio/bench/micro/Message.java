package org.ucxnio.bench.micro;

import java.nio.ByteBuffer;

/**
 * The content of messages: a sequence number in the first 8 bytes and its complement in the last 8, the rest is fixed.
 *
 * <pre>
 *   0        8                      size-8     size
 *   | number | position-dependent    | ~number |
 * </pre>
 */
final class Message {
    /** The smallest message, bytes. */
    static final int MIN_SIZE = 16;

    private Message() {}

    /** Fills the fixed part of {@code buffer} from 0 to its capacity. */
    static void fill(ByteBuffer buffer) {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, fixed(i));
        }
    }

    /** The fixed byte at {@code position} in a message. */
    static byte fixed(int position) {
        return (byte) (position * 31 + (position >>> 8));
    }

    static void stamp(ByteBuffer buffer, int size, long number) {
        buffer.putLong(0, number);
        buffer.putLong(size - Long.BYTES, ~number);
    }

    static void check(ByteBuffer buffer, int size, long number) {
        if (buffer.getLong(0) != number || buffer.getLong(size - Long.BYTES) != ~number) {
            throw new IllegalStateException("message %d came back as %d / %d"
                    .formatted(number, buffer.getLong(0), ~buffer.getLong(size - Long.BYTES)));
        }
    }
}
