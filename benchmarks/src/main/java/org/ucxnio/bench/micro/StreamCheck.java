package org.ucxnio.bench.micro;

import java.nio.ByteBuffer;

/**
 * Verifies a stream of {@link Message messages} that arrives in pieces of any size. In each piece it looks at the first
 * number and the last complement that lie in it whole, and in every 1024th piece at all bytes.
 */
final class StreamCheck {
    private static final int FULL_CHECK_INTERVAL = 1024;

    private final int size;
    private int pieces;

    StreamCheck(int size) {
        this.size = size;
    }

    /**
     * Verifies the first {@code count} bytes of {@code buffer}, which are those from {@code offset} of the stream on.
     *
     * @throws IllegalStateException if a byte is not what it should be
     */
    void accept(ByteBuffer buffer, long offset, int count) {
        long end = offset + count;
        long firstMessage = (offset + size - 1) / size;
        if (firstMessage * size + Long.BYTES <= end) {
            expect(firstMessage, buffer.getLong((int) (firstMessage * size - offset)), firstMessage);
        }
        long lastMessage = end / size - 1;
        long complementAt = (lastMessage + 1) * size - Long.BYTES;
        if (lastMessage >= 0 && complementAt >= offset) {
            expect(~lastMessage, buffer.getLong((int) (complementAt - offset)), lastMessage);
        }
        if (++pieces % FULL_CHECK_INTERVAL == 1) {
            checkAll(buffer, offset, count);
        }
    }

    private void checkAll(ByteBuffer buffer, long offset, int count) {
        for (int i = 0; i < count; i++) {
            long message = (offset + i) / size;
            int position = (int) ((offset + i) % size);
            expect(byteAt(message, position), buffer.get(i), message);
        }
    }

    /** The byte at {@code position} in message {@code number}. */
    private byte byteAt(long number, int position) {
        if (position < Long.BYTES) {
            return (byte) (number >>> (Long.BYTES - 1 - position) * Byte.SIZE);
        }
        if (position >= size - Long.BYTES) {
            return (byte) (~number >>> (size - 1 - position) * Byte.SIZE);
        }
        return Message.fixed(position);
    }

    private static void expect(long wanted, long found, long message) {
        if (wanted != found) {
            throw new IllegalStateException("message %d: %x found where %x was sent".formatted(message, found, wanted));
        }
    }
}
