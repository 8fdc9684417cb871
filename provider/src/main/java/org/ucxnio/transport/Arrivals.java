package org.ucxnio.transport;

import java.io.IOException;
import org.ucxnio.ucx.UcxMessage;

/**
 * What the peer sends on a connection: checked, and handed on. Whatever is not as it should be
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
        if (receive.hasBytes()) {
            connection.readable();
        }
    }
}
