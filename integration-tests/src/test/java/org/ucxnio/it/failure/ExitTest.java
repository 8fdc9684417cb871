package org.ucxnio.it.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.programs.NodeMain;

/** A program ends and leaves its connections open. The kernel ends their streams then, and so does whatever else carries them. */
@Bounded
@ParameterizedClass
@EnumSource
class ExitTest {
    /** More than the first ring of a connection holds. */
    private static final int COUNT = 300_000;

    @Parameter
    private Mode mode;

    private static Node start(Flavour flavour) throws IOException {
        return Node.start(JvmBuilder.of(flavour, NodeMain.class));
    }

    /** The connection has moved where it does so at once. */
    private void connect(Flavour flavour, Node server, Node client, long seed) throws Exception {
        int port = Ports.free();
        server.call("listen l 127.0.0.1 " + port);
        client.call("connect c 127.0.0.1 " + port + " " + mode + " " + seed);
        server.call("accept c l " + mode + " " + seed);
        client.transfer(server, "c", 1000);
        server.transfer(client, "c", 1000);
        if (flavour == Flavour.RINGS || flavour == Flavour.UCX_MESSAGES) {
            server.awaitRings(1);
            client.awaitRings(1);
            client.transfer(server, "c", 1000);
            server.transfer(client, "c", 1000);
        }
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @EnumSource
    void shouldEndItsStreams(Flavour flavour) throws Exception {
        try (Node server = start(flavour);
                Node client = start(flavour)) {
            Seeds.withSeed(seed -> {
                connect(flavour, server, client, seed);
                client.start("writeExit c " + COUNT);
                assertThat(server.call("readToEnd c")).isEqualTo(Integer.toString(COUNT));
                assertThat(client.jvm().awaitExit(ChildJvm.PATIENCE)).isZero();
                assertThat(server.call("readToEnd c")).as("read once more").isEqualTo("0");
                server.expectQuiet();
            });
        }
    }

    /** A stream that was cut off is not to look complete. */
    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @EnumSource(names = {"RINGS", "UCX_MESSAGES"})
    void shouldHaveResetThemWhereItIsKilled(Flavour flavour) throws Exception {
        try (Node server = start(flavour);
                Node client = start(flavour)) {
            Seeds.withSeed(seed -> {
                connect(flavour, server, client, seed);
                client.jvm().kill();
                assertThat(server.awaitEnd(server.start("readToEnd c"), ChildJvm.PATIENCE))
                        .contains("Connection reset");
                server.expectQuiet();
            });
        }
    }
}
