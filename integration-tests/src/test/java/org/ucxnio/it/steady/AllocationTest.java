package org.ucxnio.it.steady;

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

/** Once warm, reading, writing and selecting allocate no memory at all. */
@Bounded
class AllocationTest {
    @ParameterizedTest
    @CsvSource({
        "UCX, BLOCKING, 16, set",
        "UCX, BLOCKING, 100000, set",
        "UCX, SELECTOR, 16, set",
        "UCX, SELECTOR, 16, action",
        "UCX, SELECTOR, 100000, set",
        "JDK, BLOCKING, 16, set",
        "JDK, SELECTOR, 16, action"
    })
    void shouldAllocateNothing(Flavour flavour, Mode mode, int length, String how) throws Exception {
        probe(flavour, flavour, mode, length, how);
    }

    @ParameterizedTest
    @CsvSource({"BLOCKING, 16, set", "SELECTOR, 16, set", "SELECTOR, 16, action"})
    void shouldAllocateNothingOverPlainConnections(Mode mode, int length, String how) throws Exception {
        probe(Flavour.JDK, Flavour.UCX, mode, length, how);
    }

    private static void probe(Flavour serverFlavour, Flavour flavour, Mode mode, int length, String how)
            throws Exception {
        int port = Ports.free();
        try (ChildJvm server = JvmBuilder.of(serverFlavour, EchoServer.class)
                .arguments("127.0.0.1", port, Mode.BLOCKING)
                .start()) {
            server.expect("LISTENING");
            // The optimising compiler, as users run it.
            try (ChildJvm probe = JvmBuilder.of(flavour, AllocationProbe.class)
                    .flags("-XX:TieredStopAtLevel=4")
                    .arguments(port, mode, length, how)
                    .start()) {
                assertThat(probe.expect("ALLOCATES ")).startsWith("NOTHING");
                if (flavour == Flavour.UCX) {
                    Traffic traffic = Traffic.parse(Traffic.PREFIX + probe.ask("traffic", Traffic.PREFIX));
                    assertThat(traffic.ucxSent() > 0).isEqualTo(serverFlavour == Flavour.UCX);
                    assertThat(traffic.tcpSent() > 0).isEqualTo(serverFlavour == Flavour.JDK);
                }
            }
        }
    }
}
