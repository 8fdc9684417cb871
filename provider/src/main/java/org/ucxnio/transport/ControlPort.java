package org.ucxnio.transport;

import java.nio.ByteBuffer;

/**
 * What a connection says to its peer over the control connection. Thread-safe; never blocks; a broken control connection
 * swallows what is sent and reports itself through {@link Connection#onControlClosed}.
 */
public interface ControlPort {

    /** Tells the peer where this side receives: its worker's address and the connection's id there. */
    void sendBound(byte[] workerAddress, int connectionId);

    /** Sends stream bytes where UCX cannot carry them (the peer has not said where it receives). */
    void sendData(ByteBuffer bytes);

    /** The same for a byte of urgent data. */
    default void sendUrgent(ByteBuffer oneByte) {
        sendData(oneByte);
    }

    /** The stream ends after {@code totalBytes}. */
    void sendFin(long totalBytes);

    /** This process ends; should nothing else follow, the stream ends after {@code totalBytes}. */
    void sendExit(long totalBytes);

    /** Runs {@code then}, on whatever thread, after everything that the peer has said until now has been handed on. */
    void confirm(Runnable then);

    /** Breaks the connection off; the socket stays open here, for its options, until {@link #close}. */
    void abort();

    /** Closes once what was sent has left. Idempotent. */
    void close();
}
