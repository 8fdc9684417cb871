package org.ucxnio.bench.aeron;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Messages whose first and last byte are the lowest ones of a number that counts up. */
final class AeronMessage {
    private AeronMessage() {}

    static void stamp(MutableDirectBuffer buffer, int size, long number) {
        buffer.putByte(0, (byte) number);
        buffer.putByte(size - 1, (byte) number);
    }

    static void check(DirectBuffer buffer, int offset, int size, long number) {
        if (buffer.getByte(offset) != (byte) number || buffer.getByte(offset + size - 1) != (byte) number) {
            throw new IllegalStateException("message %d came as %d / %d"
                    .formatted(number, buffer.getByte(offset), buffer.getByte(offset + size - 1)));
        }
    }
}
