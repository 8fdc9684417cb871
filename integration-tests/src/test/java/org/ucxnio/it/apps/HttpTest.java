package org.ucxnio.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.KeyStores;
import org.ucxnio.it.harness.Locations;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.programs.HttpUser;
import org.ucxnio.it.programs.JdkHttpServer;
import org.ucxnio.it.programs.JettyServer;
import org.ucxnio.it.programs.TomcatServer;

/** The JDK's HTTP client with the JDK's server, Jetty and Tomcat. */
@Bounded
class HttpTest {
    /** Two large bodies there and back are most of it. */
    private static final long LEAST_BYTES = 8_000_000;

    private enum Server {
        JDK(JdkHttpServer.class, ""),
        JETTY(JettyServer.class, "jetty"),
        TOMCAT(TomcatServer.class, "tomcat");

        private final Class<?> program;
        private final String app;

        Server(Class<?> program, String app) {
            this.program = program;
            this.app = app;
        }

        private JvmBuilder with(JvmBuilder builder) {
            return app.isEmpty() ? builder : builder.classPath(Locations.app(app));
        }
    }

    private static Stream<Arguments> serversAndSides() {
        return Arrays.stream(Server.values())
                .flatMap(server -> sidesOf(server).stream().map(sides -> Arguments.of(server, sides)));
    }

    private static List<Sides> sidesOf(Server server) {
        return switch (server) {
            case JDK -> List.of(Sides.values());
            case JETTY -> List.of(Sides.BOTH_ACCELERATED);
            case TOMCAT -> List.of(Sides.BOTH_ACCELERATED, Sides.PLAIN_CLIENT);
        };
    }

    @ParameterizedTest
    @MethodSource("serversAndSides")
    void shouldServeTheClient(Server server, Sides sides) throws Exception {
        Seeds.withSeed(seed -> serve(server, sides, seed, HttpClient.Version.HTTP_1_1, builder -> builder));
    }

    @ParameterizedTest
    @EnumSource(names = {"BOTH_ACCELERATED", "PLAIN_CLIENT"})
    void shouldServeOverTls(Sides sides) throws Exception {
        Path keys = KeyStores.ofThisJvm();
        Seeds.withSeed(seed -> serve(
                Server.JETTY,
                sides,
                seed,
                HttpClient.Version.HTTP_1_1,
                builder -> builder.property(KeyStores.PROPERTY, keys)));
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeHttp2OverTls(Sides sides) throws Exception {
        Path keys = KeyStores.ofThisJvm();
        Seeds.withSeed(seed -> serve(
                Server.TOMCAT,
                sides,
                seed,
                HttpClient.Version.HTTP_2,
                builder -> builder.property(KeyStores.PROPERTY, keys)));
    }

    private static void serve(
            Server server, Sides sides, long seed, HttpClient.Version version, UnaryOperator<JvmBuilder> settings)
            throws Exception {
        int port = Ports.free();
        try (ChildJvm serverJvm = server.with(settings.apply(JvmBuilder.of(sides.server, server.program)))
                .arguments(port)
                .start()) {
            serverJvm.expect("LISTENING");
            try (ChildJvm client = settings.apply(JvmBuilder.of(sides.client, HttpUser.class))
                    .arguments(port, seed, version)
                    .start()) {
                client.expect("DONE");
                sides.expectTraffic(serverJvm, client, LEAST_BYTES);
                Sides.expectQuiet(client);
            }
            assertThat(serverJvm.isAlive()).isTrue();
            assertThat(serverJvm.crashReport()).isEmpty();
        }
    }
}
