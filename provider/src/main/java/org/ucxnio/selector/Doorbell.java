package org.ucxnio.selector;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.Descriptors;
import org.ucxnio.link.Bell;

/**
 * The pipe that a selector sleeps on for its rings, beside the sockets of their connections: whoever writes to a ring that waits for it puts
 * a byte into the pipe. A byte over the socket costs both processes three times as much. Owned by the selecting thread.
 */
final class Doorbell implements Closeable {
    private static final int DRAIN_BYTES = 64;

    private final Pipe pipe;
    private final SelectionKey key;
    private final Bell bell;
    private final ByteBuffer drained = ByteBuffer.allocateDirect(DRAIN_BYTES);

    private Doorbell(Pipe pipe, SelectionKey key, Bell bell) {
        this.pipe = pipe;
        this.key = key;
        this.bell = bell;
    }

    /** One that the selector watches; null where there can be none, as without descriptors. */
    static Doorbell open(Selector inner) {
        Pipe pipe = null;
        try {
            pipe = inner.provider().openPipe();
            pipe.source().configureBlocking(false);
            Bell bell = Bell.of(Descriptors.of(pipe.sink()));
            return new Doorbell(pipe, pipe.source().register(inner, SelectionKey.OP_READ), bell);
        } catch (IOException | RuntimeException e) {
            Log.debug("A selector has no bell: " + e);
            close(pipe);
            return null;
        }
    }

    Bell bell() {
        return bell;
    }

    /** Whether that is the key by which the inner selector tells of the bell. */
    boolean is(SelectionKey inner) {
        return key == inner;
    }

    /** Takes in what has come. */
    void drain() throws IOException {
        int count = DRAIN_BYTES;
        while (count == DRAIN_BYTES) {
            count = pipe.source().read(drained.clear());
        }
    }

    @Override
    public void close() {
        close(pipe);
    }

    private static void close(Pipe pipe) {
        if (pipe != null) {
            try {
                pipe.sink().close();
                pipe.source().close();
            } catch (IOException e) {
                Log.debug("A bell is left open: " + e);
            }
        }
    }
}
