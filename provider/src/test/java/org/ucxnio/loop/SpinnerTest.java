package org.ucxnio.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.config.Config;

@Timeout(30)
class SpinnerTest {
    private static final int MAY_SPIN = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);

    static final int PROCESSORS = 4;

    /** On a machine with nothing else to do. */
    private static SpinGovernor governor(String mode, String spin) {
        return governor(mode, spin, () -> 1);
    }

    private static SpinGovernor governor(String mode, String spin, IntSupplier wantToRun) {
        return governor(mode, spin, wantToRun, Long.MAX_VALUE);
    }

    static SpinGovernor governor(String mode, String spin, IntSupplier wantToRun, long lostNanos) {
        return new SpinGovernor(
                Config.from(Map.of(Config.WAIT, mode, Config.SPIN, spin)::get),
                new RunQueue(wantToRun, PROCESSORS),
                lostNanos,
                new CompiledYields());
    }

    /** How many of {@code tries} spins are allowed, none of them paying off. */
    static int vainSpins(Spinner spinner, int tries) {
        int spins = 0;
        for (int i = 0; i < tries; i++) {
            if (spinner.begin(Long.MAX_VALUE)) {
                spins++;
                spinner.end(false);
            }
        }
        return spins;
    }

    @Test
    void shouldLetNoMoreThreadsSpinThanLeaveAProcessorFree() {
        SpinGovernor governor = governor("adaptive", "20us");
        for (int i = 0; i < MAY_SPIN; i++) {
            assertThat(governor.enter()).isTrue();
        }
        assertThat(governor.enter()).isFalse();
        assertThat(governor.enter()).isFalse();

        governor.leave();
        assertThat(governor.enter()).isTrue();
    }

    @Test
    void shouldLetEverybodySpinInSpinMode() {
        SpinGovernor governor = governor("spin", "20us");
        for (int i = 0; i < 10 * MAY_SPIN; i++) {
            assertThat(governor.enter()).isTrue();
        }
        assertThat(governor.spinNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldLetNobodySpinWhenToldNotTo() {
        assertThat(governor("block", "20us").enter()).isFalse();
        assertThat(governor("adaptive", "0us").enter()).isFalse();
    }

    @Test
    void shouldSpinShortlyWithoutLeave() {
        SpinGovernor governor = governor("adaptive", "1s");
        for (int i = 0; i < MAY_SPIN; i++) {
            governor.enter();
        }
        Spinner spinner = Spinner.ofThread(governor);
        assertThat(spinner.begin(Long.MAX_VALUE)).isTrue();
        while (spinner.again()) {
            // as long as it may
        }
        spinner.end(false);
        assertThat(spinner.begin(Long.MAX_VALUE))
                .as("it was refused, not in vain")
                .isTrue();
        spinner.end(true);
        governor.leave();
        assertThat(governor.enter())
                .as("it gave back what it had taken, nothing")
                .isTrue();
        assertThat(governor.enter()).isFalse();
    }

    @Test
    void shouldSpinOnWithLeave() {
        SpinGovernor governor = governor("adaptive", "10ms");
        Spinner spinner = Spinner.ofThread(governor);
        assertThat(spinner.begin(Long.MAX_VALUE)).isTrue();
        long start = System.nanoTime();
        while (spinner.again()) {
            // as long as it may
        }
        assertThat(System.nanoTime() - start).isGreaterThan(5_000_000);
        for (int i = 0; i < MAY_SPIN - 1; i++) {
            assertThat(governor.enter()).isTrue();
        }
        assertThat(governor.enter()).as("the spinner counts").isFalse();
        spinner.end(false);
        assertThat(governor.enter()).isTrue();
    }

    @Test
    void shouldSpinLessAndLessOftenInVain() {
        Spinner spinner = Spinner.ofThread(governor("adaptive", "1us"));

        assertThat(vainSpins(spinner, 64)).isBetween(4, 7);
        assertThat(vainSpins(spinner, 330)).as("one in 33").isBetween(9, 11);
    }

    @Test
    void shouldSpinAgainAfterSomeSuccesses() {
        Spinner spinner = Spinner.ofThread(governor("adaptive", "1us"));
        vainSpins(spinner, 1000);
        for (int i = 0; i < 6; i++) {
            succeed(spinner);
        }

        for (int i = 0; i < 10; i++) {
            assertThat(spinner.begin(Long.MAX_VALUE)).isTrue();
            spinner.end(true);
        }
    }

    private static void succeed(Spinner spinner) {
        while (!spinner.begin(Long.MAX_VALUE)) {
            // until it is its turn
        }
        spinner.end(true);
    }

    @Test
    void shouldNotGoOnSpinningForASuccessNowAndThen() {
        Spinner spinner = Spinner.ofThread(governor("adaptive", "1us"));
        int spins = 0;
        for (int i = 0; i < 3000; i++) {
            if (spinner.begin(Long.MAX_VALUE)) {
                spinner.end(spins++ % 3 == 0);
            }
        }
        assertThat(spins).as("a third of them pays off").isLessThan(300);
    }

    /** As where an answer was there before the sleeper slept. */
    @Test
    void shouldSpinAgainWhereASleepWasSoShortThatASpinWouldHavePaidOff() {
        Spinner spinner = Spinner.ofThread(governor("adaptive", "1s"));
        assertThat(spinner.begin(Long.MAX_VALUE)).isTrue();
        spinner.end(false);
        assertThat(spinner.begin(Long.MAX_VALUE)).isFalse();
        spinner.slept();
        assertThat(spinner.begin(Long.MAX_VALUE)).isTrue();
        spinner.end(false);
    }

    @Test
    void shouldTryALongSpinNowAndThenWhereWaitsAreShort() {
        assertThat(new ClockedSpinner(governor("adaptive", "50us")).longestSpin(100_000))
                .isGreaterThanOrEqualTo(500_000);
    }

    @Test
    void shouldTryNoLongSpinWhereWaitsAreLong() {
        assertThat(new ClockedSpinner(governor("adaptive", "50us")).longestSpin(2_000_000))
                .isBetween(50_000L, 499_999L);
    }

    /** On a clock of its own, which goes on by a microsecond whenever it is read: nobody takes its processor from it. */
    private static final class ClockedSpinner extends Spinner {
        private long time = System.nanoTime();
        private long yieldTakes;
        private int yields;
        private long firstYield;

        ClockedSpinner(SpinGovernor governor) {
            this(governor, WORTH_IT);
        }

        ClockedSpinner(SpinGovernor governor, int worthIt) {
            super(governor, worthIt, 1);
        }

        @Override
        long nanos() {
            return time += 1000;
        }

        @Override
        void yieldProcessor() {
            if (yields++ == 0) {
                firstYield = time - startedAt();
            }
            time += yieldTakes;
        }

        private void sleep(int nanos) {
            time += nanos;
            slept();
        }

        /** The longest of some spins in vain, with sleeps of that length between them. */
        long longestSpin(int sleepNanos) {
            long longest = 0;
            for (int i = 0; i < 300; i++) {
                if (begin(Long.MAX_VALUE)) {
                    while (again()) {
                        // until the time is over
                    }
                    longest = Math.max(longest, now() - startedAt());
                    end(false);
                }
                sleep(sleepNanos);
            }
            return longest;
        }

        /** Spins in vain until it may not any more; returns the looks that it was to take behind a yield. */
        int spinOn() {
            int looks = 0;
            assertThat(begin(Long.MAX_VALUE)).isTrue();
            while (now() - startedAt() < 1_000_000 && again()) {
                if (yields > 0) {
                    looks++;
                }
            }
            end(false);
            return looks;
        }

        /** Spins, and sleeps where it may not, until a spin has found something {@code nanos} behind its beginning; returns the sleeps. */
        int sleepsUntilFound(int nanos) {
            int sleeps = 0;
            while (true) {
                if (begin(Long.MAX_VALUE)) {
                    while (now() - startedAt() < nanos && again()) {
                        // until it is there
                    }
                    boolean found = now() - startedAt() >= nanos;
                    end(found);
                    if (found) {
                        return sleeps;
                    }
                }
                sleeps++;
                sleep(nanos);
            }
        }
    }

    @Test
    void shouldGoOnWithLongSpinsWhereTheyAreNotMuchLongerThanOthers() {
        ClockedSpinner spinner = new ClockedSpinner(governor("adaptive", "50us"));
        spinner.sleepsUntilFound(200_000);
        for (int i = 0; i < 40; i++) {
            assertThat(spinner.sleepsUntilFound(100_000)).as("spin %d", i).isZero();
        }
    }

    /** What a selecting thread waits for comes later than a usual spin lasts because its peer sleeps. */
    @Test
    void shouldEndLongSpinsOfASelectingThreadThatAreLongerThanOthers() {
        assertThat(sleepsBesideSpins(Spinner.WORTH_IT))
                .as("of a thread that waits for itself")
                .isLessThan(100);
        assertThat(sleepsBesideSpins(Spinner.SELECTOR_WORTH_IT))
                .as("of a selecting one")
                .isGreaterThan(1000);
    }

    private static int sleepsBesideSpins(int worthIt) {
        ClockedSpinner spinner = new ClockedSpinner(governor("adaptive", "50us"), worthIt);
        int sleeps = 0;
        for (int i = 0; i < 500; i++) {
            sleeps += spinner.sleepsUntilFound(100_000);
        }
        return sleeps;
    }

    @Test
    void shouldOfferItsProcessorWhileItSpins() {
        ClockedSpinner spinner = new ClockedSpinner(governor("adaptive", "30us"));
        spinner.spinOn();
        assertThat(spinner.yields).isBetween(7, 11);
        assertThat(spinner.firstYield)
                .as("spins as short as this take nothing from anybody")
                .isGreaterThanOrEqualTo(2_000);

        ClockedSpinner heedless = new ClockedSpinner(governor("spin", "30us"));
        heedless.spinOn();
        assertThat(heedless.yields).isZero();
    }

    @Test
    void shouldLookOnceMoreWhereItsProcessorWasTakenForAMoment() {
        ClockedSpinner spinner = new ClockedSpinner(governor("adaptive", "30us", () -> 1, 200_000));
        spinner.yieldTakes = 100_000;
        assertThat(spinner.spinOn()).as("looks behind the yield").isOne();
        assertThat(spinner.now() - spinner.startedAt()).as("longer than a spin").isGreaterThan(100_000);
        assertThat(spinner.begin(Long.MAX_VALUE))
                .as("one is left out, as the first was in vain")
                .isFalse();
        assertThat(spinner.begin(Long.MAX_VALUE))
                .as("nobody is kept from spinning")
                .isTrue();
    }

    @Test
    void shouldStopWhereItsProcessorIsTakenForLong() {
        SpinGovernor governor = governor("adaptive", "30us", () -> 1, 200_000);
        ClockedSpinner spinner = new ClockedSpinner(governor);
        spinner.yieldTakes = 300_000;
        spinner.spinOn();
        assertThat(spinner.yields).isOne();
        assertThat(governor.isCrowded(spinner.now()))
                .as("nobody spins for a while")
                .isTrue();
    }

    @Test
    void shouldEndLongSpinsWhereWhatTheyWaitForComesAsLateAsBefore() {
        ClockedSpinner spinner = new ClockedSpinner(governor("adaptive", "50us"));
        int spins = 0;
        for (int sleeps = 0; sleeps < 3000 && spins < 1000; sleeps += spinner.sleepsUntilFound(200_000)) {
            spins++;
        }
        assertThat(spins).as("long spins beside 3,000 sleeps").isBetween(9, 75);
    }

    @Test
    void shouldStopWhereItHasLostItsProcessor() {
        Spinner spinner = Spinner.ofThread(governor("adaptive", "1s", () -> 1, -1));
        assertThat(spinner.begin(Long.MAX_VALUE)).isTrue();
        assertThat(spinner.again()).isFalse();
        spinner.end(true);
        assertThat(spinner.begin(Long.MAX_VALUE)).as("a little later").isFalse();

        Spinner heedless = Spinner.ofThread(governor("spin", "1s", () -> 1, -1));
        assertThat(heedless.begin(Long.MAX_VALUE)).isTrue();
        assertThat(heedless.again()).isTrue();
        heedless.end(true);
    }

    @Test
    void shouldAlwaysSpinInSpinMode() {
        assertThat(vainSpins(Spinner.ofThread(governor("spin", "1us")), 100)).isEqualTo(100);
    }

    @Test
    void shouldStopAtTheTimeConfiguredOrAskedFor() {
        Spinner configured = Spinner.ofThread(governor("adaptive", "200us"));
        assertThat(spinFor(configured, Long.MAX_VALUE)).isGreaterThanOrEqualTo(200_000);

        Spinner asked = Spinner.ofThread(governor("spin", "1s"));
        assertThat(spinFor(asked, 300_000)).isGreaterThanOrEqualTo(300_000);
    }

    private static long spinFor(Spinner spinner, long maxNanos) {
        assertThat(spinner.begin(maxNanos)).isTrue();
        long start = spinner.now();
        while (spinner.again()) {
            // until the time is over
        }
        spinner.end(false);
        return spinner.now() - start;
    }

    private static boolean mayBegin(String mode, int wantToRun) {
        return Spinner.ofThread(governor(mode, "1us", () -> wantToRun)).begin(Long.MAX_VALUE);
    }

    @Test
    void shouldNotSpinWhereMoreThreadsWantToRunThanThereAreProcessors() {
        assertThat(mayBegin("adaptive", PROCESSORS)).isTrue();
        assertThat(mayBegin("adaptive", PROCESSORS + 1)).isFalse();
        assertThat(mayBegin("adaptive", LoadAverage.UNKNOWN)).isTrue();
        assertThat(mayBegin("spin", PROCESSORS + 1)).isTrue();
        assertThat(mayBegin("block", 1)).isFalse();
    }

    @Test
    void shouldSpinAgainAtOnceWhereTheCrowdHasGone() throws InterruptedException {
        AtomicInteger wantToRun = new AtomicInteger(PROCESSORS + 1);
        Spinner spinner = Spinner.ofThread(governor("adaptive", "1us", wantToRun::get));
        for (int i = 0; i < 100; i++) {
            assertThat(spinner.begin(Long.MAX_VALUE)).isFalse();
        }
        wantToRun.set(1);
        Thread.sleep(2);
        assertThat(spinner.begin(Long.MAX_VALUE)).isTrue();
        spinner.end(false);
    }

    @Test
    void shouldGiveItsPlaceBack() {
        SpinGovernor governor = governor("adaptive", "1us");
        Spinner spinner = Spinner.ofThread(governor);
        for (int i = 0; i < 1000; i++) {
            if (spinner.begin(Long.MAX_VALUE)) {
                spinner.end(i % 2 == 0);
            }
        }
        for (int i = 0; i < MAY_SPIN; i++) {
            assertThat(governor.enter()).isTrue();
        }
    }

    /** In a crowd, at the begin of a trial. */
    private static ClockedSpinner spinnerInACrowd(String mode, int wantToRun) {
        return spinnerInACrowd(mode, "30us", () -> wantToRun);
    }

    private static ClockedSpinner spinnerInACrowd(String mode, String spin, IntSupplier wantToRun) {
        ClockedSpinner spinner = new ClockedSpinner(governor(mode, spin, wantToRun));
        long each = CrowdYields.MAX_EVERY * CrowdYields.PERIOD_NANOS;
        spinner.time += each - spinner.time % each;
        // A first wait, which was short.
        spinner.spin(Long.MAX_VALUE, () -> true);
        spinner.slept();
        spinner.yields = 0;
        return spinner;
    }

    /** Whether it finds what is there behind so many yields. */
    private static boolean finds(ClockedSpinner spinner, int yields) {
        int before = spinner.yields;
        return spinner.spin(Long.MAX_VALUE, () -> spinner.yields - before >= yields);
    }

    @Test
    void shouldYieldInACrowdWhereOthersDo() {
        ClockedSpinner spinner = spinnerInACrowd("adaptive", PROCESSORS + 1);
        for (int i = 0; i < 10; i++) {
            assertThat(finds(spinner, Spinner.YIELDS)).isTrue();
        }
        int before = spinner.yields;
        assertThat(finds(spinner, Spinner.YIELDS + 1)).isFalse();
        assertThat(spinner.yields - before).isEqualTo(Spinner.YIELDS);

        spinner.time += CrowdYields.TRIAL_NANOS;
        assertThat(finds(spinner, 1)).as("few have, and most sleep").isFalse();
        assertThat(spinner.yields - before).isEqualTo(Spinner.YIELDS);
    }

    @Test
    void shouldNotYieldWhereThereIsNoCrowdOrNobodyIsToSpin() {
        ClockedSpinner alone = spinnerInACrowd("adaptive", 1);
        vainSpins(alone, 100);
        alone.yields = 0;
        for (int i = 0; i < 20; i++) {
            alone.spin(1000, () -> false);
        }
        assertThat(alone.yields).isZero();

        ClockedSpinner blocking = spinnerInACrowd("block", PROCESSORS + 1);
        assertThat(finds(blocking, 1)).isFalse();
        assertThat(blocking.yields).isZero();

        ClockedSpinner sleeping = spinnerInACrowd("adaptive", "0us", () -> PROCESSORS + 1);
        assertThat(finds(sleeping, 1)).isFalse();
        assertThat(sleeping.yields).isZero();
    }

    @Test
    void shouldSpinAgainOnceTheCrowdHasGone() {
        AtomicInteger wantToRun = new AtomicInteger(PROCESSORS + 1);
        ClockedSpinner spinner = spinnerInACrowd("adaptive", "30us", wantToRun::get);
        assertThat(finds(spinner, 1)).isTrue();
        wantToRun.set(1);
        for (int look = 0; look < 2; look++) {
            spinner.time += RunQueue.LOOK_NANOS;
            spinner.governor.isCrowded(spinner.time);
        }

        AtomicInteger looks = new AtomicInteger();
        assertThat(spinner.spin(Long.MAX_VALUE, () -> looks.incrementAndGet() > 2 * Spinner.YIELDS))
                .isTrue();
    }

    @Test
    void shouldNotYieldBehindALongWait() {
        ClockedSpinner spinner = spinnerInACrowd("adaptive", PROCESSORS + 1);
        assertThat(finds(spinner, Spinner.YIELDS + 1)).isFalse();
        spinner.time += Spinner.SHORT_WAIT_NANOS;
        spinner.slept();
        assertThat(finds(spinner, 1)).isFalse();
        spinner.slept();
        assertThat(finds(spinner, 1)).as("behind a short one").isTrue();
    }

    @Test
    void shouldYieldNoMoreBehindOneThatComesBackLate() {
        ClockedSpinner spinner = spinnerInACrowd("adaptive", PROCESSORS + 1);
        spinner.yieldTakes = CrowdYields.LATE_NANOS;
        int before = spinner.yields;
        assertThat(finds(spinner, 2)).isFalse();
        assertThat(spinner.yields - before).isOne();
    }

    @Test
    void shouldNotYieldBeyondTheTimeAskedFor() {
        ClockedSpinner spinner = spinnerInACrowd("adaptive", PROCESSORS + 1);
        spinner.yieldTakes = 100_000;
        assertThat(spinner.spin(50_000, () -> false)).isFalse();
        assertThat(spinner.yields).isOne();
    }

    /** Many waits in a trial, the last of which ends behind it; then one that finds something behind a yield, if it yields. */
    private static boolean yieldsBehindATrialOf(ClockedSpinner spinner, int yieldsOfEach, boolean found) {
        long begin = spinner.time - spinner.time % CrowdYields.PERIOD_NANOS;
        spinner.time = begin + CrowdYields.JOINING_NANOS;
        for (int i = 0; i < 2 * CrowdYields.ENOUGH; i++) {
            assertThat(finds(spinner, yieldsOfEach)).isEqualTo(found);
        }
        spinner.time = begin + CrowdYields.TRIAL_NANOS - 3000;
        finds(spinner, Integer.MAX_VALUE);
        return finds(spinner, 1);
    }

    @Test
    void shouldGoOnYieldingBehindATrialThatPaidOff() {
        assertThat(yieldsBehindATrialOf(spinnerInACrowd("adaptive", PROCESSORS + 1), 1, true))
                .isTrue();
    }

    @Test
    void shouldSleepBehindATrialInVain() {
        assertThat(yieldsBehindATrialOf(spinnerInACrowd("adaptive", PROCESSORS + 1), Spinner.YIELDS + 1, false))
                .isFalse();
    }

    /** What it waits for is there, but others had the processor for long. */
    @Test
    void shouldSleepBehindATrialWhoseYieldsWereLate() {
        ClockedSpinner spinner = spinnerInACrowd("adaptive", PROCESSORS + 1);
        long begin = spinner.time - spinner.time % CrowdYields.PERIOD_NANOS;
        spinner.yieldTakes = CrowdYields.LATE_NANOS;
        for (int i = 0; i < 2 * CrowdYields.ENOUGH; i++) {
            spinner.time = begin + CrowdYields.JOINING_NANOS;
            assertThat(finds(spinner, 1)).isTrue();
        }
        spinner.time = begin + CrowdYields.TRIAL_NANOS - 3000;
        assertThat(finds(spinner, 1)).isTrue();
        assertThat(finds(spinner, 1)).isFalse();
    }
}
