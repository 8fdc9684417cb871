package org.ucxnio.channel;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.ucxnio.counters.Log;
import org.ucxnio.link.Tokens;
import org.ucxnio.session.Movable;
import org.ucxnio.stream.Inbound;
import org.ucxnio.stream.Outbound;

/**
 * What becomes of a connection whose link has failed. What was under way there is lost: a stream that has left TCP is broken, and the
 * connection with it. Where neither has, TCP has everything, and the connection goes on there. But the peer's stream may have left TCP
 * while the link that was to tell of it failed. That is settled by the session: a process that ends says where its stream leaves TCP and goes
 * only once this is known, so where the session is over the peer's stream has not left TCP. As a rule it ends at once, since a link
 * fails when the process at the other end does; where it goes on, nobody knows what is lost.
 */
final class LostLink {
    private static final String FAILED = "the way to the peer failed before it was used";

    /** The longest pause between two looks whether the session goes on, and half of the time that is waited in all. */
    private static final int MAX_DELAY_MILLIS = 1 << 9;

    private final Movable stream;
    private final Tokens tokens;
    private final Runnable broken;
    private final SocketChannel kernel;
    private final Inbound in;
    private final Outbound out;

    /** @param broken tells those who wait that the connection is broken */
    LostLink(Movable stream, SocketChannel kernel, Inbound in, Outbound out, Tokens tokens, Runnable broken) {
        this.stream = stream;
        this.tokens = tokens;
        this.broken = broken;
        this.kernel = kernel;
        this.in = in;
        this.out = out;
    }

    /** Any thread. */
    void look() {
        look(1);
    }

    private void look(int delayMillis) {
        if (!out.stayInKernel() || !peerStaysInKernel(delayMillis)) {
            breakOff();
        }
    }

    /** Whether the peer's stream stays, or that is not known yet. */
    private boolean peerStaysInKernel(int delayMillis) {
        if (in.isSessionAlive() && !in.isLinked()) {
            return delayMillis <= MAX_DELAY_MILLIS && Nudges.later(delayMillis, () -> look(2 * delayMillis));
        }
        boolean stays = in.stayInKernel();
        if (stays) {
            stream.staysPlain(FAILED);
        }
        return stays;
    }

    private void breakOff() {
        tokens.endByReset();
        try {
            kernel.shutdownOutput();
            kernel.shutdownInput();
        } catch (IOException e) {
            Log.debug("A broken connection was closed already: " + e.getMessage());
        }
        broken.run();
    }
}
