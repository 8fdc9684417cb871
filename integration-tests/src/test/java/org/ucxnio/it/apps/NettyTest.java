package org.ucxnio.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.KeyStores;
import org.ucxnio.it.harness.Locations;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Rendezvous;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.programs.NettyEchoClient;
import org.ucxnio.it.programs.NettyEchoServer;
import org.ucxnio.it.programs.NettyParts;

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
        Seeds.withSeed(seed -> echo(
                sides, seed, (flavour, type) -> JvmBuilder.of(flavour, type).classPath(Locations.app(version))));
    }

    @ParameterizedTest
    @CsvSource({
        "netty-4.1, BOTH_ACCELERATED",
        "netty-4.2, BOTH_PLAIN",
        "netty-4.2, BOTH_ACCELERATED",
        "netty-4.2, PLAIN_SERVER",
        "netty-4.2, PLAIN_CLIENT"
    })
    void shouldEchoOverTls(String version, Sides sides) throws Exception {
        Path keys = KeyStores.ofThisJvm();
        Seeds.withSeed(seed -> echo(
                sides,
                seed,
                (flavour, type) -> JvmBuilder.of(flavour, type)
                        .classPath(Locations.app(version))
                        .property(KeyStores.PROPERTY, keys)));
    }

    private static Stream<Arguments> versionsAndParts() {
        return Stream.of(
                Arguments.of("netty-4.1", NettyParts.EVENT_LOOPS, 0),
                Arguments.of("netty-4.1", NettyParts.EVENT_LOOPS, 17),
                Arguments.of("netty-4.2", NettyParts.EVENT_LOOPS, 0),
                Arguments.of("netty-4.2", NettyParts.IO_HANDLER, 0),
                Arguments.of("netty-4.2", NettyParts.IO_HANDLER, 17));
    }

    /** Programs that ask for our channels in their code; the provider of their JVMs is the JDK's. */
    @ParameterizedTest
    @MethodSource("versionsAndParts")
    void shouldEchoWithTheHelpers(String version, NettyParts parts, int feature) throws Exception {
        Path java = Skips.unlessJava(feature);
        Seeds.withSeed(seed -> echo(
                Sides.BOTH_ACCELERATED,
                seed,
                (flavour, type) -> JvmBuilder.of(Flavour.JDK, type)
                        .javaHome(java)
                        .classPath(Flavour.RINGS.classPath())
                        .classPath(List.of(Locations.nettyHelpers()))
                        .classPath(Locations.app(version))
                        .property(NettyParts.PROPERTY, parts)
                        .property("ucxnio.switch.after", 0)
                        .property(Rendezvous.PROPERTY, Rendezvous.ofThisJvm().path())));
    }

    private static void echo(Sides sides, long seed, BiFunction<Flavour, Class<?>, JvmBuilder> jvms) throws Exception {
        int port = Ports.free();
        try (ChildJvm server =
                jvms.apply(sides.server, NettyEchoServer.class).arguments(port).start()) {
            server.expect("LISTENING");
            try (ChildJvm client = jvms.apply(sides.client, NettyEchoClient.class)
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
