package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.link.Lane;

/** One direction is in a ring, and its writer closes while the peer writes the other one over TCP. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosedUnderFireTest {
    private static final int MESSAGE = 1000;
    private static final int ROUNDS = 20;

    /** More than once: the token has to be unconfirmed as the end closes, and is so in one case of three. */
    @RepeatedTest(value = 30, failureThreshold = 1)
    void shouldTellThePeerThatWritesOnAndOn() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            haveConfirmationsDelayed(pair);
            moveDownstreamAlone(pair);
            exchange(pair.server, pair.client);

            pair.server.close();
            assertThatThrownBy(() -> {
                        while (true) {
                            pair.client.write(ByteBuffer.allocate(MESSAGE));
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching("Broken pipe|Connection reset.*");
        }
    }

    /** The end that closes waits for the confirmation of its token. The kernel delays those of a side that answers. */
    private static void haveConfirmationsDelayed(ChannelPair pair) throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            exchange(pair.server, pair.client);
            exchange(pair.client, pair.server);
        }
    }

    private static void exchange(SocketChannel from, SocketChannel to) throws IOException {
        from.write(ByteBuffer.allocate(1));
        assertThat(to.read(ByteBuffer.allocate(1))).isEqualTo(1);
    }

    /** The client may switch as well, and does not. */
    private static void moveDownstreamAlone(ChannelPair pair) throws IOException {
        Lane[] lanes = pair.joinedRings();
        assertThat(pair.serverEnd.hear(lanes[1])).isTrue();
        assertThat(pair.clientEnd.hear(lanes[0])).isTrue();
        assertThat(pair.serverEnd.speak(lanes[1])).isTrue();
    }
}
