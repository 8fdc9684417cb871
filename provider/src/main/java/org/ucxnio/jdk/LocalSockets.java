package org.ucxnio.jdk;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Listening Unix-domain sockets. The JDK's native code asks for the path of such a socket behind {@code bind} and {@code accept}, and copies
 * it into an array without a look at whether there was memory for it ({@code sockaddrToUnixAddressBytes} of
 * {@code UnixDomainSockets.c}, JDK 16 to 25): in a full heap that ends the process. So these calls fail in Java code where there is little memory
 * left. That others take all of it between the look and the call cannot be excluded, only made improbable. Thread-safe.
 */
public final class LocalSockets {
    /** Much more than the calls need, and than other threads allocate meanwhile. No large object for any collector. */
    private static final int ROOM_BYTES = 256 << 10;

    /** Written, so that no compiler leaves the allocation out. */
    private static volatile byte[] room;

    private LocalSockets() {}

    /**
     * See {@link ServerSocketChannel#bind(SocketAddress, int)}.
     *
     * @throws OutOfMemoryError where memory is scarce
     */
    public static void bind(ServerSocketChannel listener, SocketAddress path, int backlog) throws IOException {
        requireRoom();
        listener.bind(path, backlog);
    }

    /**
     * Accepts a connection that has come, or none.
     *
     * @param listener does not block: the look at the memory must be a moment ago
     * @throws OutOfMemoryError where memory is scarce; the connection stays
     */
    public static SocketChannel accept(ServerSocketChannel listener) throws IOException {
        if (listener.isBlocking()) {
            throw new IllegalArgumentException(listener + " blocks");
        }
        requireRoom();
        return listener.accept();
    }

    private static void requireRoom() {
        room = new byte[ROOM_BYTES];
        room = null;
    }
}
