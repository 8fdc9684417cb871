package org.ucxnio.bench.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ucxnio.bench.table.Unit;

class GoalTest {
    private static final double UNKNOWN = Double.NaN;

    @Test
    void shouldJudgeAgainstANumber() {
        assertThat(Goal.atMost(0.8).verdict(UNKNOWN, 0.8)).isEqualTo("yes");
        assertThat(Goal.atMost(0.8).verdict(UNKNOWN, 0.81)).isEqualTo("no");
        assertThat(Goal.atLeast(10e9).verdict(UNKNOWN, 9e9)).isEqualTo("no");
    }

    @Test
    void shouldJudgeAgainstTheJdk() {
        assertThat(Goal.atMostTimesJdk(1.05).verdict(100, 104)).isEqualTo("yes");
        assertThat(Goal.atLeastTimesJdk(0.95).verdict(100, 94)).isEqualTo("no");
        assertThat(Goal.atMostTimesJdk(1.05).verdict(UNKNOWN, 104)).isEmpty();
    }

    @Test
    void shouldWriteTheUnit() {
        assertThat(Goal.atMost(0.8).write(Unit.MICROS)).isEqualTo("<= 0.80 us");
        assertThat(Goal.atLeast(10e9).write(Unit.GIGABYTES_PER_SECOND)).isEqualTo(">= 10.0 GB/s");
        assertThat(Goal.atMostTimesJdk(1.05).write(Unit.MICROS)).isEqualTo("<= 1.05 x JDK");
        assertThat(Goal.NONE.write(Unit.MICROS)).isEmpty();
    }
}
