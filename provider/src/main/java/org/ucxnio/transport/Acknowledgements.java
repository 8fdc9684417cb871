package org.ucxnio.transport;

import java.io.IOException;

/** Tells the peer how far the application has read, so that it may send more. Guarded by the worker's lock. */
final class Acknowledgements {
    private final Connection connection;
    private final ReceiveSide receive;

    Acknowledgements(Connection connection, ReceiveSide receive) {
        this.connection = connection;
        this.receive = receive;
    }

    /** Sends one where it is due and the way is known. */
    void sendIfDue() throws IOException {
        if (receive.acknowledgementDue() && connection.linkReady() && connection.isPeerThere()) {
            send();
            receive.acknowledged();
        }
    }

    /** As {@link #sendIfDue}; what was read is the application's, even if the peer cannot be told. */
    void sendOrFail() {
        try {
            sendIfDue();
        } catch (IOException e) {
            connection.fail(e.getMessage());
        }
    }

    private void send() throws IOException {
        int length = Frame.HEADER_LENGTH + Frame.ACK_PAYLOAD_LENGTH;
        Slice slice = connection.worker().scratch(length);
        int at = slice.base + slice.write;
        slice.buffer.putInt(at + Frame.CONNECTION_OFFSET, connection.remoteId());
        slice.buffer.putInt(at + Frame.TYPE_LENGTH_OFFSET, Frame.typeAndLength(Frame.ACK, Frame.ACK_PAYLOAD_LENGTH));
        slice.buffer.putLong(at + Frame.POSITION_OFFSET, receive.consumed());
        slice.buffer.putLong(at + Frame.PAYLOAD_OFFSET, receive.messages());
        connection.worker().sendUnowned(connection.link(), slice, at, length);
    }
}
