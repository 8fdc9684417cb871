package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.config.Config;

/** Threads that wait in blocking mode, real ones, with the pollers at work. */
@Timeout(60)
class WaitingTest {
    private static final long STRESS_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static TwoSides open(String mode) throws IOException {
        return TwoSides.open(Config.WAIT, mode, Config.WINDOW, "16k", Config.FRAME, "1k")
                .bound();
    }

    @ParameterizedTest
    @ValueSource(strings = {"adaptive", "block", "spin"})
    void shouldGiveUpAfterTheTimeout(String mode) throws IOException {
        try (TwoSides sides = open(mode)) {
            long start = System.nanoTime();

            assertThat(sides.left.connection.awaitReadable(30_000_000)).isFalse();

            assertThat(System.nanoTime() - start).isBetween(30_000_000L, 5_000_000_000L);
        }
    }

    @Test
    void shouldNotWaitForWhatIsThere() throws IOException {
        try (TwoSides sides = open("block")) {
            Pattern.write(sides.left.connection, 0, 1);

            assertThat(sides.right.connection.awaitReadable(0)).isTrue();
            assertThat(sides.left.connection.awaitWritable(0)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"adaptive", "block"})
    void shouldBeWokenByAClose(String mode) throws Exception {
        try (TwoSides sides = open(mode)) {
            CompletableFuture<Boolean> waiting =
                    CompletableFuture.supplyAsync(() -> sides.left.connection.awaitReadable(0));
            Thread.sleep(ThreadLocalRandom.current().nextInt(5));

            sides.left.connection.close();

            assertThat(waiting.get(20, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @Test
    void shouldBeWokenByAReset() throws Exception {
        try (TwoSides sides = open("block")) {
            CompletableFuture<Boolean> waiting =
                    CompletableFuture.supplyAsync(() -> sides.left.connection.awaitReadable(0));

            sides.left.connection.onControlClosed();

            assertThat(waiting.get(20, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> Pattern.read(sides.left.connection, 1)).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void shouldBeWokenByAnInterrupt() throws Exception {
        try (TwoSides sides = open("block")) {
            Thread waiting = Thread.ofPlatform().start(() -> sides.left.connection.awaitReadable(0));
            await().until(() ->
                    waiting.getState() == Thread.State.WAITING || waiting.getState() == Thread.State.TIMED_WAITING);

            waiting.interrupt();

            assertThat(waiting.join(Duration.ofSeconds(20))).isTrue();
        }
    }

    /** One byte at a time to and fro, with random pauses, so that each comes at another moment of the other's falling asleep. */
    @ParameterizedTest
    @CsvSource({"adaptive, false", "block, false", "block, true"})
    void shouldLoseNoWakeUpForReading(String mode, boolean virtual) throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        Random random = new Random(seed);
        try (TwoSides sides = open(mode)) {
            CompletableFuture<Void> echo = new CompletableFuture<>();
            Thread.Builder builder =
                    virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
            builder.start(() -> complete(echo, () -> echo(sides.right.connection)));
            long end = System.nanoTime() + STRESS_NANOS;
            long rounds = 0;
            while (System.nanoTime() - end < 0) {
                pause(random);
                Pattern.write(sides.left.connection, rounds, 1);
                assertThat(sides.left.connection.awaitReadable(LOST_NANOS))
                        .as("seed %dL: answer %d came", seed, rounds)
                        .isTrue();
                assertThat(Pattern.read(sides.left.connection, 2)).isEqualTo(Pattern.bytes(rounds, 1));
                rounds++;
            }
            sides.left.connection.shutdownOutput();
            echo.get(20, TimeUnit.SECONDS);
            assertThat(rounds).isGreaterThan(100);
        }
    }

    /** A writer that is throttled again and again, and a reader that takes its time. */
    @ParameterizedTest
    @ValueSource(strings = {"adaptive", "block"})
    void shouldLoseNoWakeUpForWriting(String mode) throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        Random random = new Random(seed);
        try (TwoSides sides = open(mode)) {
            CompletableFuture<Void> writer = new CompletableFuture<>();
            long end = System.nanoTime() + STRESS_NANOS;
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> complete(writer, () -> {
                        long written = 0;
                        while (System.nanoTime() - end < 0) {
                            written += Pattern.write(sides.left.connection, written, 20_000);
                            assertThat(sides.left.connection.awaitWritable(LOST_NANOS))
                                    .as("writable")
                                    .isTrue();
                        }
                        sides.left.connection.shutdownOutput();
                    }));
            long read = 0;
            while (true) {
                assertThat(sides.right.connection.awaitReadable(LOST_NANOS))
                        .as("seed %dL, readable", seed)
                        .isTrue();
                byte[] bytes = Pattern.read(sides.right.connection, 1 + random.nextInt(20_000));
                if (bytes == null) {
                    break;
                }
                assertThat(bytes).as("seed %dL", seed).isEqualTo(Pattern.bytes(read, bytes.length));
                read += bytes.length;
                pause(random);
            }
            writer.get(20, TimeUnit.SECONDS);
            assertThat(read).isGreaterThan(100_000);
        }
    }

    private interface Body {
        void run() throws Exception;
    }

    private static void complete(CompletableFuture<Void> future, Body body) {
        try {
            body.run();
            future.complete(null);
        } catch (Exception | AssertionError e) {
            future.completeExceptionally(e);
        }
    }

    private static void echo(Connection connection) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(16);
        ByteBuffer[] buffers = {buffer};
        while (true) {
            if (!connection.awaitReadable(LOST_NANOS)) {
                throw new IOException("nothing came");
            }
            buffer.clear();
            if (connection.read(buffers, 0, 1) < 0) {
                return;
            }
            buffer.flip();
            connection.write(buffers, 0, 1);
        }
    }

    private static void pause(Random random) {
        switch (random.nextInt(4)) {
            case 0 -> LockSupport.parkNanos(random.nextInt(200_000));
            case 1 -> {
                long end = System.nanoTime() + random.nextInt(50_000);
                while (System.nanoTime() - end < 0) {
                    Thread.onSpinWait();
                }
            }
            default -> Thread.onSpinWait();
        }
    }
}
