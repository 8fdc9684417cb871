package org.ucxnio.bench.micro;

import java.nio.ByteBuffer;

/**
 * The content of messages: a sequence number in the first 8 bytes and its complement in the last 8, the rest is fixed.
 * Those that are too short for that hold the bytes of the number over and over, the lowest first.
 *
 * <pre>
 *   0        8                      size-8     size
 *   | number | position-dependent    | ~number |
 * </pre>
 */
final class Message {
    /** The smallest message that holds a number and its complement, bytes. */
    static final int WHOLE_SIZE = 16;

    private Message() {}

    /** Fills the fixed part of {@code buffer} from 0 to its capacity. */
    static void fill(ByteBuffer buffer) {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, fixed(i));
        }
    }

    /** The fixed byte at {@code position} in a message. */
    private static byte fixed(int position) {
        return (byte) (position * 31 + (position >>> 8));
    }

    /** The byte at {@code position} in message {@code number} of {@code size} bytes. */
    static byte byteAt(int size, long number, int position) {
        if (size < WHOLE_SIZE) {
            return (byte) (number >>> (position % Long.BYTES) * Byte.SIZE);
        }
        if (position < Long.BYTES) {
            return (byte) (number >>> (Long.BYTES - 1 - position) * Byte.SIZE);
        }
        if (position >= size - Long.BYTES) {
            return (byte) (~number >>> (size - 1 - position) * Byte.SIZE);
        }
        return fixed(position);
    }

    static void stamp(ByteBuffer buffer, int size, long number) {
        if (size < WHOLE_SIZE) {
            for (int i = 0; i < size; i++) {
                buffer.put(i, byteAt(size, number, i));
            }
        } else {
            buffer.putLong(0, number);
            buffer.putLong(size - Long.BYTES, ~number);
        }
    }

    static void check(ByteBuffer buffer, int size, long number) {
        if (size < WHOLE_SIZE) {
            for (int i = 0; i < size; i++) {
                if (buffer.get(i) != byteAt(size, number, i)) {
                    throw new IllegalStateException(
                            "message %d: byte %d came back as %x".formatted(number, i, buffer.get(i)));
                }
            }
        } else if (buffer.getLong(0) != number || buffer.getLong(size - Long.BYTES) != ~number) {
            throw new IllegalStateException("message %d came back as %d / %d"
                    .formatted(number, buffer.getLong(0), ~buffer.getLong(size - Long.BYTES)));
        }
    }
}
