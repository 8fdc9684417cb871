package org.ucxnio.jdk;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.function.Predicate;
import org.ucxnio.counters.Log;
import org.ucxnio.posix.KernelCalls;
import org.ucxnio.posix.TcpState;

/** What the kernel tells of TCP sockets. Thread-safe. */
public final class KernelSockets {
    /**
     * So many questions for {@link #unconfirmedBytes} are worth native functions, which get the answer of the one socket instead of reading
     * a table of all.
     */
    private static final int MANY_QUESTIONS = 64;

    private static final SteadyDemand QUESTIONS = new SteadyDemand(MANY_QUESTIONS);

    /** {@link #hasRoom}, as an object. */
    public static final Predicate<SocketChannel> HAS_ROOM = new HasRoom();

    /** No lambda: the first ones of a process cost milliseconds, and this is made with its first connection. */
    private static final class HasRoom implements Predicate<SocketChannel> {
        @Override
        public boolean test(SocketChannel socket) {
            return hasRoom(socket);
        }
    }

    private KernelSockets() {}

    /** Makes each call once, for nothing; false where nobody can. */
    public static boolean load() {
        KernelCalls calls = Natives.calls();
        if (calls == null) {
            return false;
        }
        calls.tcpState(-1);
        calls.unconfirmedBytes(-1);
        calls.unreadBytes(-1);
        calls.hasRoom(-1);
        ForeignFunctions.futex();
        return true;
    }

    /** Why the kernel cannot be asked, or null where it can. */
    public static String unavailable() {
        return Natives.unavailable();
    }

    /** Whether the kernel has the connection as established at this moment; false where it cannot be asked. */
    public static boolean isEstablished(SocketChannel socket) {
        return state(socket) == TcpState.ESTABLISHED;
    }

    /**
     * Whether the peer has ended or reset the connection, or nobody can tell: this side's end of output alone does not count. The peer may
     * have ended its output only, and read on.
     */
    public static boolean isPeerAtEnd(SocketChannel socket) {
        return TcpState.isPeerAtEnd(state(socket));
    }

    /** 0 where there is no connection, or the kernel cannot be asked. */
    private static int state(SocketChannel socket) {
        KernelCalls calls = Natives.calls();
        try {
            return calls != null && socket.isOpen() ? calls.tcpState(Descriptors.of(socket)) : 0;
        } catch (IOException e) {
            Log.debug("The state of a connection is unknown: " + e.getMessage());
            return 0;
        }
    }

    /** Bytes that the peer's kernel has not confirmed; {@link Integer#MAX_VALUE} where it cannot be asked. */
    public static int unconfirmedBytes(SocketChannel socket) {
        KernelCalls calls = Natives.calls();
        if (QUESTIONS.isWorthIt(System.nanoTime())) {
            ForeignFunctions.load(null);
        }
        try {
            return calls == null ? Integer.MAX_VALUE : calls.unconfirmedBytes(Descriptors.of(socket));
        } catch (IOException e) {
            return Integer.MAX_VALUE;
        }
    }

    /** Whether a write of a byte would not wait for room: there is some, or it would fail. False where it cannot be asked. */
    public static boolean hasRoom(SocketChannel socket) {
        KernelCalls calls = Natives.calls();
        try {
            return !socket.isOpen() || calls != null && calls.hasRoom(Descriptors.of(socket));
        } catch (IOException e) {
            return false;
        }
    }

    /** Bytes that the socket has received and nobody has read, also where its input was shut down; 0 where it cannot be asked. */
    public static int unreadBytes(SocketChannel socket) {
        KernelCalls calls = Natives.calls();
        try {
            return calls == null ? 0 : calls.unreadBytes(Descriptors.of(socket));
        } catch (IOException e) {
            return 0;
        }
    }
}
