package org.ucxnio.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntConsumer;

/** A way to carry connections between this process and others. Thread-safe. */
public interface Carrier {
    int KIND_RINGS = 1;
    int KIND_UCX = 2;

    /** Which it is: both ends of a session have to have the same. */
    int kind();

    /** Puts what a peer has to know of this process into a hello. */
    void introduce(ByteBuffer hello);

    /**
     * The peer has said hello.
     *
     * @param hello what the peer's carrier put there, to be read to its end; checked here, whatever it is
     * @param onThisHost whether the kernel vouches for a process of this user on this host
     * @param notes sends the peer's bond a number; any thread may call it
     * @throws IOException with one line that says why connections with this peer cannot be carried
     */
    Bond join(ByteBuffer hello, boolean onThisHost, IntConsumer notes) throws IOException;

    /** What two processes share as long as their session goes on. Thread-safe. */
    interface Bond {
        /**
         * A lane for one connection.
         *
         * @param home where the connection lives; null for a connection of its own
         * @throws IOException where there is no memory for it, or the process holds as much as it may
         */
        Lane open(Home home) throws IOException;

        /** Threads of this process are going to sleep for bytes, in a while: has loaded here and at the peer what that is done with. */
        default void expectSleepers() {}

        /** A number that the peer's bond has sent. */
        void onNote(int number) throws IOException;

        /** Whether connections that were closed here have still something to send. */
        boolean isDraining();

        /** The session is over. */
        void end();
    }
}
