package org.ucxnio.channel;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A buffer that occurs more than once in a gathering write is written as often, as the platform's channels do it. Finding out costs
 * no memory: each buffer is emptied in passing, so that one that is met again, or was empty before, shows. For one writer at a time.
 */
final class RepeatedBuffers {
    private int[] positions = new int[16];

    /** The buffers themselves where each occurs once, otherwise an array of their own in which repetitions have positions of their own. */
    ByteBuffer[] apart(ByteBuffer[] buffers, int offset, int length) {
        return anyEmptyInPassing(buffers, offset, length) ? separate(buffers, offset, length) : buffers;
    }

    private boolean anyEmptyInPassing(ByteBuffer[] buffers, int offset, int length) {
        if (positions.length < length) {
            positions = new int[length];
        }
        boolean empty = false;
        for (int i = 0; i < length; i++) {
            ByteBuffer buffer = buffers[offset + i];
            positions[i] = buffer.position();
            empty |= !buffer.hasRemaining();
            buffer.position(buffer.limit());
        }
        for (int i = length - 1; i >= 0; i--) {
            buffers[offset + i].position(positions[i]);
        }
        return empty;
    }

    private static ByteBuffer[] separate(ByteBuffer[] buffers, int offset, int length) {
        ByteBuffer[] separated = null;
        for (int i = 0; i < length; i++) {
            ByteBuffer buffer = buffers[offset + i];
            if (buffer.hasRemaining() && occursBefore(buffers, offset, offset + i)) {
                if (separated == null) {
                    separated = Arrays.copyOfRange(buffers, offset, offset + length);
                }
                separated[i] = buffer.duplicate();
            }
        }
        return separated == null ? buffers : separated;
    }

    private static boolean occursBefore(ByteBuffer[] buffers, int from, int index) {
        for (int i = from; i < index; i++) {
            if (buffers[i] == buffers[index]) {
                return true;
            }
        }
        return false;
    }

    /** Leaves each original where its last repetition that was written to has got. */
    void moveOriginals(ByteBuffer[] buffers, int offset, int length, ByteBuffer[] written) {
        for (int i = 0; i < length; i++) {
            ByteBuffer original = buffers[offset + i];
            if (written[i] != original && written[i].position() > positions[first(buffers, offset, original)]) {
                original.position(written[i].position());
            }
        }
    }

    private static int first(ByteBuffer[] buffers, int offset, ByteBuffer wanted) {
        int index = 0;
        while (buffers[offset + index] != wanted) {
            index++;
        }
        return index;
    }
}
