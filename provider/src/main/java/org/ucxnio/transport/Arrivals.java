package org.ucxnio.transport;

import java.io.IOException;
import org.ucxnio.ring.RingReader;
import org.ucxnio.ucx.UcxMessage;

/**
 * What the peer sends on a connection, as messages or as records of a ring: checked, and handed on. Whatever is not as it should be
 * breaks the connection, and no other. Guarded by the worker's lock.
 */
final class Arrivals {
    private final Connection connection;
    private final ReceiveSide receive;

    Arrivals(Connection connection, ReceiveSide receive) {
        this.connection = connection;
        this.receive = receive;
    }

    void onMessage(UcxMessage message, int typeAndLength) {
        try {
            int length = Frame.length(typeAndLength);
            long position = message.getLong(Frame.POSITION_OFFSET);
            switch (Frame.type(typeAndLength)) {
                case Frame.DATA -> onData(message, length, position, true);
                case Frame.URGENT -> onData(message, length, position, connection.takesUrgentInline());
                case Frame.ACK -> connection.onAcknowledgement(position, message.getLong(Frame.PAYLOAD_OFFSET));
                case Frame.FIN -> connection.ended(position);
                default -> throw new IOException("Unknown message type");
            }
        } catch (IOException | IndexOutOfBoundsException e) {
            connection.fail(e.getMessage());
        }
    }

    private void onData(UcxMessage message, int length, long position, boolean wanted) throws IOException {
        if (Frame.HEADER_LENGTH + length != message.length()) {
            throw new IOException("A message says a length that is not its own");
        }
        if (!connection.isFailed()) {
            if (wanted) {
                receive.append(message, length, position);
            } else {
                receive.skip(length, position);
            }
            arrived(length);
        }
    }

    private void arrived(int length) {
        connection.worker().countReceived(length);
        if (receive.acknowledgementDue()) {
            connection.worker().afterProgress(connection);
        }
        // What a read under way has taken needs no waking.
        if (receive.hasBytes()) {
            connection.readable();
        }
    }

    // -- rings -------------------------------------------------------------------------------------------------------

    /** Takes what is left of the current record of a ring. */
    void onRecord(InboundRing ring) {
        RingReader record = ring.reader;
        try {
            switch (record.kind()) {
                case Frame.DATA -> onData(ring, true);
                case Frame.URGENT -> onData(ring, connection.takesUrgentInline());
                case Frame.ACK ->
                    connection.onAcknowledgement(
                            longAt(record, 0, Frame.ACK_RECORD_LENGTH),
                            longAt(record, Long.BYTES, Frame.ACK_RECORD_LENGTH));
                case Frame.FIN -> connection.ended(longAt(record, 0, Frame.FIN_RECORD_LENGTH));
                default -> throw new IOException("Unknown record type");
            }
        } catch (IOException e) {
            connection.fail(e.getMessage());
        }
    }

    private static long longAt(RingReader record, int offset, int expectedLength) throws IOException {
        if (record.length() != expectedLength) {
            throw new IOException("A record has another length than its type");
        }
        return record.memory().getLong(record.payload() + offset);
    }

    private void onData(InboundRing ring, boolean wanted) throws IOException {
        if (!connection.isFailed()) {
            int length = ring.remaining();
            if (wanted) {
                receive.take(ring);
            } else {
                receive.skip(ring);
            }
            arrived(length);
        }
    }

    /** The current record of the ring, a large one, is for the read under way; it takes what it has room for. */
    void readRecord(InboundRing ring) {
        try {
            connection.worker().countReceived(receive.takeForRead(ring));
        } catch (IOException e) {
            ring.skip();
            connection.fail(e.getMessage());
        }
    }

    /** Whether a read is under way that has room. */
    boolean isReading() {
        return receive.isReading();
    }

    /** Lets the current record of the ring, which is for this connection, wait to be read; false where it may not. */
    boolean hold(InboundRing ring) {
        if (connection.isFailed() || !receive.canHold()) {
            return false;
        }
        receive.hold(ring);
        connection.readable();
        return true;
    }

    /** The ring whose record waited is no more. */
    void forgetHeld() {
        receive.hold(null);
    }
}
