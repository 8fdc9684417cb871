package org.ucxnio.bench.programs.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PaceTest {
    @Test
    void shouldCountFromWhenRequestsAreDueThoughTheyAreLate() {
        long interval = TimeUnit.MILLISECONDS.toNanos(1);
        long longAgo = System.nanoTime() - 1000 * interval;
        Pace pace = Pace.open(interval, longAgo);

        assertThat(pace.await()).isEqualTo(longAgo);
        assertThat(pace.await()).isEqualTo(longAgo + interval);
    }

    @Test
    void shouldWaitUntilRequestsAreDue() {
        long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);

        assertThat(Pace.open(1, due).await()).isEqualTo(due);
        assertThat(System.nanoTime()).isGreaterThanOrEqualTo(due);
    }
}
