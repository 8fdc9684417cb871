package org.ucxnio.selector;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Interests that another thread changes while a selection looks at the keys, in the opposite order, so that the two meet at some key
 * in each round: no change may get lost.
 */
@Timeout(60)
class InterestStressTest {
    private static final int KEYS = 64;
    private static final long STRESS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final SelectionKey[] keys = new SelectionKey[KEYS];
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger changed = new AtomicInteger();
    private volatile boolean ended;
    private UcxSelector selector;

    @BeforeEach
    void open() throws IOException {
        selector = SelectorFixture.with("adaptive").open();
        for (int i = 0; i < KEYS; i++) {
            TestChannel channel = new TestChannel();
            channel.used(OP_READ);
            keys[i] = channel.register(selector, 0);
        }
    }

    @AfterEach
    void close() throws IOException {
        for (SelectionKey key : keys) {
            key.channel().close();
        }
        selector.close();
    }

    private enum Change {
        SET {
            @Override
            void apply(SelectionKey key) {
                key.interestOps(OP_READ);
            }
        },
        ADD {
            @Override
            void apply(SelectionKey key) {
                key.interestOpsOr(OP_READ);
            }
        };

        abstract void apply(SelectionKey key);
    }

    /** Makes all keys interested once in each round. */
    private void change(Change change) {
        for (int round = 1; !ended; round++) {
            while (begun.get() < round && !ended) {
                Thread.onSpinWait();
            }
            for (int i = KEYS - 1; i >= 0; i--) {
                change.apply(keys[i]);
            }
            changed.set(round);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLoseNoChange(Change change) throws Exception {
        CompletableFuture<Void> changes = CompletableFuture.runAsync(
                () -> change(change), task -> Thread.ofPlatform().daemon().start(task));
        try {
            long end = System.nanoTime() + STRESS_NANOS;
            for (int round = 1; System.nanoTime() - end < 0; round++) {
                runRound(round, changes);
            }
        } finally {
            ended = true;
        }
        changes.get(20, TimeUnit.SECONDS);
    }

    private void runRound(int round, CompletableFuture<Void> changes) throws IOException {
        for (SelectionKey key : keys) {
            key.interestOps(0);
        }
        begun.set(round);
        selector.selectNow();
        while (changed.get() < round && !changes.isDone()) {
            Thread.onSpinWait();
        }
        // It begins after the last change.
        selector.selectNow();
        assertThat(selector.selectedKeys().size()).as("keys of round %d", round).isEqualTo(KEYS);
        selector.selectedKeys().clear();
    }
}
