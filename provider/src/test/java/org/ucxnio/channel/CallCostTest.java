package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallCostTest {
    private final CallCost cost = new CallCost();

    @Test
    void shouldBeTimeOverCalls() {
        cost.add(3_000, 10);
        assertThat(cost.isAbove(300)).isFalse();
        assertThat(cost.isAbove(299)).isTrue();
    }

    @Test
    void shouldBeAboveAnythingWhereTimeIsUsedAndNothingCalled() {
        assertThat(cost.isAbove(0)).as("nothing known").isFalse();
        cost.add(1, 0);
        assertThat(cost.isAbove(Long.MAX_VALUE)).isTrue();
    }

    @Test
    void shouldCountCallsAndNotAdditions() {
        cost.add(1_000_000, 10);
        cost.add(0, 1_000);
        assertThat(cost.isAbove(1_000)).isFalse();
    }

    /** A program that starts uses a hundred times as much for its first calls as for later ones. */
    @Test
    void shouldForgetWhatWasSomeSecondsAgo() {
        cost.add(100_000_000, 100);
        for (int look = 0; look < 3; look++) {
            assertThat(cost.isAbove(40_000)).as("behind %d looks", look).isTrue();
            cost.add(10_000_000, 1_000);
        }
        for (int look = 3; look < 25; look++) {
            cost.add(10_000_000, 1_000);
        }
        assertThat(cost.isAbove(12_000)).isFalse();
    }
}
