package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.config.Config;
import org.ucxnio.link.Sink;
import org.ucxnio.link.Source;
import org.ucxnio.ring.Waits;
import org.ucxnio.ucx.UcsStatus;

/** Threads that sleep on a connection as those in blocking calls do, with the pollers at work: each is woken by what it waits for. */
@Timeout(60)
class MessageWakeupTest {
    private static final long STRESS_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** However long a busy machine takes for them. */
    private static final int LEAST_ROUNDS = 100;

    /** A thread that nobody wakes sleeps for a second. One that has slept for nearly as long, and finds something then, was forgotten. */
    private static final long FORGOTTEN_NANOS = TimeUnit.MILLISECONDS.toNanos(950);

    private final long seed = ThreadLocalRandom.current().nextLong();
    private final AtomicInteger forgotten = new AtomicInteger();
    private TwoSides sides;

    @BeforeEach
    void open() throws IOException {
        sides = TwoSides.open(Processes.shared(Config.WINDOW, "16k", Config.FRAME, "1k"))
                .switched();
    }

    @AfterEach
    void close() {
        sides.close();
    }

    /** As a reader waits. */
    private void awaitReadable(Source source) {
        while (!source.hasSomething()) {
            long start = System.nanoTime();
            if (source.arm(Waits.FUTEX) && !source.hasSomething()) {
                source.sleep(Long.MAX_VALUE);
            }
            source.disarm();
            look(start, source::isReadable);
        }
    }

    /** As a writer waits. */
    private void awaitWritable(Sink sink) {
        while (!sink.isWritableNow()) {
            long start = System.nanoTime();
            if (sink.arm(Waits.FUTEX) && !sink.isWritableNow()) {
                sink.sleep(Long.MAX_VALUE);
            }
            sink.disarm();
            look(start, sink::isWritable);
        }
    }

    private void look(long start, BooleanSupplier ready) {
        if (System.nanoTime() - start > FORGOTTEN_NANOS && ready.getAsBoolean()) {
            forgotten.incrementAndGet();
        }
    }

    /** A machine may stand still once. */
    private void assertNobodyForgotten() {
        assertThat(forgotten).as("seed %dL: sleepers that nobody woke", seed).hasValueLessThan(2);
    }

    /** One byte at a time to and fro, with random pauses, so that each comes at another moment of the other's falling asleep. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldForgetNoReader(boolean virtual) throws Exception {
        Random random = new Random(seed);
        CompletableFuture<Void> echo = new CompletableFuture<>();
        Thread.Builder builder =
                virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
        builder.start(() -> complete(echo, this::echo));
        long end = System.nanoTime() + STRESS_NANOS;
        long rounds = 0;
        while (System.nanoTime() - end < 0 || rounds < LEAST_ROUNDS) {
            pause(random);
            assertThat(Pattern.write(sides.left.sink, rounds, 1)).isOne();
            awaitReadable(sides.left.source);
            assertThat(Pattern.read(sides.left.source, 2)).isEqualTo(Pattern.bytes(rounds, 1));
            rounds++;
        }
        sides.left.sink.end(false);
        echo.get(20, TimeUnit.SECONDS);
        assertNobodyForgotten();
    }

    private void echo() throws IOException {
        ByteBuffer[] buffers = {ByteBuffer.allocate(16)};
        while (true) {
            awaitReadable(sides.right.source);
            buffers[0].clear();
            if (sides.right.source.read(buffers, 0, 1) < 0) {
                return;
            }
            buffers[0].flip();
            sides.right.sink.write(buffers, 0, 1, Sink.MAX_BYTES);
        }
    }

    /** A writer whose window is used up again and again, and a reader that takes its time. */
    @Test
    void shouldForgetNoWriter() throws Exception {
        Random random = new Random(seed);
        CompletableFuture<Void> writer = new CompletableFuture<>();
        long end = System.nanoTime() + STRESS_NANOS;
        Thread.ofPlatform()
                .daemon()
                .start(() -> complete(writer, () -> {
                    long written = 0;
                    while (System.nanoTime() - end < 0) {
                        written += Pattern.write(sides.left.sink, written, 20_000);
                        awaitWritable(sides.left.sink);
                    }
                    sides.left.sink.end(false);
                }));
        long read = 0;
        while (true) {
            awaitReadable(sides.right.source);
            byte[] bytes = Pattern.read(sides.right.source, 1 + random.nextInt(20_000));
            if (bytes == null) {
                break;
            }
            assertThat(bytes).as("seed %dL", seed).isEqualTo(Pattern.bytes(read, bytes.length));
            read += bytes.length;
            pause(random);
        }
        writer.get(20, TimeUnit.SECONDS);
        assertNobodyForgotten();
        assertThat(read).isGreaterThan(100_000);
    }

