package org.ucxnio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.ucxnio.ucx.UcxMessage;

/**
 * The bytes that arrived on a connection and the application has not read, and what the peer has been told of it. An idle
 * connection holds no slice. Guarded by the worker's lock.
 */
final class ReceiveSide {
    private static final long UNKNOWN = -1;

    private final SlicePool slices;
    private final int windowBytes;
    private final int windowMessages;

    private Slice head;
    private Slice tail;

    /** Stream offset behind the last byte that arrived. */
    private long received;

    /** Stream offset behind the last byte the application took, or would have, had it not left. */
    private long consumed;

    private long consumedTold;
    private long messages;
    private long messagesTold;

    /** Length of the stream, once its end is known. */
    private long total = UNKNOWN;

    private boolean discarding;

    ReceiveSide(SlicePool slices, int windowBytes, int windowMessages) {
        this.slices = slices;
        this.windowBytes = windowBytes;
        this.windowMessages = windowMessages;
    }

    boolean hasBytes() {
        return head != null;
    }

    boolean atEnd() {
        return received == total && head == null;
    }

    boolean endKnown() {
        return total != UNKNOWN;
    }

    long received() {
        return received;
    }

    /** Bytes the application could read now. */
    long unread() {
        return received - consumed;
    }

    /** Takes the payload of a DATA message. Nothing in it is trusted: position and length are checked against the window. */
    void append(UcxMessage message, int length, long position) throws IOException {
        checkArrival(position, length);
        int done = 0;
        while (!discarding && done < length) {
            Slice slice = tailFor(length - done);
            int count = Math.min(slice.space(), length - done);
            message.copyTo(Frame.PAYLOAD_OFFSET + done, slice.memory, slice.base + slice.write, count);
            slice.write += count;
            done += count;
        }
        arrived(length);
    }

    /** Counts bytes as read that nobody will read: urgent ones, where they are not wanted. */
    void skip(int length, long position) throws IOException {
        checkArrival(position, length);
        arrived(length);
        if (!discarding) {
            consumed += length;
        }
    }

    private void checkArrival(long position, int length) throws IOException {
        if (position != received) {
            throw new IOException("Bytes at " + position + " arrived where " + received + " was expected");
        }
        if (received - consumed + length > windowBytes || total != UNKNOWN && received + length > total) {
            throw new IOException("The peer sent more than it may");
        }
    }

    private void arrived(int length) {
        received += length;
        messages++;
        if (discarding) {
            consumed = received;
        }
    }

    /** Whether closing now leaves bytes of the peer unread. */
    boolean leavesUnread() {
        return unread() > 0;
    }

    private Slice tailFor(int expected) throws IOException {
        if (tail == null || tail.space() == 0) {
            // Behind a first slice that filled up more follows: the second one is large.
            Slice slice = slices.take(tail == null ? expected : SlicePool.LARGE_BYTES);
            if (tail == null) {
                head = slice;
            } else {
                tail.next = slice;
            }
            tail = slice;
        }
        return tail;
    }

    /** Moves bytes from slices into the buffers; returns how many. */
    long read(ByteBuffer[] targets, int offset, int length) {
        long count = 0;
        for (int i = offset; i < offset + length && head != null; i++) {
            count += read(targets[i]);
        }
        return count;
    }

    private int read(ByteBuffer target) {
        int limit = target.limit();
        int start = target.position();
        int position = start;
        while (head != null && position < limit) {
            Slice slice = head;
            int count = Math.min(slice.readable(), limit - position);
            target.put(position, slice.buffer, slice.base + slice.read, count);
            slice.read += count;
            position += count;
            if (slice.read == slice.write) {
                dropHead();
            }
        }
        target.position(position);
        consumed += position - start;
        return position - start;
    }

    private void dropHead() {
        Slice slice = head;
        head = slice.next;
        if (head == null) {
            tail = null;
        }
        slices.give(slice);
    }

    /** From now on arriving bytes count as read and are thrown away: nobody reads any more. */
    void discard() {
        discarding = true;
        consumed = received;
        while (head != null) {
            dropHead();
        }
    }

    /**
     * Notes the length of the stream.
     *
     * @throws IOException when it contradicts what arrived or was said before
     */
    void end(long length) throws IOException {
        if (length < received || total != UNKNOWN && total != length) {
            throw new IOException("End of stream at " + length + " after " + received + " bytes");
        }
        total = length;
    }

    /** Whether the peer should hear how far the application has got: half of a window is used up. */
    boolean acknowledgementDue() {
        return consumed - consumedTold >= windowBytes >> 1 || messages - messagesTold >= windowMessages >> 1;
    }

    long consumed() {
        return consumed;
    }

    long messages() {
        return messages;
    }

    void acknowledged() {
        consumedTold = consumed;
        messagesTold = messages;
    }
}
