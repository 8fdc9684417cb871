package org.ucxnio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.ucxnio.ucx.UcsStatus;

/**
 * The bytes a connection was given to send: framed straight into the worker's scratch slice while UCX takes them at once,
 * otherwise into slices of the connection's own, packed, until UCX or the peer is ready. The peer's window bounds all of it.
 * Guarded by the worker's lock.
 */
final class SendSide {

    /** Messages of one connection that UCX may hold unfinished; what follows is packed into fewer, larger ones. */
    private static final int MAX_PENDING = 16;

    private static final long NOT_REQUESTED = -1;

    private final Connection connection;
    private final int windowBytes;
    private final int windowMessages;
    private final int maxPayload;

    private Slice head;
    private Slice tail;

    /** Position in {@link #tail} of the last frame, while it may still grow; otherwise -1. */
    private int openFrame = -1;

    private int openPayload;

    /** What frames are of that are made now: DATA, or URGENT for a moment. */
    private int frameType = Frame.DATA;

    /** Stream offset behind the last byte taken from the application. */
    private long accepted;

    private long acknowledgedBytes;
    private long messages;
    private long acknowledgedMessages;
    private int pending;

    /** The window was used up and less than half of it has been given back. */
    private boolean throttled;

    private long finAt = NOT_REQUESTED;
    private int finType;
    private boolean finSent;

    SendSide(Connection connection, Peer peer, int frameBytes) {
        this.connection = connection;
        this.windowBytes = peer.windowBytes();
        this.windowMessages = peer.windowMessages();
        this.maxPayload = frameBytes - Frame.HEADER_LENGTH;
    }

    long accepted() {
        return accepted;
    }

    boolean writable() {
        return !throttled;
    }

    boolean idle() {
        return head == null && pending == 0;
    }

    /** Everything incl. the end of stream has been taken over by UCX and may be forgotten. */
    boolean finished() {
        return finSent && idle();
    }

