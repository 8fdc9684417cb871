package org.ucxnio.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CarrierTurnsTest {
    private static final long TURN = CarrierTurns.TURN_NANOS;

    private final CarrierTurns turns = new CarrierTurns();
    private final long start = System.nanoTime();

    @Test
    void shouldLetOneSpinForAsLongAsItIsAlone() {
        for (int turn = 0; turn < 10; turn++) {
            assertThat(turns.enter(start + turn * TURN * 2)).isTrue();
            turns.leave();
        }
        assertThat(turns.enter(start + 100 * TURN)).isTrue();
        assertThat(turns.enter(start + 200 * TURN))
                .as("beside one that has spun alone until now")
                .isTrue();
        assertThat(turns.enter(start + 201 * TURN)).isTrue();
        assertThat(turns.enter(start + 201 * TURN + 1)).isFalse();
    }

    @Test
    void shouldLetSeveralSpinForATurn() {
        assertThat(turns.enter(start)).isTrue();
        assertThat(turns.enter(start)).isTrue();
        assertThat(turns.enter(start + TURN)).isTrue();
        turns.leave();
        assertThat(turns.enter(start + TURN + 1)).isFalse();
        assertThat(turns.enter(start + 9 * TURN)).isFalse();
    }

    @Test
    void shouldLetThemSpinAgainBehindAMomentWhenOneWasAlone() {
        for (int i = 0; i < 3; i++) {
            assertThat(turns.enter(start)).isTrue();
        }
        long late = start + 2 * TURN;
        turns.leave();
        assertThat(turns.enter(late)).as("beside two").isFalse();
        turns.leave();
        assertThat(turns.enter(late + TURN)).as("beside one").isTrue();
        assertThat(turns.enter(late + TURN)).isTrue();
        assertThat(turns.enter(late + 2 * TURN)).isTrue();
        assertThat(turns.enter(late + 2 * TURN + 1)).isFalse();
    }
}
