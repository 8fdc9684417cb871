package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A channel with room for what is written says so to each selection, also to one that goes on while the channel moves. */
@Timeout(60)
class WritableAllAlongTest {
    private static final int ROUNDS = 300;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldBeWritableWhileItMoves(boolean overMessages) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (ChannelPair pair = new ChannelPair(overMessages ? TestMessages.instance() : null);
                    Selector selector = pair.openSelector()) {
                pair.client.configureBlocking(false);
                pair.client.register(selector, SelectionKey.OP_WRITE);
                assertWritable(selector, round);
                FutureTask<Void> move = new FutureTask<>(() -> {
                    pair.pair();
                    return null;
                });
                Thread.ofPlatform().start(move);
                while (!move.isDone()) {
                    assertWritable(selector, round);
                }
                move.get();
                assertWritable(selector, round);
            }
        }
    }

    private static void assertWritable(Selector selector, int round) throws Exception {
        selector.selectedKeys().clear();
        assertThat(selector.selectNow()).as("round %d", round).isEqualTo(1);
    }
}
