package org.ucxnio.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CrowdYieldsTest {
    private static final long PERIOD = CrowdYields.PERIOD_NANOS;
    private static final long TRIAL = CrowdYields.TRIAL_NANOS;
    private static final long SHORT = 10_000;
    private static final long LONG = 1_000_001;

    private CrowdYields yields = new CompiledYields();

    /** Begins with a trial that every process makes, however many it leaves out. */
    private long now = 64 * CrowdYields.MAX_EVERY * PERIOD;

    /** A wait with a yield, where there may be one; else a sleep. A long one is bad. */
    private void one(long takes) {
        long before = now;
        boolean may = yields.mayYield(now);
        now += takes;
        if (may) {
            yields.waited(before, now, takes < LONG);
        }
    }

    /** Waits for so long, so many of a hundred with yields being bad. */
    private void waits(long nanos, int badPercent) {
        long end = now + nanos;
        for (int i = 0; now < end; i++) {
            // Evenly spread.
            one((i + 1) * badPercent / 100 > i * badPercent / 100 ? LONG : SHORT);
        }
    }

    private void toNextPeriod() {
        now += PERIOD - (now & PERIOD - 1);
    }

    private boolean isOn() {
        return yields.mayYield(now - (now & PERIOD - 1) + PERIOD / 2);
    }

    /** A trial from its begin to behind its end; whether threads go on with it. */
    private boolean tryThem(int badPercent) {
        assertThat(now & PERIOD - 1).isZero();
        waits(TRIAL + 2 * LONG, badPercent);
        return isOn();
    }

    @Test
    void shouldTryAtTheBeginOfAPeriodOfTheClockAlone() {
        assertThat(yields.mayYield(now)).isTrue();
        assertThat(yields.mayYield(now + TRIAL - 1)).isTrue();
        assertThat(yields.mayYield(now + TRIAL)).isFalse();
        assertThat(yields.mayYield(now + PERIOD - 1)).isFalse();
        assertThat(yields.mayYield(now + PERIOD)).isTrue();
    }

    @Test
    void shouldGoOnWhereHardlyAnyIsBad() {
        assertThat(tryThem(CrowdYields.BAD_AT_ONCE - 2)).isTrue();
        waits(5 * CrowdYields.LOOK_NANOS, CrowdYields.BAD_AT_ONCE - 1);
        assertThat(isOn()).as("for two seconds").isTrue();
        waits(CrowdYields.YOUNG_NANOS, 0);
        waits(3 * PERIOD, CrowdYields.BAD_LATER - 1);
        assertThat(isOn()).isTrue();
    }

    @Test
    void shouldSleepAgainWhereMoreAreBad() {
        assertThat(tryThem(CrowdYields.BAD_AT_ONCE + 2)).isFalse();
    }

    @Test
    void shouldEndSoonWhereMoreAreBadThanAtFirst() {
        assertThat(tryThem(0)).isTrue();
        waits(3 * CrowdYields.LOOK_NANOS, CrowdYields.BAD_AT_ONCE + 2);
        assertThat(isOn()).isFalse();
    }

    @Test
    void shouldEndLaterWhereTheirP99WouldSuffer() {
        assertThat(tryThem(0)).isTrue();
        waits(2 * CrowdYields.YOUNG_NANOS, 0);
        int looks = 0;
        while (isOn() && looks < 8 * CrowdYields.RECENT_LOOKS) {
            waits(CrowdYields.LOOK_NANOS, CrowdYields.BAD_LATER + 1);
            looks++;
        }
        assertThat(isOn()).isFalse();
        assertThat(looks).as("not for a moment of that").isGreaterThan(2);
    }

    @Test
    void shouldGoOnBehindAMomentInWhichMoreAreBad() {
        assertThat(tryThem(0)).isTrue();
        waits(2 * CrowdYields.YOUNG_NANOS, 0);
        waits(CrowdYields.LOOK_NANOS, CrowdYields.BAD_AT_ONCE - 2);
        assertThat(isOn()).isTrue();
        waits(2 * CrowdYields.LOOK_NANOS, 0);
        assertThat(isOn()).isTrue();
    }

    /** A process that has just come to use rings. */
    private void beNew() {
        yields = new CrowdYields() {
            @Override
            boolean isCompilerInTheWay() {
                return true;
            }
        };
        now += PERIOD / 2;
    }

    @Test
    void shouldBeginAtOnceWhereTheCodeOfRingsIsNotCompiled() {
        beNew();
        waits(CrowdYields.FIRST_JOINING_NANOS, 100);
        waits(CrowdYields.FIRST_TRIAL_NANOS - LONG, CrowdYields.BAD_IN_FIRST_TRIAL - 1);
        assertThat(isOn()).isTrue();
        waits(CrowdYields.YOUNG_NANOS, CrowdYields.BAD_AT_ONCE - 1);
        assertThat(isOn()).isTrue();
    }

    @Test
    void shouldNotTakeAProcessForOldThatHasJustStartedOrThatNothingIsKnownOf() {
        assertThat(hasRunForAWhile(CrowdYields.USED_NANOS)).isTrue();
        assertThat(hasRunForAWhile(CrowdYields.USED_NANOS - 1)).isFalse();
        assertThat(hasRunForAWhile(ProcessorTime.UNKNOWN)).isFalse();
    }

    private static boolean hasRunForAWhile(long kernelNanos) {
        return CrowdYields.hasRunForAWhile(new ProcessorTime.OfProcess(Long.MAX_VALUE, kernelNanos));
    }

    @Test
    void shouldTryAsOftenAsOthersBehindThat() {
        beNew();
        waits(CrowdYields.FIRST_JOINING_NANOS, 0);
        waits(CrowdYields.FIRST_TRIAL_NANOS + 2 * CrowdYields.LOOK_NANOS, CrowdYields.BAD_IN_FIRST_TRIAL - 1);
        assertThat(isOn()).as("bad for others").isFalse();
        assertThat(trialsAmong(CrowdYields.VAIN_TRIALS - 1)).isEqualTo(CrowdYields.VAIN_TRIALS - 1);
    }

    @Test
    void shouldEndSoonerWhereMoreThanTheCompilerIsInTheWay() {
        beNew();
        waits(CrowdYields.FIRST_LOOK_NANOS - LONG, 100);
        assertThat(isOn()).isTrue();
        waits(2 * LONG, 100);
        assertThat(isOn()).isFalse();
        toNextPeriod();
        assertThat(tryThem(0)).isTrue();
    }

    /** Threads join a trial as they are woken. */
    @Test
    void shouldNotCountWhatIsBadAtTheBegin() {
        for (int thread = 0; thread < 1000; thread++) {
            assertThat(yields.mayYield(now)).isTrue();
            yields.waited(now, now + LONG, false);
        }
        assertThat(tryThem(0)).isTrue();
    }

    @Test
    void shouldNotTakeAFewForMany() {
        long end = now + TRIAL;
        for (int i = 0; i < CrowdYields.ENOUGH - 2; i++) {
            now = end - 1_000_000;
            one(SHORT);
        }
        now = end - SHORT / 2;
        yields.waited(now, end, true);
        assertThat(isOn()).isFalse();

        toNextPeriod();
        assertThat(tryThem(0))
                .as("nothing is known of them, and they are tried again")
                .isTrue();
    }

    /** A trial that nobody has ended, as all slept, has nothing to do with the next. */
    @Test
    void shouldCountEachTrialForItself() {
        now += TRIAL / 2;
        for (int thread = 0; thread < 1000; thread++) {
            assertThat(yields.mayYield(now)).isTrue();
            yields.waited(now, now + LONG, false);
        }
        toNextPeriod();
        assertThat(tryThem(0)).isTrue();
    }

    private int trialsAmong(int periods) {
        int trials = 0;
        for (int i = 0; i < periods; i++) {
            toNextPeriod();
            if (yields.mayYield(now)) {
                trials++;
                assertThat(tryThem(100)).isFalse();
            }
        }
        return trials;
    }

    @Test
    void shouldTryLessAndLessOftenInVain() {
        for (int every = 1; every < CrowdYields.MAX_EVERY; every *= 2) {
            int periods = every * CrowdYields.VAIN_TRIALS;
            assertThat(trialsAmong(periods)).as("one in %d", every).isEqualTo(CrowdYields.VAIN_TRIALS);
        }
        assertThat(trialsAmong(4 * CrowdYields.MAX_EVERY)).isEqualTo(4);
    }

    /** Until only one trial in so many is made. */
    private void tryInVain() {
        trialsAmong(2 * CrowdYields.MAX_EVERY * CrowdYields.VAIN_TRIALS);
    }

    @Test
    void shouldTrySoonAgainBehindALongTimeOfYields() {
        tryInVain();
        while (!yields.mayYield(now)) {
            toNextPeriod();
        }
        assertThat(tryThem(0)).isTrue();
        waits(2 * CrowdYields.YOUNG_NANOS, 0);
        waits(4 * CrowdYields.LOOK_NANOS, 100);
        assertThat(isOn()).isFalse();
        assertThat(trialsAmong(CrowdYields.VAIN_TRIALS)).isEqualTo(CrowdYields.VAIN_TRIALS);
    }

    @Test
    void shouldTakeAShortTimeOfYieldsForATrialInVain() {
        for (int trial = 0; trial < CrowdYields.VAIN_TRIALS; trial++) {
            toNextPeriod();
            assertThat(tryThem(0)).isTrue();
            waits(4 * CrowdYields.LOOK_NANOS, 100);
            assertThat(isOn()).isFalse();
        }
        assertThat(trialsAmong(4)).isEqualTo(2);
    }

    /** Who yields seldom hears late that it should not: in so many yields, not in a look. */
    @Test
    void shouldNotJudgeByAFewYields() {
        assertThat(tryThem(0)).isTrue();
        now += CrowdYields.LOOK_NANOS;
        one(SHORT);
        for (int i = 0; i < CrowdYields.ENOUGH - 1; i++) {
            now += CrowdYields.LOOK_NANOS;
            one(LONG);
            assertThat(isOn()).isTrue();
        }
        now += CrowdYields.LOOK_NANOS;
        one(LONG);
        assertThat(isOn()).isFalse();
    }
}
