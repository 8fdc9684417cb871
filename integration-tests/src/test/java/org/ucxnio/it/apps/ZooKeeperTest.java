package org.ucxnio.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Locations;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.programs.ZooKeeperClient;
import org.ucxnio.it.programs.ZooKeeperServer;

/** A ZooKeeper server and its own Java client, with every combination of providers. */
@Bounded
class ZooKeeperTest {
    /** One large node there and back is most of it. */
    private static final long LEAST_BYTES = 900_000;

    @TempDir
    private Path dataDirectory;

    @ParameterizedTest
    @EnumSource
    void shouldServeItsClient(Sides sides) throws Exception {
        int port = Ports.free();
        try (ChildJvm server = JvmBuilder.of(sides.server, ZooKeeperServer.class)
                .classPath(Locations.app("zookeeper"))
                .arguments(port, dataDirectory)
                .start()) {
            server.expect("LISTENING");
            try (ChildJvm client = JvmBuilder.of(sides.client, ZooKeeperClient.class)
                    .classPath(Locations.app("zookeeper"))
                    .arguments(port)
                    .start()) {
                client.expect("DONE");
                // A fast disk has answered all that before the connection has moved.
                Awaitility.await().atMost(ChildJvm.PATIENCE).untilAsserted(() -> {
                    client.ask("carry", "CARRIED");
                    sides.expectTraffic(server, client, LEAST_BYTES);
                });
                assertThat(client.crashReport()).isEmpty();
            }
            assertThat(server.isAlive()).isTrue();
            assertThat(server.crashReport()).isEmpty();
        }
    }
}
