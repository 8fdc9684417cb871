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
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.LastBytes;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.programs.NodeMain;

/** What a program writes last arrives, be the connection new to the peer or in use. */
@Bounded
@ParameterizedClass
@EnumSource
class LastBytesTest {
    @Parameter
    private Mode mode;

    private static Node start(Flavour flavour) throws IOException {
        return Node.start(JvmBuilder.of(flavour, NodeMain.class).property("ucxnio.exit.flush", "20s"));
    }

    private void connect(Node server, Node client, long seed) throws Exception {
        int port = Ports.free();
        server.call("listen l 127.0.0.1 " + port);
        client.call("connect c 127.0.0.1 " + port + " " + mode + " " + seed);
        assertThat(server.call("accept c l " + mode + " " + seed)).contains("/127.0.0.1:" + port);
    }

    private void expectArrival(Flavour flavour, boolean usedBefore) throws Exception {
        try (Node server = start(flavour);
                Node client = start(flavour)) {
            Seeds.withSeed(seed -> {
                connect(server, client, seed);
                if (usedBefore) {
                    client.transfer(server, "c", 1000);
                    server.transfer(client, "c", 1000);
                }
                LastBytes.expectDelivered(client, server, "c");
                server.expectQuiet();
            });
        }
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @EnumSource
    void shouldArriveAtAPeerThatHasNotUsedTheConnection(Flavour flavour) throws Exception {
        expectArrival(flavour, false);
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @EnumSource
    void shouldArriveAtAPeerInTheMiddleOfTraffic(Flavour flavour) throws Exception {
        expectArrival(flavour, true);
    }
}
