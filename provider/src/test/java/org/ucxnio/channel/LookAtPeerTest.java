package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread looks again and again whether the peer of a connection is gone whose input comes over messages. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LookAtPeerTest {
    /** The own end has to come between two instructions of a look. */
    private static final int ROUNDS = 300;

    private final AtomicReference<KernelStream> looked = new AtomicReference<>();
    private final Thread looker = new Thread(this::look, "looker");
    private volatile long looks;
    private volatile boolean over;

    private void look() {
        while (!over) {
            KernelStream stream = looked.get();
            if (stream != null) {
                stream.lookAtPeer();
                looks++;
            }
        }
    }

    @BeforeEach
    void start() {
        looker.start();
    }

    @AfterEach
    void end() throws Exception {
        over = true;
        looker.join();
    }

    private void awaitLooks() {
        long enough = looks + 2;
        while (looks < enough) {
            assertThat(looker.isAlive()).as("looker").isTrue();
            Thread.onSpinWait();
        }
    }

    private static KernelStream moved(ChannelPair pair) throws Exception {
        pair.pairUpstream();
        pair.client.write(ByteBuffer.allocate(1));
        assertThat(pair.server.read(ByteBuffer.allocate(1))).isEqualTo(1);
        KernelStream stream = (KernelStream) pair.serverEnd;
        assertThat(stream.hasMoved()).isTrue();
        return stream;
    }

    @Test
    void shouldNotTakeTheOwnEndOfOutputForThePeers() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (ChannelPair pair = new ChannelPair(TestMessages.instance())) {
                KernelStream stream = moved(pair);
                looked.set(stream);
                awaitLooks();
                pair.server.shutdownOutput();
                awaitLooks();
                looked.set(null);
                assertThat(stream.tokens().isEnded()).as("round %d", round).isFalse();
            }
        }
    }

    @Test
    void shouldSeeThatThePeerIsGone() throws Exception {
        try (ChannelPair pair = new ChannelPair(TestMessages.instance())) {
            KernelStream stream = moved(pair);
            pair.client.close();
            looked.set(stream);
            Awaitility.await().until(stream.tokens()::isEnded);
            looked.set(null);
        }
    }

    /** The kernel's state tells of two ends here, of which one is the own. */
    @Test
    void shouldSeeThatThePeerIsGoneBehindTheOwnEndOfOutput() throws Exception {
        try (ChannelPair pair = new ChannelPair(TestMessages.instance())) {
            KernelStream stream = moved(pair);
            pair.server.shutdownOutput();
            looked.set(stream);
            awaitLooks();
            assertThat(stream.tokens().isEnded()).isFalse();
            // A process that dies says nothing on the link.
            ((KernelStream) pair.clientEnd).onBroken();
            Awaitility.await().until(stream.tokens()::isEnded);
            looked.set(null);
        }
    }
}
