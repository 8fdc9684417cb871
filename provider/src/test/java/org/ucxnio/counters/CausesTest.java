package org.ucxnio.counters;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CausesTest {
    private long nanos = Long.MAX_VALUE - 10;
    private final Causes causes = new Causes() {
        @Override
        long nanos() {
            return nanos;
        }
    };

    private void fill() {
        for (int i = 0; i < Causes.MOST; i++) {
            assertThat(causes.add("refused 10.0.0." + i)).isTrue();
        }
    }

    @Test
    void shouldTellOfACauseOnce() {
        assertThat(causes.add("a")).isTrue();
        assertThat(causes.add("b")).isTrue();
        assertThat(causes.add("a")).isFalse();
    }

    @Test
    void shouldTellOfWhatIsNewWhenManyOthersWereToldOf() {
        fill();
        assertThat(causes.add("something else")).isTrue();
        assertThat(causes.add("something else")).isFalse();
    }

    @Test
    void shouldTellOfLittleOnceThereWereMany() {
        fill();
        int told = 0;
        for (int i = 0; i < 5000; i++) {
            told += causes.add("refused 10.1.0." + i) ? 1 : 0;
        }
        assertThat(told).isEqualTo(1);
        nanos += Causes.ROOM_NANOS;
        assertThat(causes.add("a")).isTrue();
        assertThat(causes.add("b")).isFalse();
        nanos += Causes.ROOM_NANOS;
        assertThat(causes.add("b")).as("told the next time").isTrue();
    }

    @Test
    void shouldForgetWhatWasSeenLongestAgo() {
        fill();
        assertThat(causes.add("refused 10.0.0.0")).isFalse();
        causes.add("a");
        nanos += Causes.ROOM_NANOS;
        assertThat(causes.add("refused 10.0.0.0")).as("seen lately").isFalse();
        assertThat(causes.add("refused 10.0.0.1")).isTrue();
    }
}
