package org.ucxnio.channel;

import java.io.IOException;
import java.net.InetSocketAddress;

/** Where the connections of a server channel come in. The channel serialises its accepts. */
interface Door {

    /** The kernel's listener is bound and listens. */
    void bound(InetSocketAddress local, int backlog, Integer receiveBuffer);

    /** Gives up a port that the application wants for itself, and we hold; false where we do not. */
    boolean yieldPort(int port);

    /** The next connection; null where there is none now. */
    UcxSocketChannel acceptNow() throws IOException;

    /**
     * Waits for a connection.
     *
     * @param timeoutNanos how long at most; 0 for no bound
     * @return null where the time is over
     */
    UcxSocketChannel acceptWaiting(long timeoutNanos) throws IOException;

    /** The channel's blocking mode has changed. */
    void configureBlocking(boolean block) throws IOException;

    /** Whether there are connections that the kernel does not know. */
    boolean isAcceptable();

    /** The size of the receive buffers that connections inherit has changed, in bytes. */
    void receiveBuffer(int bytes) throws IOException;

    void close() throws IOException;
}
