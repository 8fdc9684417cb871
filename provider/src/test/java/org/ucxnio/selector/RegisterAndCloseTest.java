package org.ucxnio.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A selector is closed while a channel registers with it for the first time: either is first, and nothing of the key stays. */
@Timeout(60)
class RegisterAndCloseTest {
    private static final long STRESS_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int LONGEST_PAUSE = 2_000;

    private final long seed = ThreadLocalRandom.current().nextLong();
    private final Random random = new Random(seed);
    private final CyclicBarrier barrier = new CyclicBarrier(2);

    @Test
    void shouldLeaveNoKey() throws Exception {
        ExecutorService closer = Executors.newSingleThreadExecutor();
        try {
            for (long end = System.nanoTime() + STRESS_NANOS; System.nanoTime() - end < 0; ) {
                race(closer);
            }
        } finally {
            closer.shutdown();
        }
    }

    private void race(ExecutorService closer) throws Exception {
        UcxSelector selector = SelectorFixture.openWithoutUcx("block");
        TestChannel channel = new TestChannel();
        int pause = random.nextInt(LONGEST_PAUSE);
        Future<?> closed = closer.submit(() -> {
            barrier.await();
            selector.close();
            return null;
        });
        barrier.await();
        for (int i = 0; i < pause; i++) {
            Thread.onSpinWait();
        }
        try {
            channel.register(selector, SelectionKey.OP_READ);
        } catch (ClosedSelectorException e) {
            // It was later.
        }
        // What the closing thread throws comes out here.
        closed.get();
        assertThat(channel.isRegistered()).as("seed %dL", seed).isFalse();
        assertThat(channel.listeners()).as("seed %dL", seed).isZero();
        channel.close();
    }
}
