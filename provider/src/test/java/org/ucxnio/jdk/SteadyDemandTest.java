package org.ucxnio.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SteadyDemandTest {
    private static final long START = Long.MAX_VALUE - SteadyDemand.FIRST_NANOS / 2;
    private static final int ENOUGH = 3;

    private final SteadyDemand demand = new SteadyDemand(ENOUGH);

    @Test
    void shouldNotBeWorthItForAMoment() {
        for (int i = 0; i < 10 * ENOUGH; i++) {
            assertThat(demand.isWorthIt(START)).isFalse();
            assertThat(demand.isWorthIt(START + SteadyDemand.FIRST_NANOS - 1)).isFalse();
        }
    }

    @Test
    void shouldBeWorthItOnceBehindThat() {
        demand.isWorthIt(START);
        long later = START + SteadyDemand.FIRST_NANOS;
        for (int i = 1; i < ENOUGH; i++) {
            assertThat(demand.isWorthIt(later)).isFalse();
        }
        assertThat(demand.isWorthIt(later)).isTrue();
        assertThat(demand.isWorthIt(later)).isFalse();
    }
}
