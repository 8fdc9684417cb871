package org.ucxnio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;

/** The application's writes to a connection: as much as the window allows, or a small buffer at once. One at a time. */
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

    /**
     * As {@link Connection#writeAtOnce}. Who has taken {@code writers} and waits for the worker's lock finds the whole of this write in
     * front of its own; who has taken it before is seen here.
     */
    int writeAtOnce(ByteBuffer source, ReentrantLock writers) {
        TransportWorker worker = connection.worker();
        worker.lock();
        try {
            if (writers.isLocked() || !connection.isWritable()) {
                return 0;
            }
            int count = send.writeAtOnce(source);
            worker.countSent(count);
            return count;
        } catch (IOException e) {
            connection.fail(e.getMessage());
            return 0;
        } finally {
            worker.unlock();
        }
    }
}
