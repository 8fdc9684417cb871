package org.ucxnio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The application's writes to a connection: as much as the window allows. One at a time. */
final class Writing {
    private final Connection connection;
    private final SendSide send;

    Writing(Connection connection, SendSide send) {
        this.connection = connection;
        this.send = send;
    }

    /** As {@link Connection#write}; a byte of its own where it is {@code urgent}. */
    long write(ByteBuffer[] sources, int offset, int length, boolean urgent) throws IOException {
        TransportWorker worker = connection.worker();
        worker.lock();
        try {
            connection.ensureWritable();
            long count = send(sources, offset, length, urgent);
            if (count == 0) {
                // What makes room again may have arrived already.
                worker.progress();
                connection.ensureWritable();
                count = send(sources, offset, length, urgent);
            }
            return count;
        } finally {
            worker.unlock();
        }
    }

    private long send(ByteBuffer[] sources, int offset, int length, boolean urgent) throws IOException {
        try {
            long count = urgent ? send.writeUrgent(sources) : send.write(sources, offset, length);
            connection.worker().countSent(count);
            connection.worker().attendIfPending();
            return count;
        } catch (IOException e) {
            connection.fail(e.getMessage());
            throw e;
        }
    }
}
