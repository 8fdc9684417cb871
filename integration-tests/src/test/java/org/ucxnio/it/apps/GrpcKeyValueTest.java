package org.ucxnio.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Locations;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.programs.KeyValueServer;
import org.ucxnio.it.programs.KeyValueUser;

/** A key-value store over gRPC and Netty as a program has them, with every combination of providers. */
@Bounded
class GrpcKeyValueTest {
    private static final int THREADS = 6;
    private static final int CALLS = 2000;

    /** An eighth of the calls has 16 KiB one way, another eighth the other way. */
    private static final long LEAST_BYTES = CALLS / 8 * 10_000L;

    @ParameterizedTest
    @EnumSource
    void shouldKeepRecords(Sides sides) throws Exception {
        Seeds.withSeed(seed -> keepRecords(sides, seed));
    }

    private static void keepRecords(Sides sides, long seed) throws Exception {
        int port = Ports.free();
        try (ChildJvm server =
                jvm(sides.server, KeyValueServer.class).arguments(port).start()) {
            server.expect("LISTENING");
            try (ChildJvm user = jvm(sides.client, KeyValueUser.class)
                    .arguments(port, THREADS, seed)
                    .start()) {
                user.expect("STARTED");
                Awaitility.await()
                        .atMost(ChildJvm.PATIENCE)
                        .until(() -> Integer.parseInt(user.ask("progress", "PROGRESS")) >= CALLS);
                user.ask("verify", "VERIFIED");
                sides.expectTraffic(server, user, LEAST_BYTES);
                assertThat(user.ask("close", "CLOSED")).isEqualTo("true");
                assertThat(user.crashReport()).isEmpty();
            }
            assertThat(server.isAlive()).isTrue();
            assertThat(server.crashReport()).isEmpty();
        }
    }

    private static JvmBuilder jvm(Flavour flavour, Class<?> program) {
        return JvmBuilder.of(flavour, program)
                .classPath(Locations.app("grpc-netty"))
                // Without it Netty uses epoll itself, and asks no provider.
                .property("io.netty.transport.noNative", true);
    }
}
