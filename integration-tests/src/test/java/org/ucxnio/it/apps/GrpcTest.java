package org.ucxnio.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.KeyStores;
import org.ucxnio.it.harness.Locations;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Rendezvous;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.programs.GrpcClient;
import org.ucxnio.it.programs.GrpcServer;

/** gRPC-java over the Netty it brings along, with every combination of providers. */
@Bounded
class GrpcTest {
    private static final long LEAST_BYTES = 3_000_000;

    @ParameterizedTest
    @EnumSource
    void shouldCallEveryKindOfMethod(Sides sides) throws Exception {
        Seeds.withSeed(seed ->
                call(sides, seed, type -> jvm(type == GrpcServer.class ? sides.server : sides.client, type)));
    }

    private static void call(Sides sides, long seed, Function<Class<?>, JvmBuilder> jvms) throws Exception {
        int port = Ports.free();
        try (ChildJvm server = jvms.apply(GrpcServer.class).arguments(port).start()) {
            server.expect("LISTENING");
            try (ChildJvm client =
                    jvms.apply(GrpcClient.class).arguments(port, seed).start()) {
                client.expect("DONE");
                sides.expectTraffic(server, client, LEAST_BYTES);
                assertThat(client.ask("close", "CLOSED")).isEqualTo("true");
                assertThat(client.crashReport()).isEmpty();
            }
            assertThat(server.isAlive()).isTrue();
            assertThat(server.crashReport()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCallOverTls(Sides sides) throws Exception {
        Path keys = KeyStores.ofThisJvm();
        Seeds.withSeed(seed -> call(
                sides,
                seed,
                type -> jvm(type == GrpcServer.class ? sides.server : sides.client, type)
                        .property(KeyStores.PROPERTY, keys)));
    }

    /** As in a container: programs that nobody changed, started by a script of theirs, and one variable. */
    @Test
    void shouldBeAcceleratedByTheAgentInTheEnvironment(@TempDir Path folder) throws Exception {
        Path script = Files.writeString(folder.resolve("start.sh"), "exec \"$@\"\n");
        Seeds.withSeed(seed -> call(
                Sides.BOTH_ACCELERATED,
                seed,
                type -> JvmBuilder.of(Flavour.JDK, type)
                        .classPath(Locations.app("grpc"))
                        .prefix("/bin/sh", script.toString())
                        .environment(
                                "JAVA_TOOL_OPTIONS",
                                "-javaagent:" + Locations.ucxnioJar() + "=switch.after=0,rendezvous="
                                        + Rendezvous.ofThisJvm().path())));
    }

    private static JvmBuilder jvm(Flavour flavour, Class<?> program) {
        return JvmBuilder.of(flavour, program)
                .classPath(Locations.app("grpc"))
                // Without it Netty uses epoll itself, and asks no provider.
                .property("io.grpc.netty.shaded.io.netty.transport.noNative", true);
    }
}
