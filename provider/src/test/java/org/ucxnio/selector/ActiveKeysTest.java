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
        active.remove(key);
        active.look(found, false);
        assertThat(active.waitForRings()).isFalse();
        assertThat(active.size()).isZero();
        assertThat(found.isEmpty()).isTrue();
    }
}
