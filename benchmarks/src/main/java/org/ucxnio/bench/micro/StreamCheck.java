package org.ucxnio.bench.micro;

import java.nio.ByteBuffer;

/**
 * Verifies a stream of {@link Message messages} that arrives in pieces of any size. In each piece it looks at the first
 * number and the last complement that lie in it whole, or at the first byte and the last where messages have no numbers, and in
 * every 1024th piece at all bytes.
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
        if (size < Message.WHOLE_SIZE) {
            checkEnds(buffer, offset, count);
        } else {
            checkNumbers(buffer, offset, count);
        }
        if (++pieces % FULL_CHECK_INTERVAL == 1) {
            checkAll(buffer, offset, count);
        }
    }

    private void checkNumbers(ByteBuffer buffer, long offset, int count) {
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
    }

    private void checkEnds(ByteBuffer buffer, long offset, int count) {
        checkByte(buffer, offset, 0);
        checkByte(buffer, offset, count - 1);
    }

    private void checkAll(ByteBuffer buffer, long offset, int count) {
        for (int i = 0; i < count; i++) {
            checkByte(buffer, offset, i);
        }
    }

    private void checkByte(ByteBuffer buffer, long offset, int index) {
        long message = (offset + index) / size;
        int position = (int) ((offset + index) % size);
        expect(Message.byteAt(size, message, position), buffer.get(index), message);
    }

    private static void expect(long wanted, long found, long message) {
        if (wanted != found) {
            throw new IllegalStateException("message %d: %x found where %x was sent".formatted(message, found, wanted));
        }
    }
}
