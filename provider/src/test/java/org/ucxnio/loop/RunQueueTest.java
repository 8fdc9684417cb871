package org.ucxnio.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RunQueueTest {
    private final AtomicInteger wantToRun = new AtomicInteger();
    private final AtomicInteger looks = new AtomicInteger();
    private final RunQueue queue = new RunQueue(
            () -> {
                looks.incrementAndGet();
                return wantToRun.get();
            },
            2);
    private final long start = System.nanoTime();

    private boolean crowdedAfter(double looksLater, int threads) {
        wantToRun.set(threads);
        return queue.isCrowded(start + (long) (looksLater * RunQueue.LOOK_NANOS));
    }

    @Test
    void shouldCompareThreadsWithProcessors() {
        assertThat(crowdedAfter(1, 0)).isFalse();
        assertThat(crowdedAfter(2, 2)).isFalse();
        assertThat(crowdedAfter(3, 3))
                .as("one look may have met a thread of the kernel's")
                .isFalse();
        assertThat(crowdedAfter(4, 3)).isTrue();
        assertThat(crowdedAfter(5, -1)).as("unknown").isFalse();
    }

    @Test
    void shouldLookOnceAMillisecond() {
        assertThat(crowdedAfter(1, 3)).isTrue();
        for (int i = 0; i < 100; i++) {
            assertThat(crowdedAfter(1.5, 1)).isTrue();
        }
        assertThat(looks).hasValue(1);
        assertThat(crowdedAfter(2, 1)).isFalse();
        assertThat(looks).hasValue(2);
        assertThat(crowdedAfter(1, 3)).as("a clock read earlier").isFalse();
        assertThat(looks).hasValue(2);
    }

    @Test
    void shouldNotWaitForAnothersLook() throws Exception {
        CountDownLatch looking = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        RunQueue slow = new RunQueue(
                () -> {
                    looking.countDown();
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return 1;
                },
                2);
        long now = System.nanoTime();
        Thread other = Thread.ofPlatform().start(() -> slow.isCrowded(now + RunQueue.LOOK_NANOS));
        looking.await();
        assertThat(slow.isCrowded(now + 3 * RunQueue.LOOK_NANOS)).isTrue();
        end.countDown();
        other.join();
        assertThat(slow.isCrowded(now + 3 * RunQueue.LOOK_NANOS)).isFalse();
    }

    private boolean latelyAfter(int looksLater, int threads) {
        wantToRun.set(threads);
        return queue.isCrowdedLately(start + looksLater * RunQueue.LOOK_NANOS);
    }

    @Test
    void shouldTellWhatMostOfTheLastLooksHaveFound() {
        for (int i = 1; i < 8; i++) {
            assertThat(latelyAfter(i, 2)).as("look %d", i).isTrue();
        }
        for (int i = 8; i <= 16; i++) {
            assertThat(latelyAfter(i, 2)).as("look %d", i).isFalse();
        }
        for (int i = 17; i <= 40; i++) {
            assertThat(latelyAfter(i, 3)).as("look %d", i).isEqualTo(i > 24);
        }
        for (int i = 41; i <= 100; i++) {
            assertThat(latelyAfter(i, i % 3 == 0 ? 3 : 2)).as("look %d", i).isEqualTo(i < 52);
        }
    }
}
