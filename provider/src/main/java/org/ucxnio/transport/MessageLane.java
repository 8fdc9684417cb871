package org.ucxnio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.ucxnio.link.Carried;
import org.ucxnio.link.Driver;
import org.ucxnio.link.Lane;
import org.ucxnio.link.Medium;
import org.ucxnio.link.Sink;
import org.ucxnio.link.Source;

/**
 * A connection over UCX. In messages it is {@code id:4 length:2 address}: the connection's number at the worker that receives for it, and
 * that worker's address.
 */
final class MessageLane implements Lane {
    private static final int MAX_ADDRESS = 3072;

    private final Connection connection;

    MessageLane(Connection connection) {
        this.connection = connection;
    }

    @Override
    public Medium medium() {
        return Medium.UCX;
    }

    @Override
    public Driver driver() {
        return connection.worker();
    }

    @Override
    public void describe(ByteBuffer message) {
        byte[] address = connection.worker().address();
        message.putInt(connection.localId()).putShort((short) address.length).put(address);
    }

    @Override
    public void join(ByteBuffer message) throws IOException {
        int id = message.getInt();
        int length = message.getShort() & 0xffff;
        if (length == 0 || length > MAX_ADDRESS) {
            throw new IOException("the peer sent an address of " + length + " bytes");
        }
        byte[] address = new byte[length];
        message.get(address);
        connection.reach(address, id);
    }

    @Override
    public Source source(Carried carried) {
        return connection.source(carried);
    }

    @Override
    public Sink sink(Carried carried) {
        return connection.sink(carried);
    }

    @Override
    public void free() {
        connection.abandon();
    }

    @Override
    public void retire() {
        connection.sinkEnded();
    }
}
