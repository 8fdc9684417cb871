package org.ucxnio.it.moving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
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
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);

    private static Node start() throws Exception {
        return Node.start(JvmBuilder.of(Flavour.DEFAULTS, NodeMain.class));
    }

    /**
     * However fast a connection is used by a program that has other work as well: it moves where processors are free, or the kernel has had enough to
     * do for it.
     */
    private static void useUntilItMoves(Node client, Node server) throws Exception {
        long start = System.nanoTime();
        while (client.traffic().rings() == 0 && System.nanoTime() - start < PATIENCE_NANOS) {
            for (int i = 0; i < USES; i++) {
                client.transfer(server, "c", BYTES);
            }
        }
        if (client.traffic().rings() == 0 && Crowd.isThere()) {
            Skips.skip("the machine is crowded by others");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldStayWithTcpUntilProcessorsAreFree(Mode mode) throws Exception {
        try (Node server = start();
                Node client = start()) {
            client.call("work");
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
            useUntilItMoves(client, server);
            client.awaitRings(1);
            server.awaitRings(1);
            client.transfer(server, "c", BYTES);
            server.transfer(client, "c", BYTES);
            client.expectQuiet();
            server.expectQuiet();
        }
    }
}
