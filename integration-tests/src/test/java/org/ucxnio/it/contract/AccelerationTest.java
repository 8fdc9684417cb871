package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.Peer;
import org.ucxnio.it.harness.Traffic;

/** The other tests of this suite would prove little if their connections were not accelerated where they should be. */
@Bounded
@ParameterizedClass(allowZeroInvocations = true)
@MethodSource("ofOurs")
class AccelerationTest {
    private static final int COUNT = 300_000;

    @Parameter
    private Setting setting;

    static List<Setting> ofOurs() {
        return Setting.all().stream()
                .filter(setting -> setting.flavour() == Flavour.UCX)
                .toList();
    }

    @Test
    void shouldGoThroughUcxIfAndOnlyIfBothSidesCan() throws IOException {
        try (Connection connection = Connection.open(setting)) {
            Traffic before = Traffic.ofUcx();
            assertThat(before.active()).as(before.inactiveReason()).isTrue();
            var received = connection.peerStarts("read " + COUNT);
            connection.write(COUNT);
            Peer.await(received);
            var written = connection.peerStarts("write " + COUNT);
            connection.read(COUNT);
            Peer.await(written);
            expectTraffic(before, Traffic.ofUcx());
        }
    }

    private void expectTraffic(Traffic before, Traffic after) {
        // With both ends in this JVM each byte is sent and received here.
        int ends = setting.isAccelerated() && setting.placement() == Setting.Placement.ONE_JVM ? 2 : 1;
        long expected = (long) COUNT * ends;
        assertThat(after.ucxSent() - before.ucxSent()).isEqualTo(setting.isAccelerated() ? expected : 0);
        assertThat(after.ucxReceived() - before.ucxReceived()).isEqualTo(setting.isAccelerated() ? expected : 0);
        assertThat(after.tcpSent() - before.tcpSent()).isEqualTo(setting.isAccelerated() ? 0 : expected);
        assertThat(after.tcpReceived() - before.tcpReceived()).isEqualTo(setting.isAccelerated() ? 0 : expected);
    }
}
