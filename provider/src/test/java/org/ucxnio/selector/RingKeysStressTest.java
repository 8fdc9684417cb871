package org.ucxnio.selector;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rings that become ready at another moment of a selection each time: none may be overlooked. A ring that is gives a selection so long
 * that the test notices.
 */
@Timeout(120)
class RingKeysStressTest {
    private static final long STRESS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOST_MILLIS = 10_000;

    private final long seed = ThreadLocalRandom.current().nextLong();
    private final List<RingChannel> channels = new ArrayList<>();

    /** One for each event that the peer has made; the selecting thread has seen as many. */
    private final AtomicLong made = new AtomicLong();

    private final AtomicLong seen = new AtomicLong();
    private volatile boolean ended;

    @AfterEach
    void close() throws IOException {
        for (RingChannel channel : channels) {
            channel.close();
        }
    }

    private List<SelectionKey> register(UcxSelector selector, int count, int interest) throws IOException {
        List<SelectionKey> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            RingChannel channel = new RingChannel(OP_READ | OP_WRITE);
            channels.add(channel);
            keys.add(channel.register(selector, interest));
        }
        return keys;
    }

    /** Makes one ring ready for reading after the other, each once the last was seen. */
    private void makeReady(Random random, UcxSelector selector) throws IOException {
        long end = System.nanoTime() + STRESS_NANOS;
        while (System.nanoTime() - end < 0) {
            pause(random);
            made.incrementAndGet();
            channels.get(random.nextInt(channels.size())).peerMakesReady(OP_READ);
            while (seen.get() != made.get() && System.nanoTime() - end < 2 * LOST_MILLIS * 1_000_000) {
                Thread.onSpinWait();
            }
        }
        ended = true;
        selector.wakeup();
    }

    /** Mostly about as long as a selecting thread needs from one event to its next sleep, and at times until keys are cold. */
    private static void pause(Random random) {
        switch (random.nextInt(16)) {
            case 0 -> LockSupport.parkNanos(random.nextInt(12_000_000));
            case 1, 2 -> LockSupport.parkNanos(random.nextInt(300_000));
            default -> spin(random.nextInt(random.nextInt(4) == 0 ? 60_000 : 6_000));
        }
    }

    private static void spin(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    private void selectUntilEnd(UcxSelector selector) throws IOException {
        Random random = new Random(~seed);
        while (!ended) {
            if (random.nextInt(4) == 0) {
                // Keys cool down. What is overlooked here is found by chance, if the key is hot.
                for (int i = random.nextInt(12); i > 0; i--) {
                    selector.select(1);
                    takeSelected(selector);
                }
            }
            long start = System.nanoTime();
            selector.select(ended ? 1 : LOST_MILLIS);
            assertThat(System.nanoTime() - start)
                    .as("seed %dL: a selection that slept", seed)
                    .isLessThan(LOST_MILLIS * 900_000);
            takeSelected(selector);
        }
    }

    private void takeSelected(UcxSelector selector) {
        for (SelectionKey key : selector.selectedKeys()) {
            RingChannel channel = (RingChannel) key.channel();
            int ops = key.readyOps();
            assertThat(channel.isReady(ops)).as("seed %dL", seed).isTrue();
            channel.use(ops);
            seen.incrementAndGet();
        }
        selector.selectedKeys().clear();
    }

    @ParameterizedTest
    @CsvSource({"adaptive, 1", "adaptive, 20", "block, 1", "block, 20", "spin, 3"})
    void shouldOverlookNoRing(String mode, int count) throws Exception {
        try (UcxSelector selector = SelectorFixture.openWithoutUcx(mode)) {
            register(selector, count, OP_READ);
            CompletableFuture<Void> events = RingSelection.inThread(seed, random -> makeReady(random, selector));
            selectUntilEnd(selector);
            events.get(20, TimeUnit.SECONDS);
        }
    }

    /** Another thread changes interests at the same time, and wakes the selector as one has to. */
    @ParameterizedTest
    @ValueSource(strings = {"adaptive", "block"})
    void shouldOverlookNoRingWhileInterestsChange(String mode) throws Exception {
        try (UcxSelector selector = SelectorFixture.openWithoutUcx(mode)) {
            List<SelectionKey> keys = register(selector, 4, OP_READ);
            CompletableFuture<Void> events = RingSelection.inThread(seed, random -> makeReady(random, selector));
            CompletableFuture<Void> changes = RingSelection.inThread(seed + 1, random -> {
                while (!ended) {
                    SelectionKey key = keys.get(random.nextInt(keys.size()));
                    key.interestOps(random.nextBoolean() ? 0 : OP_WRITE);
                    spin(random.nextInt(20_000));
                    key.interestOps(OP_READ);
                    selector.wakeup();
                    spin(random.nextInt(20_000));
                }
            });
            selectUntilEnd(selector);
            events.get(20, TimeUnit.SECONDS);
            changes.get(20, TimeUnit.SECONDS);
        }
    }

    /** Two selectors share the channels: one for reading, one for writing. */
    @ParameterizedTest
    @CsvSource({"adaptive, block", "block, block"})
    void shouldOverlookNoRingOfASharedChannel(String mode, String otherMode) throws Exception {
        try (UcxSelector selector = SelectorFixture.openWithoutUcx(mode);
                UcxSelector second = SelectorFixture.openWithoutUcx(otherMode)) {
            register(selector, 3, OP_READ);
            for (RingChannel channel : channels) {
                channel.register(second, OP_WRITE);
            }
            CompletableFuture<Void> events = RingSelection.inThread(seed, random -> makeReady(random, selector));
            CompletableFuture<Void> writes = RingSelection.inThread(seed + 1, this::makeAndTakeWrites);
            CompletableFuture<Void> writer = RingSelection.inThread(seed + 2, random -> {
                while (!ended) {
                    second.select(LOST_MILLIS);
                    for (SelectionKey key : second.selectedKeys()) {
                        ((RingChannel) key.channel()).use(OP_WRITE);
                    }
                    second.selectedKeys().clear();
                }
            });
            selectUntilEnd(selector);
            second.wakeup();
            events.get(20, TimeUnit.SECONDS);
            writes.get(20, TimeUnit.SECONDS);
            writer.get(20, TimeUnit.SECONDS);
        }
    }

    private void makeAndTakeWrites(Random random) throws IOException {
        while (!ended) {
            RingChannel channel = channels.get(random.nextInt(channels.size()));
            channel.peerMakesReady(OP_WRITE);
            long deadline = System.nanoTime() + LOST_MILLIS * 900_000;
            while (channel.isReady(OP_WRITE) && !ended) {
                assertThat(System.nanoTime() - deadline)
                        .as("seed %dL: room that the second selector overlooks", seed)
                        .isNegative();
                Thread.onSpinWait();
            }
            pause(random);
        }
    }

    /** Keys come and go while others become ready. */
    @ParameterizedTest
    @ValueSource(strings = {"adaptive", "block"})
    void shouldOverlookNoRingWhileKeysAreCancelled(String mode) throws Exception {
        try (UcxSelector selector = SelectorFixture.openWithoutUcx(mode)) {
            register(selector, 3, OP_READ);
            CompletableFuture<Void> events = RingSelection.inThread(seed, random -> makeReady(random, selector));
            RingChannel coming = new RingChannel(OP_READ);
            CompletableFuture<Void> changes = RingSelection.inThread(seed + 1, random -> {
                while (!ended) {
                    comeAndGo(coming, selector, random);
                }
            });
            selectUntilEnd(selector);
            events.get(20, TimeUnit.SECONDS);
            changes.get(20, TimeUnit.SECONDS);
            coming.close();
        }
    }

    private static void comeAndGo(RingChannel channel, UcxSelector selector, Random random) throws IOException {
        try {
            channel.register(selector, OP_READ);
            spin(random.nextInt(100_000));
            channel.keyFor(selector).cancel();
            selector.wakeup();
        } catch (CancelledKeyException e) {
            // The selection has not let go of the last one yet.
            Thread.onSpinWait();
        }
    }
}
