package org.ucxnio.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    @Test
    void shouldCountFromWhenMessagesAreDueThoughTheyAreLate() {
        long longAgo = System.nanoTime() - 1000 * MILLI;
        Pace pace = Pace.of(1000, 0, 1, longAgo);

        assertThat(pace.await()).isEqualTo(longAgo);
        assertThat(pace.await()).isEqualTo(longAgo + MILLI);
    }

    @Test
    void shouldWaitUntilMessagesAreDue() {
        long due = System.nanoTime() + 20 * MILLI;

        assertThat(Pace.of(1000, 0, 1, due).await()).isEqualTo(due);
        assertThat(System.nanoTime()).isGreaterThanOrEqualTo(due);
    }

    /** 1,000 a second of four threads: each has one in 4 ms, 1 ms behind that of the thread before. */
    @Test
    void shouldSpreadMessagesOverThreads() {
        long longAgo = System.nanoTime() - 1000 * MILLI;
        Pace last = Pace.of(1000, 3, 4, longAgo);

        assertThat(last.await()).isEqualTo(longAgo + 3 * MILLI);
        assertThat(last.await()).isEqualTo(longAgo + 7 * MILLI);
    }

    @Test
    void shouldNotWaitWithoutARate() {
        long before = System.nanoTime();

        assertThat(Pace.of(0, 1, 2, before + TimeUnit.HOURS.toNanos(1)).await()).isBetween(before, System.nanoTime());
    }
}
