package org.ucxnio.channel;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.ucxnio.connect.Accepted;

/** How a connect ended. Set once, under the channel's state lock (or by the connecting thread alone); {@link #isDone} is free. */
final class ConnectOutcome {
    private Accepted accelerated;
    private SocketChannel plainSocket;
    private String plainReason;
    private IOException failure;
    private volatile boolean done;

    void accelerated(Accepted connection) {
        accelerated = connection;
        done = true;
    }

    void plain(SocketChannel connected, String reason) {
        plainSocket = connected;
        plainReason = reason;
        done = true;
    }

    void failed(IOException cause) {
        failure = cause;
        done = true;
    }

    boolean isDone() {
        return done;
    }

    Accepted accelerated() {
        return accelerated;
    }

    SocketChannel plainSocket() {
        return plainSocket;
    }

    String plainReason() {
        return plainReason;
    }

    IOException failure() {
        return failure;
    }

    /** Closes what came too late. */
    synchronized void discard() throws UncheckedCloseException {
        if (accelerated != null) {
            accelerated.connection().close();
            accelerated = null;
        }
        if (plainSocket != null) {
            try {
                plainSocket.close();
            } catch (IOException e) {
                throw new UncheckedCloseException(e);
            }
            plainSocket = null;
        }
    }

    /** Closing a socket nobody has used yet failed. */
    static final class UncheckedCloseException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UncheckedCloseException(IOException cause) {
            super(cause);
        }
    }
}
