package org.ucxnio.selector;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Interests that threads tell the platform's key of, all at the same time, while connections move away from the kernel: in the end that key has what the
 * last one said. No further selection is there to put it right, unless the connection has moved.
 */
@Timeout(120)
class KernelsAloneStressTest extends RingSelection {
    private static final long STRESS_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int THREADS = 3;
    private static final int CHANGES = 20;
    private static final int[] INTERESTS = {0, OP_READ, OP_WRITE, OP_READ | OP_WRITE};

    private final long seed = ThreadLocalRandom.current().nextLong();
    private final CyclicBarrier together = new CyclicBarrier(THREADS + 1);
    private volatile boolean ended;

    private CompletableFuture<Void> select() {
        return inThread(seed, random -> {
            while (!ended) {
                selector.select();
                selector.selectedKeys().clear();
            }
        });
    }

    private UcxSelectionKey plainKey() throws IOException {
        UcxSelectionKey key = (UcxSelectionKey) channel(0).register(selector, 0);
        selector.wakeup();
        until(key::isKernelsAlone);
        return key;
    }

    private void until(Callable<Boolean> condition) {
        Awaitility.await()
                .alias("seed " + seed)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(condition);
    }

    private CompletableFuture<Void> change(UcxSelectionKey key, long seedOfThread) {
        return inThread(seedOfThread, random -> {
            await();
            for (int i = 0; i < CHANGES; i++) {
                int ops = INTERESTS[random.nextInt(INTERESTS.length)];
                switch (random.nextInt(3)) {
                    case 0 -> key.interestOpsOr(ops);
                    case 1 -> key.interestOpsAnd(ops);
                    default -> key.interestOps(ops);
                }
                for (int spins = random.nextInt(64); spins > 0; spins--) {
                    Thread.onSpinWait();
                }
            }
        });
    }

    private void await() {
        try {
            together.await(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void expectInLine(UcxSelectionKey key, int round) {
        Awaitility.await()
                .alias("seed " + seed + ", round " + round + ", " + key)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .untilAsserted(() -> assertThat(key.kernelKey.interestOps()).isEqualTo(KernelSide.wantedOps(key)));
    }

    private CompletableFuture<Void> changeByAll(UcxSelectionKey key, Random seeds) {
        CompletableFuture<?>[] changes = new CompletableFuture<?>[THREADS];
        for (int i = 0; i < THREADS; i++) {
            changes[i] = change(key, seeds.nextLong());
        }
        return CompletableFuture.allOf(changes);
    }

    @Test
    void shouldHaveTheLastInterestWithoutASelection() throws Exception {
        CompletableFuture<Void> selecting = select();
        Random seeds = new Random(seed);
        UcxSelectionKey key = plainKey();
        long end = System.nanoTime() + STRESS_NANOS;
        for (int round = 0; System.nanoTime() - end < 0; round++) {
            CompletableFuture<Void> changes = changeByAll(key, seeds);
            await();
            changes.get(20, TimeUnit.SECONDS);
            expectInLine(key, round);
        }
        ended = true;
        selector.wakeup();
        selecting.get(20, TimeUnit.SECONDS);
    }

    @Test
    void shouldHaveWhatRingsNeedOnceAConnectionHasMoved() throws Exception {
        CompletableFuture<Void> selecting = select();
        Random seeds = new Random(seed);
        long end = System.nanoTime() + STRESS_NANOS;
        for (int round = 0; System.nanoTime() - end < 0; round++) {
            UcxSelectionKey key = plainKey();
            RingChannel channel = channels.getLast();
            CompletableFuture<Void> changes = changeByAll(key, seeds);
            int spins = seeds.nextInt(20_000);
            await();
            for (int i = 0; i < spins; i++) {
                Thread.onSpinWait();
            }
            channel.switchTo(OP_READ);
            changes.get(20, TimeUnit.SECONDS);
            // What is told behind the move takes effect with the next selection.
            selector.wakeup();
            until(() -> !key.isKernelsAlone());
            expectInLine(key, round);
            channel.close();
            channels.clear();
        }
        ended = true;
        selector.wakeup();
        selecting.get(20, TimeUnit.SECONDS);
    }
}
