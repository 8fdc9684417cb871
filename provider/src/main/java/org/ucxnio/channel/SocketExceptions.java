package org.ucxnio.channel;

import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;

/** What the socket views of channels throw where a channel throws something that users of sockets do not expect. */
final class SocketExceptions {
    private static final String CLOSED = "Socket is closed";

    private SocketExceptions() {}

    static SocketException closed() {
        return new SocketException(CLOSED);
    }

    /** For calls that let I/O errors of a channel through: what else it throws. An exception without a counterpart is returned as it is. */
    static Exception of(RuntimeException cause) {
        String text = text(cause);
        return text == null ? cause : (Exception) new SocketException(text).initCause(cause);
    }

    private static String text(RuntimeException cause) {
        if (cause instanceof NotYetConnectedException) {
            return "Socket is not connected";
        }
        if (cause instanceof AlreadyConnectedException) {
            return "Already connected";
        }
        if (cause instanceof AlreadyBoundException) {
            return "Already bound";
        }
        if (cause instanceof NotYetBoundException) {
            return "Socket is not bound yet";
        }
        if (cause instanceof UnsupportedAddressTypeException) {
            return "Unsupported address type";
        }
        return cause instanceof UnresolvedAddressException ? "Unresolved address" : null;
    }

    /** For calls that may throw nothing but socket exceptions: getting and setting options. */
    static SocketException of(IOException cause) {
        if (cause instanceof SocketException same) {
            return same;
        }
        String text = cause instanceof ClosedChannelException ? CLOSED : cause.getMessage();
        return (SocketException) new SocketException(text).initCause(cause);
    }

    /** A call on a channel. */
    interface Call<T> {
        T run() throws IOException;
    }

    /** Makes a call of the first kind. */
    static <T> T translating(Call<T> call) throws IOException {
        try {
            return call.run();
        } catch (RuntimeException e) {
            Exception mine = of(e);
            if (mine instanceof IOException io) {
                throw io;
            }
            throw e;
        }
    }
}
