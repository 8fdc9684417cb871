package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A blocking call that finds its ring too small makes one that takes all of it, before anybody has read. */
@Timeout(60)
class RingGrowthTest {
    @ParameterizedTest
    @CsvSource({"1000, 4096", "100000, 262144", "524288, 1048576", "1000000, 4194304"})
    void shouldMakeOneRingForACall(int bytes, int ring) throws Exception {
        try (ChannelPair pair = new ChannelPair()) {
            pair.pair();
            int before = pair.memory.made();
            assertThat(pair.client.write(ByteBuffer.allocateDirect(bytes))).isEqualTo(bytes);
            assertThat(pair.memory.made() - before).isLessThanOrEqualTo(1);
            assertThat(pair.memory.largest()).isEqualTo(ring);
        }
    }
}
