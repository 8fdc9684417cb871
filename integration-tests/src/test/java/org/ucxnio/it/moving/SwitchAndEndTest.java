package org.ucxnio.it.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChannelIo;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.Seeds;

/** A stream ends, well or not, before, at or right behind its switch from TCP to a ring; or somebody sends urgent data there. */
@Bounded
@ParameterizedClass
@EnumSource(names = {"JDK", "RINGS"})
class SwitchAndEndTest {
    @Parameter
    private Flavour flavour;

    private static final int ROUNDS = Integer.getInteger("ucxnio.it.switches", 12);
    private static final int LONGEST_DELAY_US = 8_000;

    /** Longer than a connection takes to move. */
    private static final int SETTLE_MS = 300;

    private static long readToEnd(SocketChannel channel, Stream stream) throws IOException {
        return stream.readToEnd(Style.BLOCKING.open(channel));
    }

    private static void write(SocketChannel channel, Stream stream, long count) throws IOException {
        stream.write(Style.BLOCKING.open(channel), count);
    }

    private static ChannelIo blocking(SocketChannel channel) throws IOException {
        return Style.BLOCKING.open(channel);
    }

    private static void pause(SplittableRandom random) throws InterruptedException {
        TimeUnit.MICROSECONDS.sleep(random.nextInt(LONGEST_DELAY_US));
    }

    // -- half-close --------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldHalfCloseBeforeItMoves(boolean isClient) throws Exception {
        try (Pair pair = Pair.connect(flavour)) {
            Stream up = new Stream(1);
            Stream down = new Stream(2);
            if (isClient) {
                write(pair.client(), up, 1000);
                pair.client().shutdownOutput();
                pair.accept();
            } else {
                write(pair.accept(), up, 1000);
                pair.server().shutdownOutput();
            }
            assertThat(readToEnd(pair.end(!isClient), up)).isEqualTo(1000);
            write(pair.end(!isClient), down, 100_000);
            TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
            Attempt<Long> reading = Attempt.start(() -> readToEnd(pair.end(isClient), down));
            write(pair.end(!isClient), down, 100_000);
            pair.end(!isClient).shutdownOutput();
            assertThat(reading.result()).isEqualTo(200_000);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldHalfCloseOnceItHasMoved(Style reader) throws Exception {
        for (boolean isClient : new boolean[] {true, false}) {
            try (Pair pair = Pair.moved(flavour)) {
                Stream up = new Stream(1);
                Stream down = new Stream(2);
                ChannelIo to = reader.open(pair.end(!isClient));
                Attempt<Long> reading = reader.start(() -> up.readToEnd(to));
                TimeUnit.MILLISECONDS.sleep(20);
                write(pair.end(isClient), up, isClient ? 0 : 1000);
                pair.end(isClient).shutdownOutput();
                assertThat(reading.result()).isEqualTo(isClient ? 0 : 1000);
                assertThatThrownBy(() -> pair.end(isClient).write(ByteBuffer.allocate(1)))
                        .isInstanceOf(java.nio.channels.ClosedChannelException.class);
                // The end of a stream stays, and the other direction goes on.
                assertThat(to.readSome(ByteBuffer.allocate(1))).isEqualTo(-1);
                Attempt<Long> other = Attempt.start(() -> readToEnd(pair.end(isClient), down));
                down.write(to, 100_000);
                pair.end(!isClient).shutdownOutput();
                assertThat(other.result()).isEqualTo(100_000);
                to.close();
            }
        }
    }

    @Test
    void shouldHalfCloseWhileItMoves() throws Exception {
        Seeds.withSeed(seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            for (int round = 0; round < 4 * ROUNDS; round++) {
                try (Pair pair = Pair.connect(flavour)) {
                    boolean isClient = random.nextBoolean();
                    Stream up = new Stream(random.nextLong());
                    Stream down = new Stream(random.nextLong());
                    int count = random.nextInt(3000);
                    pair.accept();
                    write(pair.end(isClient), up, count);
                    pause(random);
                    pair.end(isClient).shutdownOutput();
                    assertThat(readToEnd(pair.end(!isClient), up)).isEqualTo(count);
                    write(pair.end(!isClient), down, count);
                    pair.end(!isClient).close();
                    assertThat(readToEnd(pair.end(isClient), down)).isEqualTo(count);
                }
            }
        });
    }

