package org.ucxnio.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;

/**
 * Buffers that are mapped from files. To touch a page of one that is not in memory takes as long as the file system likes, for ever where
 * that hangs, and fails where the file was cut short. Java code that waits for a page stops all other threads at the next collection of the
 * heap, and the exit of the JVM; with a lock held it stops more. So what is not in memory is copied by the kernel, in a call, as it is with
 * the platform's channels. Thread-safe.
 */
final class FileBuffers {
    /** The most that is copied at a time, as much as a pipe has room for. */
    static final int PIECE_BYTES = 64 << 10;

    private FileBuffers() {}

    /** Whether any of the buffers is mapped from a file. */
    static boolean any(ByteBuffer[] buffers, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (isOne(buffers[i])) {
                return true;
            }
        }
        return false;
    }

    /** Whether a buffer is mapped from a file, or part of one that is; false for one without room. */
    static boolean isOne(ByteBuffer buffer) {
        return buffer instanceof MappedByteBuffer direct && hasFile(direct);
    }

    /** All direct buffers are of one class. Those without a file have nothing to force, and do not even look at the range. */
    private static boolean hasFile(MappedByteBuffer direct) {
        try {
            direct.force(-1, 0);
            return false;
        } catch (IndexOutOfBoundsException outOfTheFile) {
            return true;
        }
    }

    /** Throws if the memory of a buffer, in which something remains, was freed. */
    static void checkMemory(ByteBuffer buffer) {
        if (isOne(buffer)) {
            isInMemory(buffer, 1);
        } else {
            buffer.get(buffer.position());
        }
    }

    private static boolean isInMemory(ByteBuffer buffer, int bytes) {
        return ((MappedByteBuffer) next(buffer, bytes)).isLoaded();
    }

    private static ByteBuffer next(ByteBuffer buffer, int bytes) {
        return buffer.slice(buffer.position(), bytes);
    }

    /**
     * What can be written, or read into, without waiting for pages: the next part of a buffer that {@link #isOne}, or a copy of it, from
     * its position to its limit.
     *
     * @throws IOException where the kernel cannot reach the buffer's memory
     */
    static ByteBuffer piece(ByteBuffer buffer) throws IOException {
        int bytes = Math.min(buffer.remaining(), PIECE_BYTES);
        ByteBuffer part = next(buffer, bytes);
        if (isInMemory(buffer, bytes)) {
            return part;
        }
        ByteBuffer copy = ByteBuffer.allocate(bytes);
        KernelCopy.copy(part, copy);
        return copy.flip();
    }

    /** Has a buffer take what was read into the piece that {@link #piece} gave for it. */
    static void take(ByteBuffer piece, ByteBuffer target) throws IOException {
        int count = piece.position();
        if (!piece.isDirect()) {
            KernelCopy.copy(piece.flip(), next(target, count));
        }
        target.position(target.position() + count);
    }
}
