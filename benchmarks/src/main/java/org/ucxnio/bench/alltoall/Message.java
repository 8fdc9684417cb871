package org.ucxnio.bench.alltoall;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Messages of one connection: its sender and its number are in every word, so that any wrong byte shows. */
final class Message {
    private static final long STEP = 0x9E3779B97F4A7C15L;
    private static final int NUMBER_AT = 0;
    private static final int SENDER_AT = Long.BYTES;
    private static final int REST_AT = 2 * Long.BYTES;

    /** The shortest that there is. */
    static final int LEAST_BYTES = REST_AT;

    private Message() {}

    /** Fills {@code buffer}, of a multiple of 8 bytes, with message {@code number} of process {@code sender}. */
    static void fill(ByteBuffer buffer, long sender, long number) {
        buffer.clear();
        buffer.putLong(NUMBER_AT, number);
        buffer.putLong(SENDER_AT, sender);
        long word = first(sender, number);
        for (int at = REST_AT; at < buffer.limit(); at += Long.BYTES) {
            buffer.putLong(at, word);
            word += STEP;
        }
    }

    /** Who sent the message of {@code buffer} that begins at {@code start}. */
    static long sender(ByteBuffer buffer, int start) {
        return buffer.getLong(start + SENDER_AT);
    }

    /**
     * Checks every byte of the message of {@code buffer} that begins at {@code start}.
     *
     * @throws IOException if it is not message {@code number} of process {@code sender}
     */
    static void check(ByteBuffer buffer, int start, int size, long sender, long number) throws IOException {
        boolean right = buffer.getLong(start + NUMBER_AT) == number && sender(buffer, start) == sender;
        long word = first(sender, number);
        for (int at = start + REST_AT; at < start + size; at += Long.BYTES) {
            right &= buffer.getLong(at) == word;
            word += STEP;
        }
        if (!right) {
            throw new IOException("message %d of process %d is not as it was sent; its number is %d"
                    .formatted(number, sender, buffer.getLong(start + NUMBER_AT)));
        }
    }

    private static long first(long sender, long number) {
        return (sender << Integer.SIZE) + number * STEP;
    }
}
