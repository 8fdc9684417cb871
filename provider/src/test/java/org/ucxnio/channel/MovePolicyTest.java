package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.channel.MovePolicy.Waiter;
import org.ucxnio.config.Config;
import org.ucxnio.loop.ProcessorLimit;
import org.ucxnio.loop.ProcessorTime;
import org.ucxnio.session.Pace;

class MovePolicyTest {
    private static final int MOST_USES = 1000;
    private static final int FEW_BYTES = MovePolicy.BULK_BYTES - 1;
    private static final int OFTEN = callsOfLook(MovePolicy.SELDOM_CALLS);
    private static final int SELDOM = OFTEN - MovePolicy.ASK_USES;
    private static final long BUSY_NANOS = MovePolicy.LOOK_NANOS * MovePolicy.IDLER_PERCENT / 100;
    private static final long SPARE_NANOS = MovePolicy.LOOK_NANOS * MovePolicy.SPARE_PERCENT / 100;

    private final FakeMachine machine = new FakeMachine();

    private long nanos = Long.MAX_VALUE - 10;

    private boolean gainsInCrowd = true;

    private static final class FakeMachine implements MovePolicy.Machine {
        boolean crowded;
        long idleNanos;
        long limitPercent = ProcessorLimit.NONE;
        long processNanos;
        long kernelNanos = MovePolicy.RIPE_NANOS;
        long compilerNanos = -1;
        boolean hasUsedRings;
        int looksAtTime;
        int looksAtCrowd;
        int looksAtCompiler;
        int looksAtLimit;

        @Override
        public boolean isCrowded() {
            looksAtCrowd++;
            return crowded;
        }

        @Override
        public long idleNanos() {
            return idleNanos;
        }

        @Override
        public long limitPercent() {
            looksAtLimit++;
            return limitPercent;
        }

        @Override
        public ProcessorTime.OfProcess process() {
            looksAtTime++;
            return new ProcessorTime.OfProcess(processNanos, kernelNanos);
        }

        @Override
        public long compilerNanos() {
            looksAtCompiler++;
            return compilerNanos;
        }

        @Override
        public boolean hasUsedRings() {
            return hasUsedRings;
        }
    }

    /** One whose process has used its connections often. */
    private MovePolicy policy(int switchAfter) {
        return policyOfCaller(switchAfter, MovePolicy.CROWD_RIPE_CALLS, MovePolicy.CHEAP_CALL_NANOS + 1);
    }

    private MovePolicy policyOfCaller(int switchAfter, int calls, long nanosOfCall) {
        MovePolicy policy = newPolicy(switchAfter);
        call(policy, calls);
        machine.processNanos += calls * nanosOfCall;
        return policy;
    }

    /** The same, but not often enough for a crowd. */
    private MovePolicy policyWithFewerCalls() {
        return policyOfCaller(Config.AUTO, MovePolicy.RIPE_CALLS, MovePolicy.CHEAP_CALL_NANOS + 1);
    }

    private MovePolicy newPolicy(int switchAfter) {
        return new MovePolicy(switchAfter, gainsInCrowd, machine) {
            @Override
            long nanos() {
                return nanos;
            }
        };
    }

    /** However many connections it uses for that. */
    private static void call(MovePolicy policy, int calls) {
        call(policy, calls, false);
    }

    private static void call(MovePolicy policy, int calls, boolean rests) {
        for (int i = 1; i <= calls; i++) {
            policy.isDue(i % (MOST_USES * MovePolicy.ASK_USES), rests);
        }
    }

    /** So many between two looks, where there are as many as given in a second. */
    private static int callsOfLook(int callsOfSecond) {
        return (int) (callsOfSecond * MovePolicy.LOOK_NANOS / TimeUnit.SECONDS.toNanos(1));
    }

    /** For a process that has much to do. */
    private boolean allows(MovePolicy policy) {
        return refusal(policy, Waiter.SELECTOR, FEW_BYTES) == null;
    }

    private String refusal(MovePolicy policy, Waiter waiter, long bytesOfCall) {
        machine.processNanos += 2 * BUSY_NANOS;
        return policy.refusal(waiter, bytesOfCall);
    }

