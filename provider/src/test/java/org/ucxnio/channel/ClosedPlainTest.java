package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.link.Lane;

/** Connections that are closed before they have moved: of either kind, whoever comes first. */
@Timeout(60)
class ClosedPlainTest {
    private final ExecutorService threads = Executors.newFixedThreadPool(2);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void shouldTakeNoLinkOnceClosed() throws Exception {
        try (ChannelPair pair = new ChannelPair()) {
            Lane[] lanes = pair.joinedRings();
            pair.server.close();
            assertThat(pair.serverEnd.hear(lanes[1])).isFalse();
            assertThat(pair.serverEnd.speak(lanes[1])).isFalse();
            assertThat(pair.client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            assertThat(pair.plainConnections.open()).isEqualTo(1);
        }
    }

    @Test
    void shouldSendBackWhoIsInACallOfTheKernel() throws Exception {
        try (ChannelPair pair = new ChannelPair()) {
            Future<Integer> read = WaitingCall.start(threads, () -> pair.server.read(ByteBuffer.allocate(10)));
            Future<Integer> write = WaitingCall.start(threads, () -> pair.server.write(ByteBuffer.allocate(16 << 20)));
            pair.server.close();
            assertThatThrownBy(() -> read.get(10, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(AsynchronousCloseException.class);
            // What the kernel had taken by then.
            assertThat(write.get(10, TimeUnit.SECONDS)).isBetween(1, (16 << 20) - 1);
        }
    }

    /** The peer that was heard learns that nobody reads any more; the one that was not is told so by the session. */
    @RepeatedTest(200)
    void shouldLeaveALinkThatItHasHeardOfMeanwhile() throws Exception {
        try (ChannelPair pair = new ChannelPair()) {
            Lane[] lanes = pair.joinedRings();
            assertThat(pair.clientEnd.hear(lanes[0])).isTrue();
            Future<?> close = threads.submit(() -> {
                pair.server.close();
                return null;
            });
            boolean heard = pair.serverEnd.hear(lanes[1]);
            close.get(10, TimeUnit.SECONDS);
            assertThat(pair.serverEnd.speak(lanes[1])).isFalse();
            if (heard) {
                pair.clientEnd.speak(lanes[0]);
            }
            assertThatThrownBy(() -> writeUntilItFails(pair)).isInstanceOf(IOException.class);
        }
    }

    private static void writeUntilItFails(ChannelPair pair) throws IOException {
        while (true) {
            pair.client.write(ByteBuffer.allocate(100));
        }
    }
}
