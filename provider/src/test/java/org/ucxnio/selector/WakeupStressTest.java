package org.ucxnio.selector;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A selector that falls asleep again and again, and something that happens at another moment of it each time: nothing may get lost.
 * Without an event a selection lasts so long that the test notices.
 */
@Timeout(60)
class WakeupStressTest {
    private static final long STRESS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOST_MILLIS = 10_000;

    private final long seed = ThreadLocalRandom.current().nextLong();

    /** Counts up in another thread, each time after the selecting thread has seen the last count. */
    private interface Event {
        void happen() throws IOException;
    }

    private CompletableFuture<Void> events(AtomicLong count, AtomicLong seen, Event event) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Random random = new Random(seed);
        long end = System.nanoTime() + STRESS_NANOS;
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (System.nanoTime() - end < 0) {
                    pause(random);
                    count.incrementAndGet();
                    event.happen();
                    while (seen.get() != count.get() && System.nanoTime() - end < 2 * LOST_MILLIS * 1_000_000) {
                        Thread.onSpinWait();
                    }
                }
                count.set(-1);
                event.happen();
                done.complete(null);
            } catch (IOException | RuntimeException e) {
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

    private void selectInTime(Selector selector) throws IOException {
        long start = System.nanoTime();
        selector.select(LOST_MILLIS);
        assertThat(System.nanoTime() - start)
                .as("seed %dL: a selection that slept", seed)
                .isLessThan(LOST_MILLIS * 900_000);
    }

    @ParameterizedTest
    @CsvSource({"adaptive", "block"})
    void shouldLoseNoWakeup(String mode) throws Exception {
        AtomicLong count = new AtomicLong();
        AtomicLong seen = new AtomicLong();
        try (UcxSelector selector = SelectorFixture.with(mode).open();
                TestChannel channel = new TestChannel()) {
            channel.register(selector, OP_READ);
            CompletableFuture<Void> events = events(count, seen, selector::wakeup);
            while (count.get() >= 0) {
                selectInTime(selector);
                seen.set(count.get());
            }
            events.get(20, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @CsvSource({"adaptive", "block"})
    void shouldLoseNoSignalOfAChannel(String mode) throws Exception {
        AtomicLong count = new AtomicLong();
        AtomicLong seen = new AtomicLong();
        try (UcxSelector selector = SelectorFixture.with(mode).open();
                TestChannel channel = new TestChannel()) {
            SelectionKey key = channel.register(selector, OP_READ);
            CompletableFuture<Void> events = events(count, seen, () -> channel.ready(OP_READ));
            while (count.get() >= 0) {
                selectInTime(selector);
                if (selector.selectedKeys().remove(key)) {
                    channel.used(0);
                    seen.set(count.get());
                }
            }
            events.get(20, TimeUnit.SECONDS);
        }
    }

    /** A registration from another thread, followed by a wakeup, while the selector sleeps or not. */
    @ParameterizedTest
    @CsvSource({"adaptive", "block"})
    void shouldNoticeRegistrationsWhileItSleeps(String mode) throws Exception {
        AtomicLong count = new AtomicLong();
        AtomicLong seen = new AtomicLong();
        try (UcxSelector selector = SelectorFixture.with(mode).open()) {
            CompletableFuture<Void> events = events(count, seen, () -> {
                TestChannel channel = new TestChannel();
                channel.used(OP_READ);
                channel.register(selector, OP_READ);
                selector.wakeup();
            });
            while (count.get() >= 0) {
                selectInTime(selector);
                for (SelectionKey key : selector.selectedKeys()) {
                    key.channel().close();
                    seen.incrementAndGet();
                }
                selector.selectedKeys().clear();
            }
            events.get(20, TimeUnit.SECONDS);
        }
    }
}
