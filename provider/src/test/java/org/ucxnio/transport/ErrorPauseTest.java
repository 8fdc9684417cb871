package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ErrorPauseTest {
    private static long millis(Runnable task) {
        long start = System.nanoTime();
        task.run();
        return (System.nanoTime() - start) / 1_000_000;
    }

    @Test
    void shouldPauseLongerWhenErrorsFollowEachOther() {
        ErrorPause errors = new ErrorPause("the thread of a test");
        Error error = new OutOfMemoryError("on purpose");
        for (int i = 0; i < 6; i++) {
            errors.after(error);
        }

        assertThat(millis(() -> errors.after(error))).isGreaterThanOrEqualTo(32);
    }

    @Test
    void shouldPauseInSpiteOfAnInterrupt() {
        ErrorPause errors = new ErrorPause("the thread of a test");
        for (int i = 0; i < 4; i++) {
            errors.after(new IllegalStateException("on purpose"));
        }
        Thread.currentThread().interrupt();

        assertThat(millis(() -> errors.after(new IllegalStateException("on purpose"))))
                .isGreaterThanOrEqualTo(8);
        assertThat(Thread.interrupted()).isFalse();
    }
}
