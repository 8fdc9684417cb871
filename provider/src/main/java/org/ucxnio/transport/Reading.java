package org.ucxnio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The application's reads of a connection. For one thread at a time. */
final class Reading {
    private final Connection connection;
    private final ReceiveSide receive;
    private final Acknowledgements acknowledgements;
    private final Waiting waiting;

    Reading(Connection connection, ReceiveSide receive, Acknowledgements acknowledgements, Waiting waiting) {
        this.connection = connection;
        this.receive = receive;
        this.acknowledgements = acknowledgements;
        this.waiting = waiting;
    }

    /** Reads; where there is nothing, again and again as long as spinning may pay. */
    long spin(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        long count = readLocking(targets, offset, length);
        if (count != 0 || !waiting.beginSpin(timeoutNanos)) {
            return count;
        }
        try {
            do {
                count = readLocking(targets, offset, length);
            } while (count == 0 && waiting.mayGoOn() && waiting.again());
        } finally {
            waiting.endSpin(count != 0);
        }
        return count;
    }

    private long readLocking(ByteBuffer[] targets, int offset, int length) throws IOException {
        TransportWorker worker = connection.worker();
        worker.lock();
        try {
            return read(targets, offset, length);
        } finally {
            worker.unlock();
        }
    }

    /** With the worker's lock held: as {@link Connection#read}. */
    long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        long count = receive.read(targets, offset, length);
        if (count == 0) {
            connection.worker().progress();
            count = receive.read(targets, offset, length);
        }
        if (count == 0) {
            return connection.nothingToRead();
        }
        acknowledgements.sendOrFail();
        return count;
    }
}