    private static int firstDue(MovePolicy policy) {
        int used = 1;
        while (!policy.isDue(used, false) && used < MOST_USES) {
            used++;
        }
        return used;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 17, 128})
    void shouldDoWhatItIsToldHoweverCrowdedItIs(int switchAfter) {
        machine.crowded = true;
        MovePolicy policy = policy(switchAfter);

        assertThat(policy.atOnce()).isFalse();
        assertThat(firstDue(policy)).isEqualTo(switchAfter);
        assertThat(policy.isDue(switchAfter + 1, false)).as("again").isFalse();
        assertThat(allows(policy)).isTrue();
    }

    @Test
    void shouldMoveAtOnceWhereItIsToldTo() {
        assertThat(policy(0).atOnce()).isTrue();
        assertThat(policy(Config.AUTO).atOnce()).isFalse();
    }

    @Test
    void shouldAskAgainAndAgainByItself() {
        MovePolicy policy = policy(Config.AUTO);
        int first = firstDue(policy);

        assertThat(first).isBetween(MovePolicy.ASK_USES, MOST_USES - 1);
        assertThat(policy.isDue(first + 1, false)).isFalse();
        assertThat(policy.isDue(first + MovePolicy.ASK_USES, false)).isTrue();
    }

    @Test
    void shouldWaitUntilProcessorsAreFree() {
        machine.crowded = true;
        MovePolicy policy = policyWithFewerCalls();
        assertThat(allows(policy)).isFalse();
        assertThat(allows(policy)).isFalse();

        machine.crowded = false;
        assertThat(allows(policy)).isTrue();
    }

    @Test
    void shouldMoveAllThatIsUsedOnceProcessorsAreFree() {
        MovePolicy policy = policyWithFewerCalls();
        assertThat(allows(policy)).isTrue();

        machine.crowded = true;
        nanos += MovePolicy.CALM_NANOS - 1;
        assertThat(allows(policy)).as("another connection of the same selector").isTrue();
        nanos++;
        assertThat(allows(policy)).isFalse();
    }

    @Test
    void shouldMoveOnceTheKernelHasTakenItsTime() {
        machine.kernelNanos = MovePolicy.RIPE_NANOS - 1;
        MovePolicy policy = policyWithFewerCalls();
        assertThat(allows(policy)).isFalse();

        machine.kernelNanos++;
        assertThat(allows(policy)).as("looks seldom").isFalse();
        nanos += MovePolicy.LOOK_NANOS;
        assertThat(allows(policy)).isTrue();
        assertThat(machine.looksAtTime).isEqualTo(2);

        machine.crowded = true;
        nanos += MovePolicy.LOOK_NANOS;
        assertThat(allows(policy)).as("a crowd").isFalse();
    }

    @Test
    void shouldMoveVirtualThreadsOnACrowdedMachineAsSoonAsOnBusyProcessors() {
        machine.crowded = true;
        for (boolean gain : new boolean[] {true, false}) {
            gainsInCrowd = gain;
            machine.kernelNanos = MovePolicy.RIPE_NANOS - 1;
            MovePolicy policy = policyWithFewerCalls();
            assertThat(refusal(policy, Waiter.VIRTUAL_THREAD, FEW_BYTES)).contains("threads");

            machine.kernelNanos++;
            nanos += MovePolicy.LOOK_NANOS;
            assertThat(refusal(policy, Waiter.VIRTUAL_THREAD, FEW_BYTES) == null)
                    .isEqualTo(gain);
            assertThat(refusal(policy, Waiter.SELECTOR, FEW_BYTES))
                    .as("no calm moment for others, who have called too seldom")
                    .contains("threads");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "VIRTUAL_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldMoveOthersOnACrowdedMachineOnceTheKernelHasTakenAsMuchAndWhereThatGains(Waiter waiter) {
        for (boolean gains : new boolean[] {true, false}) {
            gainsInCrowd = gains;
            machine.crowded = true;
            machine.kernelNanos = MovePolicy.RIPE_NANOS - 1;
            MovePolicy policy = policy(Config.AUTO);
            assertThat(refusal(policy, waiter, FEW_BYTES)).contains("threads");

            machine.kernelNanos++;
            nanos += MovePolicy.LOOK_NANOS;
            assertThat(refusal(policy, waiter, FEW_BYTES) == null).isEqualTo(gains);
        }
    }

    @Test
    void shouldMoveOnceAProcessorIsFreeForSomeLooks() {
        machine.kernelNanos = 0;
        MovePolicy policy = policy(Config.AUTO);
        assertThat(allows(policy)).isFalse();

        for (int look = 1; look < MovePolicy.SPARE_LOOKS; look++) {
            leave(2 * SPARE_NANOS, 2 * MovePolicy.LOOK_NANOS);
            assertThat(allows(policy)).isFalse();
        }
        leave(2 * SPARE_NANOS - 1, 2 * MovePolicy.LOOK_NANOS);
        assertThat(allows(policy)).isFalse();

        for (int look = 1; look < MovePolicy.SPARE_LOOKS; look++) {
            leave(SPARE_NANOS, MovePolicy.LOOK_NANOS);
            assertThat(allows(policy)).isFalse();
        }
        leave(SPARE_NANOS, MovePolicy.LOOK_NANOS);
        assertThat(allows(policy)).isTrue();
    }

    /** So much of a processor's time in the next {@code time}. */
    private void leave(long idle, long time) {
        machine.idleNanos += idle;
        nanos += time;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWaitUntilConnectionsWereUsedOften(boolean crowded) {
        machine.crowded = crowded;
        machine.kernelNanos = MovePolicy.RIPE_ANYHOW * MovePolicy.RIPE_NANOS;
        int ripe = crowded ? MovePolicy.CROWD_RIPE_CALLS : MovePolicy.RIPE_CALLS;
        MovePolicy policy = policyOfCaller(Config.AUTO, ripe - MovePolicy.ASK_USES, MovePolicy.CHEAP_CALL_NANOS + 1);
        assertThat(allows(policy)).isFalse();

        call(policy, MovePolicy.ASK_USES);
        nanos += MovePolicy.LOOK_NANOS;
        assertThat(allows(policy)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWaitForHalfWhereAProcessDoesNextToNothingButCall(boolean crowded) {
        machine.crowded = crowded;
        int steps = (crowded ? MovePolicy.CROWD_RIPE_CALLS : MovePolicy.RIPE_CALLS) / 2 / MovePolicy.ASK_USES;
        int half = (steps + 1) * MovePolicy.ASK_USES;
        // Looking takes some of its time too.
        long cheap = MovePolicy.CHEAP_CALL_NANOS - 2 * BUSY_NANOS / (half - 2 * MovePolicy.ASK_USES) - 1;
        for (boolean calls : new boolean[] {false, true}) {
            for (boolean kernel : new boolean[] {false, true}) {
                machine.processNanos = 0;
                machine.kernelNanos = MovePolicy.RIPE_NANOS / 2 - (kernel ? 0 : 1);
                MovePolicy policy = policyOfCaller(Config.AUTO, half - (calls ? 0 : 2 * MovePolicy.ASK_USES), cheap);
                assertThat(allows(policy)).isEqualTo(calls && kernel);
            }
        }
        machine.processNanos = 0;
        assertThat(allows(policyOfCaller(Config.AUTO, half, MovePolicy.CHEAP_CALL_NANOS + 1)))
                .as("does more")
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWaitUntilItsCallsAreMuchOfWhatAProcessDoes(boolean crowded) {
        machine.crowded = crowded;
        machine.kernelNanos = MovePolicy.RIPE_ANYHOW * MovePolicy.RIPE_NANOS;
        MovePolicy policy = policy(Config.AUTO);
        machine.processNanos = MovePolicy.CROWD_RIPE_CALLS * MovePolicy.DEAR_CALL_NANOS + 1;
        assertThat(policy.refusal(Waiter.SELECTOR, FEW_BYTES)).contains(crowded ? "threads" : "between its calls");

        for (boolean calls : new boolean[] {false, true}) {
            call(policy, calls ? (int) (3 * BUSY_NANOS / MovePolicy.DEAR_CALL_NANOS) : 0);
            machine.processNanos += BUSY_NANOS;
            nanos += MovePolicy.LOOK_NANOS;
            assertThat(policy.refusal(Waiter.SELECTOR, FEW_BYTES) == null).isEqualTo(calls);
        }
    }

    @Test
    void shouldMoveWhateverElseAProcessDoesOnceAProcessorIsFree() {
        MovePolicy policy = policy(Config.AUTO);
        machine.processNanos = 2 * MovePolicy.CROWD_RIPE_CALLS * MovePolicy.DEAR_CALL_NANOS;
        assertThat(refusalBehindSpareLooks(policy, 0, BUSY_NANOS)).isNull();
    }

    @Test
    void shouldLeaveIdlersWithTcp() {
        assertThat(refusalBehindSpareLooks(newPolicy(Config.AUTO), OFTEN, BUSY_NANOS - 1))
                .contains("idle");
        assertThat(refusalBehindSpareLooks(newPolicy(Config.AUTO), SELDOM, BUSY_NANOS))
                .isNull();
    }

    @Test
    void shouldMoveIdlersThatCallOftenOnceTheyHaveForLong() {
        assertThat(refusalBehindSpareLooks(policy(Config.AUTO), SELDOM, 0)).contains("idle");
        assertThat(refusalBehindSpareLooks(policy(Config.AUTO), OFTEN, 0)).isNull();
    }

    /** 100 steps of calls, of which as many are of connections that rest. */
    @ParameterizedTest
    @CsvSource({"60, false", "61, true"})
    void shouldLeaveWithTcpWhoseMessagesAreFarApart(int resting, boolean stays) {
        MovePolicy policy = newPolicy(Config.AUTO);
        String refusal = refusalBehindSpareLooks(policy, BUSY_NANOS, () -> callResting(policy, resting));
        assertThat("messages of this process are far apart".equals(refusal)).isEqualTo(stays);
        assertThat(refusal == null).isEqualTo(!stays);
    }

    private static void callResting(MovePolicy policy, int steps) {
        call(policy, steps * MovePolicy.ASK_USES, true);
        call(policy, (100 - steps) * MovePolicy.ASK_USES, false);
    }

    @Test
    void shouldMoveThemOnceTheyDoNotRest() {
        MovePolicy policy = newPolicy(Config.AUTO);
        assertThat(refusalBehindSpareLooks(policy, BUSY_NANOS, () -> callResting(policy, 100)))
                .contains("far apart");
        callResting(policy, 0);
        machine.processNanos += MovePolicy.IDLER_LOOK_NANOS;
        nanos += MovePolicy.IDLER_LOOK_NANOS;
        assertThat(refusalBehindSpareLooks(policy, BUSY_NANOS, () -> callResting(policy, 0)))
                .isNull();
        assertThat(policy.pace()).isEqualTo(Pace.STEADILY);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, false", "0, 1, true", "1, 0, true"})
    void shouldMoveThemAtLastWhereTwoProcessorsAreFree(int fewerSteps, long lessIdle, boolean stays) {
        long ample = MovePolicy.IDLER_LOOK_NANOS * MovePolicy.AMPLE_PERCENT / 100;
        MovePolicy policy = newPolicy(Config.AUTO);
        call(policy, MovePolicy.RIPE_CALLS, true);
        String refusal = policy.refusal(Waiter.SELECTOR, FEW_BYTES);
        for (int look = 0; look < MovePolicy.SPARE_LOOKS; look++) {
            assertThat(refusal).isEqualTo("messages of this process are far apart");
            call(policy, MovePolicy.SELDOM_CALLS - fewerSteps * MovePolicy.ASK_USES, true);
            machine.processNanos += MovePolicy.IDLER_LOOK_NANOS;
            leave(ample - lessIdle, MovePolicy.IDLER_LOOK_NANOS);
            refusal = policy.refusal(Waiter.SELECTOR, FEW_BYTES);
        }
        assertThat(refusal == null).isEqualTo(!stays);
        assertThat(policy.pace()).isEqualTo(Pace.SLOWLY);
    }

    /** A moment's crowd changes nothing, nor does its end. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLeaveThemWithTcpWhateverTheKernelHasTaken(boolean crowded) {
        machine.kernelNanos = MovePolicy.RIPE_ANYHOW * MovePolicy.RIPE_NANOS;
        MovePolicy policy = newPolicy(Config.AUTO);
        call(policy, MovePolicy.CROWD_RIPE_CALLS, true);
        for (boolean now : new boolean[] {crowded, !crowded, crowded}) {
            machine.crowded = now;
            assertThat(policy.refusal(Waiter.SELECTOR, FEW_BYTES)).isEqualTo("messages of this process are far apart");
            call(policy, MovePolicy.SELDOM_CALLS, true);
            machine.processNanos += MovePolicy.IDLER_LOOK_NANOS;
            leave(MovePolicy.IDLER_LOOK_NANOS, MovePolicy.IDLER_LOOK_NANOS);
        }
    }

    @Test
    void shouldNotMoveThemEarlierWhereTwoProcessorsAreFree() {
        MovePolicy policy = newPolicy(Config.AUTO);
        for (int calls = 0; calls < MovePolicy.RIPE_CALLS; calls += MovePolicy.SELDOM_CALLS) {
            assertThat(policy.refusal(Waiter.SELECTOR, FEW_BYTES)).isNotNull();
            call(policy, MovePolicy.SELDOM_CALLS, true);
            machine.processNanos += MovePolicy.IDLER_LOOK_NANOS;
            leave(2 * MovePolicy.IDLER_LOOK_NANOS, MovePolicy.IDLER_LOOK_NANOS);
        }
    }

    @Test
    void shouldMoveThoseWhoseMessagesAreFarApartWhereTheirCodeForRingsIsCompiled() {
        machine.hasUsedRings = true;
        MovePolicy policy = newPolicy(Config.AUTO);
        assertThat(refusalBehindSpareLooks(policy, BUSY_NANOS, () -> callResting(policy, 100)))
                .isNull();
    }

    @Test
    void shouldMoveIdlersWhoseCodeForRingsIsCompiled() {
        machine.hasUsedRings = true;
        assertThat(refusalBehindSpareLooks(newPolicy(Config.AUTO), SELDOM, 0)).isNull();
    }

    @Test
    void shouldNotTakeForAnIdlerWhoWaitsForAProcessor() {
        machine.crowded = true;
        assertThat(refusalBehindSpareLooks(newPolicy(Config.AUTO), SELDOM, 0)).contains("threads");
    }

    @Test
    void shouldNotTakeForAnIdlerWhoseTimeNobodyKnows() {
        machine.processNanos = -1;
        assertThat(refusalBehindSpareLooks(newPolicy(Config.AUTO), SELDOM, 0)).isNull();
    }

    private String refusalBehindSpareLooks(MovePolicy policy, int calls, long processNanos) {
        return refusalBehindSpareLooks(policy, processNanos, () -> call(policy, calls));
    }

    private String refusalBehindSpareLooks(MovePolicy policy, long processNanos, Runnable calls) {
        machine.kernelNanos = 0;
        for (int look = 0; look < MovePolicy.SPARE_LOOKS; look++) {
            policy.refusal(Waiter.SELECTOR, FEW_BYTES);
            calls.run();
            machine.processNanos += processNanos;
            leave(SPARE_NANOS, MovePolicy.LOOK_NANOS);
        }
        return policy.refusal(Waiter.SELECTOR, FEW_BYTES);
    }

    @Test
    void shouldNotTakeForOneWithWorkWhoMetACrowdForAMoment() {
        MovePolicy policy = newPolicy(Config.AUTO);
        assertThat(refusalBehindSpareLooks(policy, SELDOM, 0)).contains("idle");
        machine.crowded = true;
        leave(MovePolicy.IDLER_LOOK_NANOS, MovePolicy.IDLER_LOOK_NANOS);
        assertThat(policy.refusal(Waiter.SELECTOR, FEW_BYTES)).contains("threads");

        machine.crowded = false;
        assertThat(policy.refusal(Waiter.SELECTOR, FEW_BYTES)).contains("busy");
        leave(SPARE_NANOS, MovePolicy.LOOK_NANOS);
        assertThat(policy.refusal(Waiter.SELECTOR, FEW_BYTES)).contains("idle");
    }

    @Test
    void shouldMoveFasterWhereTheProcessHasWork() {
        MovePolicy policy = policy(Config.AUTO);
        assertThat(refusalBehindSpareLooks(policy, OFTEN, BUSY_NANOS)).isNull();
        assertThat(policy.pace()).isEqualTo(Pace.STEADILY);
        assertThat(refusalBehindSpareLooks(policy, OFTEN, BUSY_NANOS - 1)).isNull();
        assertThat(policy.pace()).isEqualTo(Pace.SLOWLY);

        machine.hasUsedRings = true;
        assertThat(policy.pace()).as("has moved before").isEqualTo(Pace.AT_ONCE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldMoveAllAtOnceOnBusyProcessors(boolean crowded) {
        machine.crowded = crowded;
        MovePolicy policy = policy(Config.AUTO);
        assertThat(allows(policy)).isTrue();
        assertThat(policy.pace()).isEqualTo(Pace.AT_ONCE);
    }

    @Test
    void shouldMoveAtOnceWhereSomebodySaysWhen() {
        MovePolicy policy = newPolicy(MOST_USES);
        refusalBehindSpareLooks(policy, OFTEN, 0);
        assertThat(policy.pace()).isEqualTo(Pace.AT_ONCE);
    }

    /** It uses half of a processor. */
    @ParameterizedTest
    @CsvSource({"50, false", "99, false", "100, true", "200, true"})
    void shouldNotTakeForFreeWhatItMayNotUse(long limitPercent, boolean moves) {
        machine.kernelNanos = 0;
        machine.limitPercent = limitPercent;
        MovePolicy policy = policy(Config.AUTO);
        allows(policy);
        for (int look = 1; look < MovePolicy.SPARE_LOOKS; look++) {
            leave(2 * MovePolicy.LOOK_NANOS, MovePolicy.LOOK_NANOS);
            assertThat(allows(policy)).isFalse();
        }
        leave(2 * MovePolicy.LOOK_NANOS, MovePolicy.LOOK_NANOS);
        assertThat(allows(policy)).isEqualTo(moves);
        assertThat(machine.looksAtLimit).isEqualTo(1);
    }

    @Test
    void shouldLookAtAnIdlerLessOften() {
        MovePolicy policy = newPolicy(Config.AUTO);
        assertThat(refusalBehindSpareLooks(policy, 0, 0)).contains("idle");
        int looks = machine.looksAtTime;
        int looksAtCrowd = machine.looksAtCrowd;

        nanos += MovePolicy.IDLER_LOOK_NANOS - MovePolicy.LOOK_NANOS - 1;
        call(policy, MOST_USES);
        assertThat(allows(policy)).isFalse();
        assertThat(machine.looksAtTime).isEqualTo(looks);
        assertThat(machine.looksAtCrowd).isEqualTo(looksAtCrowd);

        nanos += MovePolicy.LOOK_NANOS + 1;
        allows(policy);
        assertThat(machine.looksAtTime).isEqualTo(looks + 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWaitUntilTheJvmHasCompiledItsCode(boolean crowded) {
        machine.crowded = crowded;
        machine.kernelNanos = MovePolicy.RIPE_NANOS;
        machine.compilerNanos = 0;
        MovePolicy policy = policy(Config.AUTO);
        assertThat(allows(policy)).as("first look").isFalse();

        for (long nanos = 0; nanos < 3 * MovePolicy.SETTLED_NANOS; nanos += MovePolicy.LOOK_NANOS) {
            look(MovePolicy.LOOK_NANOS / MovePolicy.COMPILING_PART + 1);
            assertThat(allows(policy)).as("compiles").isFalse();
        }
        for (long nanos = MovePolicy.LOOK_NANOS; nanos < MovePolicy.SETTLED_NANOS; nanos += MovePolicy.LOOK_NANOS) {
            look(MovePolicy.LOOK_NANOS / MovePolicy.COMPILING_PART);
            assertThat(allows(policy)).as("has compiled %d ns ago", nanos).isFalse();
        }
        // Its calls are much of what it does, still.
        call(policy, MovePolicy.CROWD_RIPE_CALLS);
        look(0);
        assertThat(allows(policy)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotWaitForAnEndOfCompiling(boolean crowded) {
        machine.crowded = crowded;
        machine.compilerNanos = 0;
        machine.kernelNanos = MovePolicy.RIPE_ANYHOW * MovePolicy.RIPE_NANOS - 1;
        MovePolicy policy = policy(Config.AUTO);
        assertThat(allows(policy)).isFalse();

        look(MovePolicy.LOOK_NANOS);
        assertThat(allows(policy)).isFalse();

        machine.kernelNanos++;
        look(MovePolicy.LOOK_NANOS);
        assertThat(allows(policy)).isTrue();
    }

    @Test
    void shouldNotMindTheCompilerWhereAProcessorIsFree() {
        machine.kernelNanos = 0;
        machine.compilerNanos = 0;
        MovePolicy policy = policy(Config.AUTO);
        assertThat(allows(policy)).isFalse();

        for (int look = 0; look < MovePolicy.SPARE_LOOKS; look++) {
            machine.idleNanos += MovePolicy.LOOK_NANOS;
            look(MovePolicy.LOOK_NANOS);
            assertThat(allows(policy)).isEqualTo(look == MovePolicy.SPARE_LOOKS - 1);
        }
    }

    @Test
    void shouldNotLookAtTheCompilerInTheFirstSecondsOfAProgram() {
        machine.kernelNanos = MovePolicy.WATCH_NANOS - 1;
        MovePolicy policy = policy(Config.AUTO);
        allows(policy);
        assertThat(machine.looksAtCompiler).isZero();

        machine.kernelNanos++;
        look(0);
        allows(policy);
        assertThat(machine.looksAtCompiler).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWaitForNothingOnceItsCodeForRingsIsCompiled(boolean crowded) {
        machine.crowded = crowded;
        machine.kernelNanos = MovePolicy.WATCH_NANOS;
        machine.compilerNanos = 0;
        MovePolicy policy = policy(Config.AUTO);
        look(MovePolicy.LOOK_NANOS);
        assertThat(allows(policy)).isFalse();

        machine.hasUsedRings = true;
        look(MovePolicy.LOOK_NANOS);
        assertThat(allows(policy)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void shouldStayOnACrowdedMachineWhereNobodyGainsThoughItsCodeIsCompiled(Waiter waiter) {
        gainsInCrowd = false;
        machine.crowded = true;
        machine.hasUsedRings = true;
        assertThat(refusal(policy(Config.AUTO), waiter, FEW_BYTES)).contains("threads");
    }

    @ParameterizedTest
    @EnumSource
    void shouldMoveBulkOnceTheKernelHasTakenHalfThatHoweverCrowdedItIsAndWhateverIsCompiled(Waiter waiter) {
        machine.compilerNanos = 0;
        for (boolean crowded : new boolean[] {true, false}) {
            machine.crowded = crowded;
            machine.kernelNanos = MovePolicy.BULK_RIPE_NANOS - 1;
            MovePolicy policy = policy(Config.AUTO);
            assertThat(refusal(policy, waiter, MovePolicy.BULK_BYTES)).isNotNull();

            machine.kernelNanos++;
            look(MovePolicy.LOOK_NANOS);
            assertThat(refusal(policy, waiter, FEW_BYTES)).as("chat").isNotNull();
            assertThat(refusal(policy, waiter, MovePolicy.BULK_BYTES)).isNull();
            assertThat(refusal(policy, waiter, FEW_BYTES))
                    .as("the move of bulk is no calm moment")
                    .isNotNull();
        }
    }

    @Test
    void shouldNotMoveBulkWhereNobodyGains() {
        gainsInCrowd = false;
        machine.crowded = true;
        machine.kernelNanos = MovePolicy.RIPE_NANOS;
        assertThat(policy(Config.AUTO).refusal(Waiter.SELECTOR, MovePolicy.BULK_BYTES))
                .isNotNull();
    }

    private void look(long compiledNanos) {
        nanos += MovePolicy.LOOK_NANOS;
        machine.compilerNanos += compiledNanos;
    }

    @Test
    void shouldNotWaitForWhatNobodyKnows() {
        machine.kernelNanos = -1;
        assertThat(allows(policy(Config.AUTO))).isTrue();
    }
}
