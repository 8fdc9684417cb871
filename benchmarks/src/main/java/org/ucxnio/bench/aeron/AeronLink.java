package org.ucxnio.bench.aeron;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import java.io.IOException;
import org.agrona.DirectBuffer;

/** One end of a pair: a stream to the peer and one from it, and a thread that never sleeps. */
final class AeronLink {
    private static final String IPC = "aeron:ipc";
    private static final int TO_SERVER = 1;
    private static final int TO_CLIENT = 2;
    private static final int FRAGMENTS = 16;

    private final ExclusivePublication out;
    private final Subscription in;

    private AeronLink(Aeron aeron, int outStream, int inStream) {
        in = aeron.addSubscription(IPC, inStream);
        out = aeron.addExclusivePublication(IPC, outStream);
    }

    static AeronLink ofServer(String directory) {
        return new AeronLink(connect(directory), TO_CLIENT, TO_SERVER);
    }

    static AeronLink ofClient(String directory) {
        return new AeronLink(connect(directory), TO_SERVER, TO_CLIENT);
    }

    private static Aeron connect(String directory) {
        return Aeron.connect(new Aeron.Context().aeronDirectoryName(directory));
    }

    /** Waits until both streams have the peer at their other end. */
    void awaitPeer() {
        while (!out.isConnected() || !in.isConnected()) {
            Thread.onSpinWait();
        }
    }

    /** Sends one message, however long it takes; an exception where the peer has left. */
    void send(DirectBuffer buffer, int offset, int length) throws IOException {
        long result = out.offer(buffer, offset, length);
        while (result < 0) {
            if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
                throw new IOException("the publication is over: " + result);
            }
            Thread.onSpinWait();
            result = out.offer(buffer, offset, length);
        }
    }

    /** Hands what has come to {@code handler}, in whole messages; returns how many fragments that were. */
    int poll(FragmentAssembler handler) {
        return in.poll(handler, FRAGMENTS);
    }

    /** A handler that gets messages whole, whatever fragments they came in. */
    static FragmentAssembler whole(FragmentHandler handler) {
        return new FragmentAssembler(handler);
    }
}
