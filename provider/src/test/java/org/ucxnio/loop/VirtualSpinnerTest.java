package org.ucxnio.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class VirtualSpinnerTest {
    private static final int USUAL_NANOS = 15_000;
    private static final int USUAL_LOOKS = USUAL_NANOS / (int) VirtualSpinner.LOOK_NANOS;

    /** Its processors have more to do than they can, and a thread that looks has lost its own whenever it does. */
    private static SpinGovernor crowded(String mode) {
        return SpinnerTest.governor(mode, USUAL_NANOS + "ns", () -> SpinnerTest.PROCESSORS + 1, -1);
    }

    /** On a clock of its own, which stands still but for what others do. */
    private static final class ClockedSpinner extends VirtualSpinner {
        private long time = System.nanoTime();
        private long othersTake;
        private int yields;

        ClockedSpinner(SpinGovernor governor) {
            super(governor);
        }

        @Override
        long nanos() {
            return time;
        }

        @Override
        void yieldProcessor() {
            yields++;
            time += othersTake;
        }

        /** Whether it spins, as long as it may, for what would come behind so many looks; else it sleeps for a time. */
        boolean finds(int looks, long sleepNanos) {
            int before = yields;
            boolean found = spin(Long.MAX_VALUE, () -> yields - before >= looks);
            if (!found) {
                time += sleepNanos;
                slept();
            }
            return found;
        }
    }

    @Test
    void shouldLookOnceBehindEachTurnOfOthers() {
        ClockedSpinner spinner = new ClockedSpinner(crowded("adaptive"));
        assertThat(spinner.finds(7, 0)).isTrue();
        assertThat(spinner.yields).isEqualTo(7);
    }

    @Test
    void shouldSpinForItsOwnTimeHoweverLongOthersTake() {
        ClockedSpinner spinner = new ClockedSpinner(crowded("adaptive"));
        spinner.othersTake = 10_000_000;
        assertThat(spinner.finds(Integer.MAX_VALUE, 0)).isFalse();
        assertThat(spinner.yields).isEqualTo(USUAL_LOOKS);
    }

    @Test
    void shouldKeepNobodyFromSpinning() {
        SpinGovernor governor = SpinnerTest.governor("adaptive", USUAL_NANOS + "ns", () -> 1, 50_000);
        ClockedSpinner spinner = new ClockedSpinner(governor);
        spinner.othersTake = 60_000;
        spinner.finds(10, 0);
        assertThat(governor.isCrowded(spinner.nanos())).isFalse();

        for (int i = Runtime.getRuntime().availableProcessors(); i > 1; i--) {
            governor.enter();
        }
        assertThat(spinner.finds(10, 0))
                .as("beside as many threads as may spin")
                .isTrue();
    }

    @Test
    void shouldStopAtTheTimeAskedForHoweverFewLooksThatAre() {
        ClockedSpinner spinner = new ClockedSpinner(crowded("spin"));
        spinner.othersTake = 1_000_000;
        assertThat(spinner.spin(5_000_000, () -> false)).isFalse();
        assertThat(spinner.yields).isEqualTo(5);
    }

    @Test
    void shouldSpinLessAndLessOftenInVain() {
        assertThat(SpinnerTest.vainSpins(new ClockedSpinner(crowded("adaptive")), 64))
                .isBetween(4, 7);
        assertThat(SpinnerTest.vainSpins(new ClockedSpinner(crowded("spin")), 64))
                .isEqualTo(64);
        assertThat(SpinnerTest.vainSpins(new ClockedSpinner(crowded("block")), 64))
                .isZero();
    }

    @Test
    void shouldSpinAgainBehindASleepThatWasShortForAVirtualThread() {
        ClockedSpinner spinner = new ClockedSpinner(crowded("adaptive"));
        SpinnerTest.vainSpins(spinner, 1000);
        while (spinner.finds(Integer.MAX_VALUE, 10 * USUAL_NANOS)) {
            // until it sleeps
        }
        assertThat(spinner.finds(1, 2 * USUAL_NANOS)).as("it is not its turn").isFalse();
        assertThat(spinner.finds(1, 2 * USUAL_NANOS)).isTrue();
    }

    @Test
    void shouldGoOnWithLongSpinsWhereTheyAreNotMuchLongerThanASleep() {
        ClockedSpinner spinner = new ClockedSpinner(crowded("adaptive"));
        int looks = 7 * USUAL_LOOKS;
        for (int sleeps = 0; !spinner.finds(looks, 7 * USUAL_NANOS); sleeps++) {
            assertThat(sleeps).isLessThan(10_000);
        }
        for (int i = 0; i < 40; i++) {
            assertThat(spinner.finds(looks, 7 * USUAL_NANOS)).as("spin %d", i).isTrue();
        }
    }

    @Test
    void shouldSleepWhereSeveralHaveSpunForATurn() {
        SpinGovernor governor = crowded("adaptive");
        ClockedSpinner spinner = new ClockedSpinner(governor);
        ClockedSpinner[] others = {new ClockedSpinner(governor), new ClockedSpinner(governor)};
        for (ClockedSpinner other : others) {
            assertThat(other.begin(Long.MAX_VALUE)).isTrue();
        }
        assertThat(spinner.finds(1, 0)).isTrue();
        spinner.time += 2 * CarrierTurns.TURN_NANOS;
        assertThat(spinner.finds(1, 0)).isFalse();

        for (ClockedSpinner other : others) {
            other.end(true);
        }
        assertThat(spinner.finds(1, 0)).isTrue();
    }

    @Test
    void shouldBeAnotherForThreadsOfTheOtherKindAlone() {
        SpinGovernor governor = crowded("adaptive");
        Spinner virtual = Spinner.ofThread(governor, null, true);
        assertThat(virtual).isInstanceOf(VirtualSpinner.class);
        assertThat(Spinner.ofThread(governor, virtual, true)).isSameAs(virtual);

        Spinner platform = Spinner.ofThread(governor, virtual, false);
        assertThat(platform).isNotInstanceOf(VirtualSpinner.class);
        assertThat(Spinner.ofThread(governor, platform, false)).isSameAs(platform);
        assertThat(Spinner.ofThread(governor, platform, true)).isInstanceOf(VirtualSpinner.class);
    }

    @Test
    void shouldSleepWhereItIsNotItsTurnThoughOthersYield() {
        SpinGovernor governor =
                SpinnerTest.governor("adaptive", "30us", () -> SpinnerTest.PROCESSORS + 1, Long.MAX_VALUE);
        ClockedSpinner spinner = new ClockedSpinner(governor);
        long each = CrowdYields.MAX_EVERY * CrowdYields.PERIOD_NANOS;
        spinner.time += each - spinner.time % each;
        assertThat(spinner.spin(Long.MAX_VALUE, () -> true)).isTrue();
        spinner.slept();
        governor.carrierTurns().enter(spinner.time);
        governor.carrierTurns().enter(spinner.time);
        spinner.time += CarrierTurns.TURN_NANOS + 1;
        spinner.yields = 0;

        assertThat(spinner.spin(Long.MAX_VALUE, () -> spinner.yields > 0)).isFalse();
        assertThat(spinner.yields).isZero();
    }
}
