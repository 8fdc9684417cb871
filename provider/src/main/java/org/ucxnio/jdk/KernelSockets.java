package org.ucxnio.jdk;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.ucxnio.counters.Log;
import org.ucxnio.posix.Futex;
import org.ucxnio.posix.Posix;

/** What the kernel tells of TCP sockets, and its way to sleep on memory. Loads native code at the first call. Thread-safe. */
public final class KernelSockets {
    /** Null before the first use, and where there is none. */
    private static volatile Futex futex;

    private KernelSockets() {}

    /** Sleeping on words of shared memory; null where there is no native code. */
    public static Futex futex() {
        Futex known = futex;
        if (known == null && Natives.posix() != null) {
            known = Natives.posix().futex();
            futex = known;
        }
        return known;
    }

    /** Makes each call once, for nothing; false where there is no native code. */
    public static boolean load() {
        Posix posix = Natives.posix();
        if (posix == null) {
            return false;
        }
        posix.isEstablished(-1);
        posix.unconfirmedBytes(-1);
        posix.unreadBytes(-1);
        return futex() != null;
    }

    /** Why the kernel cannot be asked, or null where it can. */
    public static String unavailable() {
        return Natives.unavailable();
    }

    /** Whether the kernel has the connection as established at this moment; false where it cannot be asked. */
    public static boolean isEstablished(SocketChannel socket) {
        Posix posix = Natives.posix();
        try {
            return posix != null && socket.isOpen() && posix.isEstablished(Descriptors.of(socket));
        } catch (IOException e) {
            Log.debug("The state of a connection is unknown: " + e.getMessage());
            return false;
        }
    }

    /** Bytes that the peer's kernel has not confirmed; {@link Integer#MAX_VALUE} where it cannot be asked. */
    public static int unconfirmedBytes(SocketChannel socket) {
        Posix posix = Natives.posix();
        try {
            return posix == null ? Integer.MAX_VALUE : posix.unconfirmedBytes(Descriptors.of(socket));
        } catch (IOException e) {
            return Integer.MAX_VALUE;
        }
    }

    /** Bytes that the socket has received and nobody has read, also where its input was shut down; 0 where it cannot be asked. */
    public static int unreadBytes(SocketChannel socket) {
        Posix posix = Natives.posix();
        try {
            return posix == null ? 0 : posix.unreadBytes(Descriptors.of(socket));
        } catch (IOException e) {
            return 0;
        }
    }
}