    /** Takes as much of the buffers as the window allows and moves their positions; returns how many bytes. */
    long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long before = accepted;
        int index = offset;
        int end = offset + length;
        while (index < end) {
            if (!sources[index].hasRemaining()) {
                index++;
                continue;
            }
            int budget = budget();
            if (budget <= 0) {
                throttled = true;
                break;
            }
            index = direct() ? sendFrame(sources, index, end, budget) : stageFrame(sources, index, end, budget);
        }
        return accepted - before;
    }

    /** As {@link #write}, one byte in an urgent frame of its own. */
    long writeUrgent(ByteBuffer[] oneByte) throws IOException {
        frameType = Frame.URGENT;
        openFrame = -1;
        try {
            return write(oneByte, 0, 1);
        } finally {
            frameType = Frame.DATA;
            openFrame = -1;
        }
    }

    private int budget() {
        if (throttled || messages - acknowledgedMessages >= windowMessages) {
            return 0;
        }
        return (int) Math.min(Integer.MAX_VALUE, windowBytes - (accepted - acknowledgedBytes));
    }

    private boolean direct() {
        return head == null && pending < MAX_PENDING && connection.linkReady();
    }

    private int sendFrame(ByteBuffer[] sources, int from, int end, int budget) throws IOException {
        TransportWorker worker = connection.worker();
        Slice slice = worker.scratch(Frame.HEADER_LENGTH + maxPayload);
        int start = slice.base + slice.write;
        int next = fill(sources, from, end, slice.buffer, start + Frame.PAYLOAD_OFFSET, Math.min(budget, maxPayload));
        int payload = filled;
        putHeader(slice.buffer, start, frameType, payload, accepted);
        accepted += payload;
        messages++;
        int slot = Frame.slotLength(payload);
        if (submit(slice, start, Frame.HEADER_LENGTH + payload) == UcsStatus.INPROGRESS) {
            slice.write += slot;
        }
        return next;
    }

    private int stageFrame(ByteBuffer[] sources, int from, int end, int budget) throws IOException {
        if (openFrame < 0 || openPayload >= maxPayload || room(tail) <= 0) {
            openFrame(Math.min(budget, remaining(sources, from, end)));
        }
        int start = tail.base + openFrame;
        int room = Math.min(Math.min(budget, maxPayload - openPayload), room(tail));
        int next = fill(sources, from, end, tail.buffer, start + Frame.PAYLOAD_OFFSET + openPayload, room);
        openPayload += filled;
        accepted += filled;
        tail.buffer.putInt(start + Frame.TYPE_LENGTH_OFFSET, Frame.typeAndLength(frameType, openPayload));
        tail.write = openFrame + Frame.slotLength(openPayload);
        return next;
    }

    private static int remaining(ByteBuffer[] sources, int from, int end) {
        long sum = 0;
        for (int i = from; i < end; i++) {
            sum += sources[i].remaining();
        }
        return (int) Math.min(sum, Integer.MAX_VALUE);
    }

    private int room(Slice slice) {
        return slice.capacity - openFrame - Frame.HEADER_LENGTH - openPayload;
    }

    private void openFrame(int expected) throws IOException {
        if (tail == null || tail.space() < Frame.slotLength(8)) {
            Slice slice = connection
                    .worker()
                    .slices()
                    .take(
                            head == null
                                    ? Frame.slotLength(Math.min(expected, SlicePool.LARGE_BYTES >> 1))
                                    : SlicePool.LARGE_BYTES);
            if (tail == null) {
                head = slice;
            } else {
                tail.next = slice;
            }
            tail = slice;
        }
        openFrame = tail.write;
        openPayload = 0;
        putHeader(tail.buffer, tail.base + openFrame, frameType, 0, accepted);
        tail.write = openFrame + Frame.HEADER_LENGTH;
        messages++;
    }

    /** Bytes moved by the last {@link #fill}. */
    private int filled;

    /** Copies up to {@code room} bytes from the buffers; returns the index of the first buffer that has bytes left. */
    private int fill(ByteBuffer[] sources, int from, int end, ByteBuffer target, int at, int room) {
        int index = from;
        int left = room;
        int position = at;
        while (index < end) {
            ByteBuffer source = sources[index];
            int start = source.position();
            int count = Math.min(source.limit() - start, left);
            Bytes.copy(source, start, target, position, count);
            source.position(start + count);
            position += count;
            left -= count;
            if (source.hasRemaining()) {
                break;
            }
            index++;
        }
        filled = room - left;
        return index;
    }

    private static void putHeader(ByteBuffer buffer, int at, int type, int payload, long position) {
        buffer.putInt(at + Frame.TYPE_LENGTH_OFFSET, Frame.typeAndLength(type, payload));
        buffer.putLong(at + Frame.POSITION_OFFSET, position);
    }

    private int submit(Slice slice, int at, int length) throws IOException {
        slice.buffer.putInt(at + Frame.CONNECTION_OFFSET, connection.remoteId());
        int status = connection.worker().send(connection.link(), connection.localId(), slice, at, length);
        if (status == UcsStatus.INPROGRESS) {
            pending++;
        } else if (status != UcsStatus.OK) {
            throw UcsStatus.toIOException("write", status, "");
        }
        return status;
    }

    /** Hands staged frames to UCX, as many as may be pending, and then the end of stream. */
    void flush() throws IOException {
        if (!connection.linkReady()) {
            return;
        }
        while (head != null && pending < MAX_PENDING) {
            Slice slice = head;
            if (slice.read == slice.write) {
                detachHead();
                continue;
            }
            int start = slice.base + slice.read;
            int payload = Frame.length(slice.buffer.getInt(start + Frame.TYPE_LENGTH_OFFSET));
            slice.read += Frame.slotLength(payload);
            submit(slice, start, Frame.HEADER_LENGTH + payload);
        }
        if (head != null && head.read == head.write) {
            detachHead();
        }
        sendFin();
    }

    private void detachHead() {
        Slice slice = head;
        head = slice.next;
        if (head == null) {
            tail = null;
            openFrame = -1;
        }
        slice.next = null;
        slice.detached = true;
        if (slice.pending == 0) {
            connection.worker().slices().give(slice);
        }
    }

    private void sendFin() throws IOException {
        if (finAt == NOT_REQUESTED || finSent || head != null) {
            return;
        }
        Slice slice = connection.worker().scratch(Frame.HEADER_LENGTH);
        int start = slice.base + slice.write;
        putHeader(slice.buffer, start, finType, 0, finAt);
        finSent = true;
        if (submit(slice, start, Frame.HEADER_LENGTH) == UcsStatus.INPROGRESS) {
            slice.write += Frame.slotLength(0);
        }
    }

    /**
     * The stream ends behind what was accepted so far.
     *
     * @param type FIN or RESET
     */
    void requestEnd(int type) throws IOException {
        if (finAt == NOT_REQUESTED) {
            finAt = accepted;
            finType = type;
            flush();
        }
    }

    /** A message that was pending is done; {@link #flush} follows when UCX has been left. */
    void completed() {
        pending--;
    }

    /**
     * The peer says how far it has got. Values that go backwards or beyond what was sent are a lie and an error.
     *
     * @return whether the channel became writable by it
     */
    boolean acknowledge(long bytes, long messageCount) throws IOException {
        if (bytes < acknowledgedBytes
                || bytes > accepted
                || messageCount < acknowledgedMessages
                || messageCount > messages) {
            throw new IOException("The peer confirmed what was never sent");
        }
        acknowledgedBytes = bytes;
        acknowledgedMessages = messageCount;
        if (throttled && accepted - bytes <= windowBytes >> 1 && messages - messageCount <= windowMessages >> 1) {
            throttled = false;
            return true;
        }
        return false;
    }

    /** Forgets what was staged; the connection is broken. */
    void discard() {
        while (head != null) {
            head.read = head.write;
            detachHead();
        }
        throttled = false;
    }
}
