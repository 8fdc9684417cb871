package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.config.Config;

class MovePolicyTest {
    private static final int MOST_USES = 1000;

    private final AtomicBoolean crowded = new AtomicBoolean();

    private long nanos = Long.MAX_VALUE - 10;

    private MovePolicy policy(int switchAfter) {
        return new MovePolicy(switchAfter, crowded::get) {
            @Override
            long nanos() {
                return nanos;
            }
        };
    }

    private static int firstDue(MovePolicy policy) {
        int used = 1;
        while (!policy.isDue(used) && used < MOST_USES) {
            used++;
        }
        return used;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 17, 128})
    void shouldDoWhatItIsToldHoweverCrowdedItIs(int switchAfter) {
        crowded.set(true);
        MovePolicy policy = policy(switchAfter);

        assertThat(policy.atOnce()).isFalse();
        assertThat(firstDue(policy)).isEqualTo(switchAfter);
        assertThat(policy.isDue(switchAfter + 1)).as("again").isFalse();
        assertThat(policy.allows()).isTrue();
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
        assertThat(policy.isDue(first + 1)).isFalse();
        assertThat(policy.isDue(first + MovePolicy.ASK_USES)).isTrue();
    }

    @Test
    void shouldWaitUntilProcessorsAreFree() {
        crowded.set(true);
        MovePolicy policy = policy(Config.AUTO);
        assertThat(policy.allows()).isFalse();
        assertThat(policy.allows()).isFalse();

        crowded.set(false);
        assertThat(policy.allows()).isTrue();
    }

    @Test
    void shouldMoveAllThatIsUsedOnceProcessorsAreFree() {
        MovePolicy policy = policy(Config.AUTO);
        assertThat(policy.allows()).isTrue();

        crowded.set(true);
        nanos += MovePolicy.CALM_NANOS - 1;
        assertThat(policy.allows())
                .as("another connection of the same selector")
                .isTrue();
        nanos++;
        assertThat(policy.allows()).isFalse();
    }
}
