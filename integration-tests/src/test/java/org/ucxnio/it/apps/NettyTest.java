package org.ucxnio.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Locations;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.programs.NettyEchoClient;
import org.ucxnio.it.programs.NettyEchoServer;

/** Netty's NIO transport, of both current versions, with every combination of providers. */
@Bounded
class NettyTest {
    private static final int CONNECTIONS = 8;
    private static final long LEAST_BYTES = 8 * 300 * 50;

    private static Stream<Arguments> versionsAndSides() {
        return Stream.of("netty-4.1", "netty-4.2")
                .flatMap(version -> Arrays.stream(Sides.values()).map(sides -> Arguments.of(version, sides)));
    }

    @ParameterizedTest
    @MethodSource("versionsAndSides")
    void shouldEcho(String version, Sides sides) throws Exception {
        Seeds.withSeed(seed -> echo(version, sides, seed));
    }

    private static void echo(String version, Sides sides, long seed) throws Exception {
        int port = Ports.free();
        try (ChildJvm server = JvmBuilder.of(sides.server, NettyEchoServer.class)
                .classPath(Locations.app(version))
                .arguments(port)
                .start()) {
            server.expect("LISTENING");
            try (ChildJvm client = JvmBuilder.of(sides.client, NettyEchoClient.class)
                    .classPath(Locations.app(version))
                    .arguments(port, CONNECTIONS, seed)
                    .start()) {
                client.expect("STARTED");
                sides.awaitTraffic(server, client, LEAST_BYTES);
                client.ask("finish", "DONE");
                client.ask("close", "CLOSED");
                assertThat(client.crashReport()).isEmpty();
            }
            assertThat(server.isAlive()).isTrue();
            assertThat(server.crashReport()).isEmpty();
        }
    }
}