    @Test
    void shouldShutItsInputDownWhileItMoves() throws Exception {
        Seeds.withSeed(seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            for (int round = 0; round < 2 * ROUNDS; round++) {
                try (Pair pair = Pair.connect(flavour)) {
                    boolean isClient = random.nextBoolean();
                    pair.accept();
                    pause(random);
                    pair.end(isClient).shutdownInput();
                    assertThat(pair.end(isClient).read(ByteBuffer.allocate(1))).isEqualTo(-1);
                    Stream stream = new Stream(random.nextLong());
                    write(pair.end(isClient), stream, 1000);
                    pair.end(isClient).shutdownOutput();
                    assertThat(readToEnd(pair.end(!isClient), stream)).isEqualTo(1000);
                }
            }
        });
    }

    // -- close -------------------------------------------------------------------------------------------------------

    @Test
    void shouldDeliverWhatWasWrittenBeforeAClose() throws Exception {
        Seeds.withSeed(seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            for (int round = 0; round < 6 * ROUNDS; round++) {
                try (Pair pair = Pair.connect(flavour)) {
                    boolean isClient = random.nextBoolean();
                    Stream stream = new Stream(random.nextLong());
                    int first = random.nextInt(3) * random.nextInt(1000);
                    int second = random.nextInt(100_000);
                    pair.accept();
                    write(pair.end(isClient), stream, first);
                    pause(random);
                    write(pair.end(isClient), stream, second);
                    pair.end(isClient).close();
                    pause(random);
                    assertThat(readToEnd(pair.end(!isClient), stream)).isEqualTo(first + second);
                }
            }
        });
    }

    /** As with TCP, the peer of somebody who closes with bytes unread hears of a reset, and hangs in no call. */
    @Test
    void shouldResetThePeerOfACloseWithBytesUnread() throws Exception {
        Seeds.withSeed(seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            for (int round = 0; round < 4 * ROUNDS; round++) {
                try (Pair pair = Pair.connect(flavour)) {
                    boolean isClient = random.nextBoolean();
                    boolean moved = random.nextBoolean();
                    pair.accept();
                    if (moved) {
                        pair.awaitMoved();
                    }
                    pair.end(!isClient).write(ByteBuffer.allocate(100));
                    pause(random);
                    pair.end(isClient).close();
                    expectReset(pair.end(!isClient));
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldResetWithALingerOfZero(boolean moved) throws Exception {
        Seeds.withSeed(seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            for (int round = 0; round < 2 * ROUNDS; round++) {
                try (Pair pair = Pair.connect(flavour)) {
                    boolean isClient = random.nextBoolean();
                    pair.accept();
                    if (moved) {
                        pair.awaitMoved();
                    } else {
                        pause(random);
                    }
                    pair.end(isClient).setOption(StandardSocketOptions.SO_LINGER, 0);
                    Attempt<Integer> asleep = random.nextBoolean()
                            ? Attempt.start(() -> pair.end(!isClient).read(ByteBuffer.allocate(1)))
                            : null;
                    pause(random);
                    pair.end(isClient).close();
                    if (asleep != null) {
                        assertThat(asleep.failure()).isInstanceOf(IOException.class);
                    } else {
                        expectReset(pair.end(!isClient));
                    }
                }
            }
        });
    }

    private static void expectReset(SocketChannel channel) {
        assertThatThrownBy(() -> {
                    while (channel.read(ByteBuffer.allocate(1000)) >= 0) {
                        // until it is told
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("reset");
        assertThatThrownBy(() -> {
                    while (true) {
                        channel.write(ByteBuffer.allocate(1000));
                    }
                })
                .isInstanceOf(IOException.class);
    }

    /** A thread reads or writes when its own channel is closed. */
    @Test
    void shouldEndBlockedCallsOfAChannelThatIsClosedWhileItMoves() throws Exception {
        Seeds.withSeed(seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            for (int round = 0; round < 3 * ROUNDS; round++) {
                try (Pair pair = Pair.connect(flavour)) {
                    boolean isClient = random.nextBoolean();
                    pair.accept();
                    Style style = random.nextBoolean() ? Style.BLOCKING : Style.BLOCKING_VIRTUAL;
                    SocketChannel channel = pair.end(isClient);
                    Attempt<Integer> reading = style.start(() -> channel.read(ByteBuffer.allocate(1)));
                    Attempt<Integer> writing = style.start(() -> {
                        while (true) {
                            channel.write(ByteBuffer.allocate(100_000));
                        }
                    });
                    pause(random);
                    pause(random);
                    channel.close();
                    assertThat(reading.failure()).isInstanceOf(java.nio.channels.ClosedChannelException.class);
                    assertThat(writing.failure()).isInstanceOf(java.nio.channels.ClosedChannelException.class);
                }
            }
        });
    }

    /** Opened and closed as fast as can be: whatever is on its way in the background ends. */
    @Test
    void shouldBearConnectionsThatAreClosedAtOnce() throws Exception {
        Seeds.withSeed(seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            for (int round = 0; round < 20 * ROUNDS; round++) {
                try (Pair pair = Pair.connect(flavour)) {
                    if (random.nextInt(4) > 0) {
                        pair.accept();
                    }
                    TimeUnit.MICROSECONDS.sleep(random.nextInt(3) * random.nextInt(1000));
                }
            }
            try (Pair pair = Pair.moved(flavour)) {
                pair.expectOverTcp(0, 0);
            }
        });
    }

    // -- urgent data -------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKeepUrgentDataInItsPlace(boolean inline) throws Exception {
        Seeds.withSeed(seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            for (int round = 0; round < 2 * ROUNDS; round++) {
                try (Pair pair = Pair.connect(flavour)) {
                    boolean isClient = random.nextBoolean();
                    pair.accept();
                    SocketChannel from = pair.end(isClient);
                    SocketChannel to = pair.end(!isClient);
                    to.socket().setOOBInline(inline);
                    StringBuilder expected = new StringBuilder();
                    for (int i = 0; i < 6; i++) {
                        String word = "word" + i;
                        from.write(ByteBuffer.wrap(word.getBytes()));
                        expected.append(word);
                        if (random.nextBoolean()) {
                            from.socket().sendUrgentData('0' + i);
                            expected.append(inline ? "" + (char) ('0' + i) : "");
                        }
                        pause(random);
                        if (!inline) {
                            // The kernel keeps one urgent byte at a time: an older one, still unread, would be inline.
                            ByteBuffer buffer = ByteBuffer.allocate(expected.length());
                            assertThat(blocking(to).readFully(buffer)).isEqualTo(expected.length());
                            assertThat(new String(buffer.array())).isEqualTo(expected.toString());
                            expected.setLength(0);
                        }
                    }
                    from.close();
                    ByteBuffer buffer = ByteBuffer.allocate(100);
                    int count = blocking(to).readFully(buffer);
                    assertThat(new String(buffer.array(), 0, count)).isEqualTo(expected.toString());
                }
            }
        });
    }
}
