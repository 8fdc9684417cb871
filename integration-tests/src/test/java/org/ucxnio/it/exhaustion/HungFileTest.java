package org.ucxnio.it.exhaustion;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.programs.EchoServer;
import org.ucxnio.it.programs.HungFileUser;

/**
 * A thread writes a buffer that is mapped from a file system that hangs, or reads into it. It alone waits: collections of the heap,
 * other connections to the same process and to others, closes, and the exit of the JVM do not.
 */
@Bounded
class HungFileTest {
    private static ChildJvm server(Flavour flavour, Mode mode, int port) throws IOException {
        ChildJvm server = JvmBuilder.of(flavour, EchoServer.class)
                .arguments("127.0.0.1", port, mode)
                .start();
        server.expect("LISTENING");
        return server;
    }

    @ParameterizedTest
    @CsvSource({
        "JDK, BLOCKING, write, release",
        "JDK, SELECTOR, read, exit",
        "RINGS, BLOCKING, write, release",
        "RINGS, BLOCKING, read, exit",
        "RINGS, SELECTOR, write, exit",
        "RINGS, SELECTOR, read, release",
        "UCX_MESSAGES, BLOCKING, write, exit",
        "UCX_MESSAGES, BLOCKING, read, release",
        "UCX_MESSAGES, SELECTOR, write, release",
        "UCX_MESSAGES, SELECTOR, read, exit",
    })
    void shouldHoldUpNobodyElse(Flavour flavour, Mode mode, String direction, String end) throws Exception {
        int first = Ports.free();
        int second = Ports.free();
        try (ChildJvm one = server(flavour, mode, first);
                ChildJvm two = server(flavour, mode, second);
                ChildJvm user = JvmBuilder.of(flavour, HungFileUser.class)
                        .flags("--enable-native-access=ALL-UNNAMED")
                        .arguments(mode, direction, first, second)
                        .start()) {
            String line = user.expect("");
            if (line.startsWith("SKIPPED")) {
                Skips.skip(line);
            }
            assertThat(line).isEqualTo("HUNG");
            assertThat(user.ask("others", "OTHERS ")).isEqualTo("false");
            if (end.equals("release")) {
                assertThat(user.ask("release", "RELEASED ")).isNotEqualTo("0");
            }
            user.send("exit");
            assertThat(user.awaitExit(ChildJvm.PATIENCE)).isZero();
            assertThat(one.isAlive() && two.isAlive()).isTrue();
        }
    }
}
