package org.ucxnio.selector;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ActiveKeysTest extends RingSelection {
    @Test
    void shouldWaitForNoRingOnceTheLastKeyIsGone() throws IOException {
        ActiveKeys active = new ActiveKeys();
        Findings found = new Findings();
        UcxSelectionKey key = (UcxSelectionKey) channel(OP_READ).register(selector, OP_READ);
        active.add(key);
        active.putInterestsInForce();
        active.look(found, false);
        assertThat(active.waitForRings()).isTrue();
        active.add(key);
        assertThat(active.hasNew()).isTrue();
        active.remove(key);
        // A selector without keys of ours does not look.
        assertThat(active.waitForRings()).isFalse();
        assertThat(active.hasNew()).isFalse();
        assertThat(active.size()).isZero();
        assertThat(found.isEmpty()).isTrue();
    }

    /** A bell was rung for it while the kernel was asked, and will not be rung again. */
    @Test
    void shouldLetNobodySleepBeforeANewKeyWasLookedAt() throws IOException {
        ActiveKeys active = new ActiveKeys();
        RingChannel channel = channel(OP_READ);
        UcxSelectionKey key = (UcxSelectionKey) channel.register(selector, OP_READ);
        assertThat(active.arm(null)).isTrue();
        active.add(key);
        assertThat(active.hasNew()).isTrue();
        assertThat(active.arm(null)).isFalse();
        active.putInterestsInForce();
        active.look(new Findings(), false);
        assertThat(active.hasNew()).isFalse();
        assertThat(active.arm(null)).isTrue();
        assertThat(channel.armedFor()).isEqualTo(OP_READ);
        assertThat(active.leaveSomeToTheKernel()).isTrue();
        active.look(new Findings(), false);
        assertThat(active.leaveSomeToTheKernel()).isFalse();
        active.remove(key);
    }
}
