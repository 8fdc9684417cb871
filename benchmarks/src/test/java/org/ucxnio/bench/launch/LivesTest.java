package org.ucxnio.bench.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LivesTest {
    @Test
    void shouldTakePercentilesOfFewValues() {
        List<Double> values = List.of(5.0, 1.0, 3.0, 2.0, 4.0);

        assertThat(Lives.percentile(values, 50)).isEqualTo(3);
        assertThat(Lives.percentile(values, 90)).isEqualTo(5);
        assertThat(Lives.percentile(List.of(7.0), 1)).isEqualTo(7);
    }

    @Test
    void shouldTellWhatAProcessTook() throws LaunchException {
        Lives lives = Lives.begin();
        lives.add(20_000_000, Map.of("first", 3.0));
        lives.add(40_000_000, Map.of("first", 5.0));

        assertThat(lives.results(4_000_000))
                .containsEntry("p50", 3.0)
                .containsEntry("wall-p90", 40.0)
                .containsEntry("cpu-server", 2.0)
                .containsKey("cpu-client");
    }

    @Test
    void shouldFindTheTimeOfChildrenBehindANameWithBlanks() {
        String stat = "7 (a ) name) S 1 7 7 0 -1 4194304 99 0 0 0 11 12 250 34 20 0 1 0 117829";

        assertThat(ProcessorOfChildren.parse(stat)).isEqualTo(Duration.ofMillis(2840));
    }
}
