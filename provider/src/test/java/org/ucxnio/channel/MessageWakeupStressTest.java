package org.ucxnio.channel;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connections over messages, and a selector that falls asleep again and again. What makes a channel ready comes at another moment of it
 * each time and must not get lost: without it a selection lasts so long that the test notices.
 */
@Timeout(60)
class MessageWakeupStressTest {
    private static final long STRESS_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** However long a busy machine takes for them. */
    private static final int LEAST_ROUNDS = 100;

    private static final int LEAST_WAITS = 10;
    private static final long LOST_MILLIS = 10_000;

    private final long seed = ThreadLocalRandom.current().nextLong();
    private final Random random = new Random(seed);
    private ChannelPair pair;
    private Selector selector;

    @BeforeEach
    void open() throws IOException {
        pair = new ChannelPair(TestMessages.instance());
        selector = pair.openSelector();
    }

    @AfterEach
    void close() throws IOException {
        selector.close();
        pair.close();
    }

    private interface Body {
        void run() throws IOException;
    }

    private static CompletableFuture<Void> run(Body body) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                body.run();
                done.complete(null);
            } catch (IOException | RuntimeException | AssertionError e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    /** Mostly about as long as a selecting thread needs from one event to its next sleep. */
    private static void pause(Random random) {
        if (random.nextInt(8) == 0) {
            LockSupport.parkNanos(random.nextInt(300_000));
            return;
        }
        long end = System.nanoTime() + random.nextInt(random.nextInt(4) == 0 ? 60_000 : 6_000);
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    private void selectInTime() throws IOException {
        long start = System.nanoTime();
        selector.select(LOST_MILLIS);
        assertThat(System.nanoTime() - start)
                .as("seed %dL: a selection that slept", seed)
                .isLessThan(LOST_MILLIS * 900_000);
        selector.selectedKeys().clear();
    }

    /** Registers the channel before the connection moves, with the selector's workers, or behind that, with others. */
    private SelectionKey register(SocketChannel channel, int op, boolean first) throws IOException {
        channel.configureBlocking(false);
        if (!first) {
            pair.pair();
        }
        SelectionKey key = channel.register(selector, op);
        if (first) {
            pair.pair();
        }
        return key;
    }

    /** The peer answers each byte, in blocking mode; the selecting thread sleeps meanwhile, or not yet. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLoseNoByteThatComes(boolean registeredFirst) throws Exception {
        register(pair.server, OP_READ, registeredFirst);
        Random pauses = new Random(seed + 1);
        CompletableFuture<Void> echo = run(() -> echo(pair.client, pauses));
        ByteBuffer one = ByteBuffer.allocate(1);
        long end = System.nanoTime() + STRESS_NANOS;
        long rounds = 0;
        while (System.nanoTime() - end < 0 || rounds < LEAST_ROUNDS) {
            assertThat(pair.server.write(one.clear().put((byte) rounds).flip())).isOne();
            one.clear();
            while (pair.server.read(one) == 0) {
                selectInTime();
            }
            assertThat(one.get(0)).isEqualTo((byte) rounds);
            pause(random);
            rounds++;
        }
        pair.server.shutdownOutput();
        while (pair.server.read(one.clear()) == 0) {
            selectInTime();
        }
        echo.get(20, TimeUnit.SECONDS);
    }

    private static void echo(SocketChannel channel, Random pauses) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        while (channel.read(one.clear()) >= 0) {
            pause(pauses);
            channel.write(one.flip());
        }
        channel.shutdownOutput();
    }

    /** Room that a reader makes, as it reads now and then. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLoseNoRoomThatIsMade(boolean registeredFirst) throws Exception {
        register(pair.server, OP_WRITE, registeredFirst);
        CompletableFuture<Void> reader = run(() -> {
            ByteBuffer buffer = ByteBuffer.allocate(30_000);
            Random pauses = new Random(seed + 1);
            while (pair.client.read(buffer.clear().limit(1 + pauses.nextInt(30_000))) >= 0) {
                pause(pauses);
            }
        });
        ByteBuffer buffer = ByteBuffer.allocate(50_000);
        long end = System.nanoTime() + STRESS_NANOS;
        long waits = 0;
        while (System.nanoTime() - end < 0 || waits < LEAST_WAITS) {
            buffer.clear().limit(1 + random.nextInt(50_000));
            while (buffer.hasRemaining()) {
                if (pair.server.write(buffer) == 0) {
                    waits++;
                    selectInTime();
                }
            }
        }
        pair.server.shutdownOutput();
        reader.get(20, TimeUnit.SECONDS);
    }

    /** Two selecting threads: whichever progresses the workers, the other's keys become ready. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLoseNothingBetweenTwoSelectors(boolean registeredFirst) throws Exception {
        register(pair.server, OP_READ, registeredFirst);
        CompletableFuture<Void> other;
        try (Selector second = pair.openSelector()) {
            pair.client.configureBlocking(false);
            pair.client.register(second, OP_READ);
            other = run(() -> answer(second));
            ByteBuffer one = ByteBuffer.allocate(1);
            long end = System.nanoTime() + STRESS_NANOS;
            while (System.nanoTime() - end < 0) {
                assertThat(pair.server.write(one.clear())).isOne();
                one.clear();
                while (pair.server.read(one) == 0) {
                    selectInTime();
                }
                pause(random);
            }
            pair.server.shutdownOutput();
            other.get(20, TimeUnit.SECONDS);
        }
    }

    private void answer(Selector second) throws IOException {
        Random pauses = new Random(seed + 1);
        ByteBuffer one = ByteBuffer.allocate(1);
        while (true) {
            int count = pair.client.read(one.clear());
            if (count < 0) {
                return;
            }
            if (count == 0) {
                long start = System.nanoTime();
                second.select(LOST_MILLIS);
                assertThat(System.nanoTime() - start)
                        .as("seed %dL: a selection that slept", seed)
                        .isLessThan(LOST_MILLIS * 900_000);
                second.selectedKeys().clear();
            } else {
                pause(pauses);
                assertThat(pair.client.write(one.flip())).isOne();
            }
        }
    }
}
