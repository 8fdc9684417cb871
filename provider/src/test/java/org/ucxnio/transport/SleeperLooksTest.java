package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.ring.RingLayout;
import org.ucxnio.ring.RingWriter;
import org.ucxnio.ucx.MappedMemory;

@Timeout(60)
class SleeperLooksTest {
    private static final RingLayout LAYOUT = RingLayout.of(RingLayout.MIN_DATA_BYTES);

    private static final class Memory implements MappedMemory {
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(LAYOUT.size());
        private volatile boolean closed;

        @Override
        public ByteBuffer buffer() {
            return buffer;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void shouldUnmapAtOnceWhereNobodyLooks() throws IOException {
        try (OneSide side = OneSide.open().bind()) {
            Memory memory = new Memory();
            side.worker().looks().unmap(memory);
            assertThat(memory.closed).isTrue();
        }
    }

    @Test
    void shouldKeepMemoryMappedUntilTheLastLookHasEnded() throws Exception {
        try (OneSide side = OneSide.open().bind()) {
            Memory memory = new Memory();
            RingWriter ring = new RingWriter(memory.buffer(), LAYOUT);
            SleeperLooks looks = side.worker().looks();
            looks.begin();
            looks.begin();
            looks.unmap(memory);
            looks.readerSleeps(ring);
            side.thaw();
            Thread.sleep(20);
            assertThat(memory.closed).isFalse();

            looks.readerSleeps(ring);

            await().until(() -> memory.closed);
        }
    }
}
