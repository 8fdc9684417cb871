package org.ucxnio.it.moving;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Crowd;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.programs.NodeMain;

/** Two processes, as users start them: connections leave TCP when processors are free, and not before. */
@Bounded
class CrowdedTest {
    private static final int USES = 300;
    private static final int BYTES = 10;

    private static Node start() throws Exception {
        return Node.start(JvmBuilder.of(Flavour.DEFAULTS, NodeMain.class));
    }

    @ParameterizedTest
    @EnumSource
    void shouldStayWithTcpUntilProcessorsAreFree(Mode mode) throws Exception {
        try (Node server = start();
                Node client = start()) {
            Crowd crowd = Crowd.gather();
            try (crowd) {
                int port = Ports.free();
                server.call("listen l 127.0.0.1 " + port);
                client.call("connect c 127.0.0.1 " + port + " " + mode + " 1");
                server.call("accept c l " + mode + " 1");
                for (int i = 0; i < USES; i++) {
                    client.transfer(server, "c", BYTES);
                }
                assertThat(client.traffic().rings()).isZero();
                assertThat(client.report()).contains("more threads want to run than there are processors");
            }
            if (Crowd.isThere()) {
                Skips.skip("the machine is crowded by others");
            }
            for (int i = 0; i < 10 * USES && client.traffic().rings() == 0; i++) {
                client.transfer(server, "c", BYTES);
            }
            client.awaitRings(1);
            server.awaitRings(1);
            client.transfer(server, "c", BYTES);
            server.transfer(client, "c", BYTES);
            client.expectQuiet();
            server.expectQuiet();
        }
    }
}
