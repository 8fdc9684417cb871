package org.ucxnio.bench.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.ucxnio.bench.child.Carried;

class TranscriptTest {
    private final Transcript transcript = new Transcript();

    @Test
    void shouldReadFigures() {
        transcript.add("result", "p50 1.5");
        transcript.add("result", "rate 2.0E7");

        assertThat(transcript.results()).containsEntry("p50", 1.5).containsEntry("rate", 2e7);
    }

    @Test
    void shouldWaitForAWordButNotBeyondTheEnd() throws InterruptedException {
        transcript.add("ready", "1234");

        assertThat(transcript.await("ready", 1, Duration.ZERO)).isTrue();
        assertThat(transcript.await("done", 1, Duration.ofMillis(10))).isFalse();
        transcript.end();
        assertThat(transcript.await("done", 1, Duration.ofDays(1))).isFalse();
    }

    @Test
    void shouldTakeTheLastWordOnWhatWasCarried() {
        assertThat(transcript.carried()).isEqualTo(Carried.ABSENT);
    }
}
