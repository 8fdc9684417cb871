package org.ucxnio.it.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.programs.EchoClient;
import org.ucxnio.it.programs.EchoServer;
import org.ucxnio.it.programs.EndlessWriter;

/** A peer is stopped in the middle of its traffic: ten connections to another process keep going; then it goes on too. */
@Bounded
class StoppedPeerTest {
    private static final int OTHERS = 10;
    private static final int PHASE_MS = 1500;

    /** Much more than the noise of a busy machine: a server held up by the stopped peer does nothing at all. */
    private static final double LEAST_SHARE = 0.3;

    @ParameterizedTest
    @CsvSource({"JDK, BLOCKING", "JDK, SELECTOR", "RINGS, BLOCKING", "RINGS, SELECTOR", "UCX_MESSAGES, SELECTOR"})
    void shouldServeOthersWhileAPeerIsStopped(Flavour flavour, Mode mode) throws Exception {
        int port = Ports.free();
        try (ChildJvm server = JvmBuilder.of(flavour, EchoServer.class)
                .arguments("127.0.0.1", port, mode)
                .start()) {
            server.expect("LISTENING");
            try (ChildJvm stopped = startClient(flavour, port, mode, 4, 100_000);
                    ChildJvm neverReading = JvmBuilder.of(flavour, EndlessWriter.class)
                            .arguments(port, mode)
                            .start();
                    ChildJvm others = startClient(flavour, port, mode, OTHERS, 1000)) {
                neverReading.expect("CONNECTED");
                awaitMoreRounds(stopped, 20);
                awaitMoreRounds(others, 20L * OTHERS);
                long usual = roundsWithin(others);
                neverReading.signal("STOP");
                stopped.signal("STOP");
                try {
                    long meanwhile = roundsWithin(others);
                    assertThat(meanwhile).isGreaterThan((long) (usual * LEAST_SHARE));
                    assertThat(slowest(others)).isPositive();
                } finally {
                    stopped.signal("CONT");
                }
                awaitMoreRounds(stopped, 20);
                finish(stopped);
                finish(others);
                assertThat(server.crashReport()).isEmpty();
            }
        }
    }

    private static ChildJvm startClient(Flavour flavour, int port, Mode mode, int connections, int largest)
            throws IOException {
        ChildJvm client = JvmBuilder.of(flavour, EchoClient.class)
                .arguments("127.0.0.1", port, mode, connections, 0, largest, 7)
                .start();
        client.expect("STARTED");
        return client;
    }

    private static long rounds(ChildJvm client) {
        return Long.parseLong(client.ask("rounds", "ROUNDS "));
    }

    private static long slowest(ChildJvm client) {
        return Long.parseLong(client.ask("slowest", "SLOWEST "));
    }

    /** Rounds of all connections in a while; the slowest of them must have had its share. */
    private static long roundsWithin(ChildJvm client) throws InterruptedException {
        long before = rounds(client);
        long slowestBefore = slowest(client);
        TimeUnit.MILLISECONDS.sleep(PHASE_MS);
        assertThat(slowest(client)).isGreaterThan(slowestBefore);
        return rounds(client) - before;
    }

    private static void awaitMoreRounds(ChildJvm client, long more) {
        long start = rounds(client);
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> rounds(client) >= start + more);
    }

    private static void finish(ChildJvm client) {
        client.send("stop");
        client.expect("DONE");
        assertThat(client.errorLines()).noneMatch(line -> line.contains("Exception"));
    }
}
