package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PollerTest {
    private final Poller poller = Processes.shared().left.poller();

    @Test
    void shouldRunTasksInTheOrderTheyAreDue() {
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        poller.schedule(60_000_000, () -> order.add(4));
        poller.schedule(20_000_000, () -> order.add(2));
        poller.schedule(40_000_000, () -> order.add(3));
        poller.execute(() -> order.add(1));

        await().until(() -> order.size() == 4);
        assertThat(order).containsExactly(1, 2, 3, 4);
    }

    @Test
    void shouldRunNoTaskEarly() throws InterruptedException {
        AtomicReference<Long> ran = new AtomicReference<>();
        CountDownLatch done = new CountDownLatch(1);
        long start = System.nanoTime();
        poller.schedule(25_000_000, () -> {
            ran.set(System.nanoTime());
            done.countDown();
        });

        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ran.get() - start).isGreaterThanOrEqualTo(25_000_000);
    }

    @Test
    void shouldRunTasksOnItsOwnThread() {
        AtomicReference<Thread> thread = new AtomicReference<>();
        poller.execute(() -> thread.set(Thread.currentThread()));

        await().until(() -> thread.get() != null);
        assertThat(thread.get().getName()).isEqualTo("ucxnio-poller");
        assertThat(thread.get().isDaemon()).isTrue();
    }

    @Test
    void shouldGoOnAfterATaskThatFails() {
        AtomicInteger ran = new AtomicInteger();
        poller.execute(() -> {
            throw new IllegalStateException("on purpose");
        });
        poller.execute(ran::incrementAndGet);

        await().until(() -> ran.get() == 1);
    }

    @Test
    void shouldGoOnAfterAnError() {
        AtomicInteger ran = new AtomicInteger();
        poller.execute(() -> {
            throw new OutOfMemoryError("on purpose");
        });
        poller.execute(ran::incrementAndGet);

        await().until(() -> ran.get() == 1);
    }

    @Test
    void shouldRepeatATaskEvenIfItThrows() {
        AtomicInteger ran = new AtomicInteger();
        poller.repeat(1_000_000, () -> {
            if (ran.incrementAndGet() < 4) {
                throw new IllegalStateException("on purpose");
            }
        });

        await().until(() -> ran.get() > 4);
    }

    /** A task handed over while the poller falls asleep must not wait for the next event. */
    @Test
    void shouldOversleepNoTask() throws InterruptedException {
        for (int i = 0; i < 5_000; i++) {
            CountDownLatch done = new CountDownLatch(1);
            poller.execute(done::countDown);
            assertThat(done.await(10, TimeUnit.SECONDS)).as("task %d", i).isTrue();
        }
    }
}
