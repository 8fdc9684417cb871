package org.ucxnio.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RingUseTest {
    @Test
    void shouldTakeCodeForCompiledOnceItHasBeenUsedMuch() {
        assertThat(RingUse.isCompiledBy(RingUse.COMPILED_BYTES - 1)).isFalse();
        assertThat(RingUse.isCompiledBy(RingUse.COMPILED_BYTES)).isTrue();
    }
}
