package org.ucxnio.it.exhaustion;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.ControlGroup;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.programs.EchoClient;
import org.ucxnio.it.programs.EchoServer;

/** A server in a small container, whose clients stream: its rings take what the container can spare, and no more. */
@Bounded
class ControlGroupTest {
    private static final long LIMIT = 300L << 20;
    private static final int PEERS = 12;
    private static final int EACH = 3;
    private static final int LARGEST = 1 << 20;
    private static final int ROUNDS = 20;
    private static final Pattern MEMORY = Pattern.compile("memory +(\\d+) of (\\d+) bytes");

    private static ControlGroup group() {
        try {
            return ControlGroup.open(LIMIT);
        } catch (IOException e) {
            return Skips.skip("no control group: " + e);
        }
    }

    private static ChildJvm client(Flavour flavour, int port) throws IOException {
        return JvmBuilder.of(flavour, EchoClient.class)
                .flags("-Xmx32m")
                .arguments("127.0.0.1", port, Mode.SELECTOR, EACH, 0, LARGEST, 1)
                .start();
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "RINGS"})
    void shouldServeManyStreamsWithinTheGroup(Flavour flavour) throws Exception {
        int port = Ports.free();
        List<ChildJvm> clients = new ArrayList<>();
        try (ControlGroup group = group();
                ChildJvm server = JvmBuilder.of(flavour, EchoServer.class)
                        .flags("-Xmx64m")
                        .prefix(group.words())
                        .arguments("127.0.0.1", port, Mode.SELECTOR)
                        .start()) {
            server.expect("LISTENING");
            try {
                for (int i = 0; i < PEERS; i++) {
                    clients.add(client(flavour, port));
                }
                for (ChildJvm client : clients) {
                    Awaitility.await()
                            .atMost(ChildJvm.PATIENCE)
                            .until(() -> Long.parseLong(client.ask("slowest", "SLOWEST ")) >= ROUNDS);
                }
                assertThat(group.used()).isLessThanOrEqualTo(LIMIT);
                assertThat(server.isAlive()).isTrue();
                if (flavour.isOurs()) {
                    expectWithinLimit(server.ask("report", "REPORT ").replace('|', '\n'));
                }
            } finally {
                clients.forEach(ChildJvm::close);
            }
            assertThat(server.crashReport()).isEmpty();
        }
    }

    private static void expectWithinLimit(String report) {
        Matcher matcher = MEMORY.matcher(report);
        assertThat(matcher.find()).as(report).isTrue();
        long held = Long.parseLong(matcher.group(1));
        long most = Long.parseLong(matcher.group(2));
        assertThat(most).as(report).isEqualTo(LIMIT / 4);
        // More than rings have at their start: the streams have had them grow.
        assertThat(held).as(report).isLessThanOrEqualTo(most).isGreaterThan(PEERS * EACH * (64L << 10));
    }
}
