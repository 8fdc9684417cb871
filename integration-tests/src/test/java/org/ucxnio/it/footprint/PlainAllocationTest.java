package org.ucxnio.it.footprint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.AllocationProbe;
import org.ucxnio.it.programs.EchoServer;

/** Once warm, plain connections through our provider allocate nothing; nor do the JDK's, which are the reference. */
@Bounded
class PlainAllocationTest {
    @ParameterizedTest
    @CsvSource({
        "RINGS, BLOCKING, 16, set",
        "RINGS, SELECTOR, 16, set",
        "RINGS, SELECTOR, 16, action",
        "JDK, BLOCKING, 16, set",
        "JDK, SELECTOR, 16, action"
    })
    void shouldAllocateNothing(Flavour flavour, Mode mode, int length, String how) throws Exception {
        int port = Ports.free();
        try (ChildJvm server = JvmBuilder.of(Flavour.JDK, EchoServer.class)
                .arguments("127.0.0.1", port, Mode.BLOCKING)
                .start()) {
            server.expect("LISTENING");
            // The optimising compiler, as users run it.
            try (ChildJvm probe = JvmBuilder.of(flavour, AllocationProbe.class)
                    .flags("-XX:TieredStopAtLevel=4")
                    .arguments(port, mode, length, how)
                    .start()) {
                assertThat(probe.expect("ALLOCATES ")).startsWith("NOTHING");
                if (flavour.isOurs()) {
                    Traffic traffic = Traffic.parse(Traffic.PREFIX + probe.ask("traffic", Traffic.PREFIX));
                    assertThat(traffic.fastSent()).isZero();
                    assertThat(traffic.tcpSent()).isPositive();
                }
            }
        }
    }
}