    /** Reader and writer of one end sleep at once, and both are woken, whoever of the four progresses the workers. */
    @Test
    void shouldForgetNobodyWhereBothDirectionsSleep() throws Exception {
        long end = System.nanoTime() + STRESS_NANOS;
        CompletableFuture<?>[] all = {
            run(() -> stream(sides.left.sink, end, new Random(seed))),
            run(() -> stream(sides.right.sink, end, new Random(seed + 1))),
            run(() -> drain(sides.left.source, new Random(seed + 2))),
            run(() -> drain(sides.right.source, new Random(seed + 3)))
        };
        CompletableFuture.allOf(all).get(30, TimeUnit.SECONDS);
        assertNobodyForgotten();
    }

    private void stream(Sink sink, long end, Random random) throws IOException {
        long written = 0;
        while (System.nanoTime() - end < 0) {
            written += Pattern.write(sink, written, 1 + random.nextInt(20_000));
            pause(random);
            awaitWritable(sink);
        }
        sink.end(false);
    }

    private void drain(Source source, Random random) throws IOException {
        long read = 0;
        while (true) {
            awaitReadable(source);
            byte[] bytes = Pattern.read(source, 1 + random.nextInt(20_000));
            if (bytes == null) {
                return;
            }
            assertThat(bytes).as("seed %dL", seed).isEqualTo(Pattern.bytes(read, bytes.length));
            read += bytes.length;
            pause(random);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"wake", "fail", "reset", "end"})
    void shouldWakeAReaderForWhatIsNoByte(String cause) throws Exception {
        Source source = sides.left.source;
        CompletableFuture<Void> slept = new CompletableFuture<>();
        Thread sleeper = Thread.ofPlatform().daemon().start(() -> {
            boolean quiet = source.arm(Waits.FUTEX);
            while (quiet && !slept.isDone()) {
                // Only what the test does ends this before a second is over.
                long start = System.nanoTime();
                source.sleep(Long.MAX_VALUE);
                if (System.nanoTime() - start < FORGOTTEN_NANOS) {
                    slept.complete(null);
                }
            }
            source.disarm();
        });
        await().until(() -> sleeper.getState() == Thread.State.TIMED_WAITING);
        switch (cause) {
            case "wake" -> source.wake();
            case "fail" -> sides.left.fake().endpoints().get(0).fail(UcsStatus.ERR_CONNECTION_RESET);
            case "reset" -> sides.right.sink.end(true);
            default -> sides.right.sink.end(false);
        }
        slept.get(20, TimeUnit.SECONDS);
        assertThat(sleeper.join(Duration.ofSeconds(20))).isTrue();
        assertThat(source.isReadable()).isEqualTo(!cause.equals("wake"));
    }

    @Test
    void shouldWakeAWriterWhoseReaderLeaves() throws Exception {
        Pattern.write(sides.left.sink, 0, 20_000);
        assertThat(sides.left.sink.isWritable()).isFalse();
        CompletableFuture<Void> writable = run(() -> awaitWritable(sides.left.sink));
        sides.right.source.leave(false);

        writable.get(20, TimeUnit.SECONDS);
        assertNobodyForgotten();
    }

    private interface Body {
        void run() throws Exception;
    }

    private static CompletableFuture<Void> run(Body body) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> complete(done, body));
        return done;
    }

    private static void complete(CompletableFuture<Void> future, Body body) {
        try {
            body.run();
            future.complete(null);
        } catch (Exception | AssertionError e) {
            future.completeExceptionally(e);
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
