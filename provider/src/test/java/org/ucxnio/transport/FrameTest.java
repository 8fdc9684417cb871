package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameTest {
    private static final int MAX_LENGTH = (1 << 28) - 1;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 7, 8, 255, 8176, 65_535, 65_536, 1 << 20, MAX_LENGTH - 1, MAX_LENGTH})
    void shouldKeepTypeAndLengthApart(int length) {
        for (int type = 0; type < 16; type++) {
            int packed = Frame.typeAndLength(type, length);

            assertThat(Frame.type(packed)).isEqualTo(type);
            assertThat(Frame.length(packed)).isEqualTo(length);
        }
    }

    @Test
    void shouldReadAnyBitsAsATypeOfFourBitsAndALengthOfTwentyEight() {
        assertThat(Frame.type(0xffff_ffff)).isEqualTo(15);
        assertThat(Frame.length(0xffff_ffff)).isEqualTo(MAX_LENGTH);
        assertThat(Frame.type(0x8000_0000)).isEqualTo(8);
        assertThat(Frame.length(0x8000_0000)).isZero();
    }

    @Test
    void shouldGiveEachTypeItsOwnNumber() {
        assertThat(new int[] {Frame.DATA, Frame.ACK, Frame.FIN, Frame.NOP, Frame.URGENT})
                .containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void shouldLeaveNoGapBetweenTheFields() {
        assertThat(Frame.TYPE_LENGTH_OFFSET).isEqualTo(Frame.CONNECTION_OFFSET + Integer.BYTES);
        assertThat(Frame.POSITION_OFFSET).isEqualTo(Frame.TYPE_LENGTH_OFFSET + Integer.BYTES);
        assertThat(Frame.PAYLOAD_OFFSET).isEqualTo(Frame.POSITION_OFFSET + Long.BYTES);
        assertThat(Frame.HEADER_LENGTH).isEqualTo(Frame.PAYLOAD_OFFSET);
        assertThat(Frame.ACK_PAYLOAD_LENGTH).isEqualTo(Long.BYTES);
    }

    @Test
    void shouldRoundSlotsUpToMultiplesOfEight() {
        for (int payload = 0; payload < 100; payload++) {
            int slot = Frame.slotLength(payload);

            assertThat(slot % 8).as("payload %d", payload).isZero();
            assertThat(slot - Frame.HEADER_LENGTH - payload)
                    .as("payload %d", payload)
                    .isBetween(0, 7);
        }
    }
}
