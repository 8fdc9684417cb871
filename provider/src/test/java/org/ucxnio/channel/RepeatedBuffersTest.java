package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class RepeatedBuffersTest {
    private final RepeatedBuffers repeated = new RepeatedBuffers();

    private static ByteBuffer buffer(int position, int limit) {
        return ByteBuffer.allocate(20).position(position).limit(limit);
    }

    @Test
    void shouldLeaveBuffersThatOccurOnceAlone() {
        ByteBuffer[] buffers = {buffer(1, 5), buffer(0, 0), buffer(3, 20)};

        assertThat(repeated.apart(buffers, 0, 3)).isSameAs(buffers);

        assertThat(buffers[0].position()).isEqualTo(1);
        assertThat(buffers[1].position()).isZero();
        assertThat(buffers[2].position()).isEqualTo(3);
    }

    @Test
    void shouldGiveRepetitionsPositionsOfTheirOwn() {
        ByteBuffer twice = buffer(2, 10);
        ByteBuffer[] buffers = {buffer(0, 1), twice, buffer(0, 3), twice, twice};

        ByteBuffer[] apart = repeated.apart(buffers, 1, 4);

        assertThat(apart[2]).isNotSameAs(twice).isNotSameAs(apart[3]);
        assertThat(apart[0]).isSameAs(twice);
        assertThat(twice.position()).isEqualTo(2);
        assertThat(apart[2].remaining()).isEqualTo(8);
        twice.position(10);
        apart[2].position(10);
        apart[3].position(4);
        repeated.moveOriginals(buffers, 1, 4, apart);
        assertThat(twice.position()).isEqualTo(4);
    }

    @Test
    void shouldLeaveAnOriginalWhereItIsWhenNoRepetitionWasReached() {
        ByteBuffer twice = buffer(2, 10);
        ByteBuffer[] buffers = {twice, twice};
        ByteBuffer[] apart = repeated.apart(buffers, 0, 2);

        twice.position(7);
        repeated.moveOriginals(buffers, 0, 2, apart);

        assertThat(twice.position()).isEqualTo(7);
    }
}
