package org.ucxnio.it.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;

/** Rings take no more memory than {@code ucxnio.memory} says: connections that get none, or no larger one, go on with what they have. */
class MemoryLimitTest extends OneHost {
    private static final int CONNECTIONS = 60;
    private static final long EACH = 1 << 20;

    private static Node start(String limit) throws IOException {
        return Node.start(node().property("ucxnio.memory", limit));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "4k", "64k", "1m", "8m"})
    void shouldMoveBytesWithinTheLimit(String limit) throws Exception {
        try (Node server = start(limit);
                Node client = start(limit)) {
            int port = Ports.free();
            server.call("listen l 127.0.0.1 " + port);
            for (int i = 0; i < CONNECTIONS; i++) {
                connect(server, client, "c" + i, Mode.values()[i % 2], port);
            }
            settle();
            List<CompletableFuture<String>> transfers = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                transfers.add(server.start("read c" + i + " " + EACH));
                transfers.add(client.start("read c" + i + " " + EACH));
                transfers.add(server.start("write c" + i + " " + EACH));
                transfers.add(client.start("write c" + i + " " + EACH));
            }
            for (CompletableFuture<String> transfer : transfers) {
                assertThat(server.await(transfer)).isEqualTo(Long.toString(EACH));
            }
            String reports = server.report() + client.report();
            assertThat(reports).contains(" bytes (ucxnio.memory)");
            if (!limit.endsWith("m")) {
                assertThat(reports).contains("ucxnio.memory lets this process have");
            }
            server.expectQuiet();
            client.expectQuiet();
        }
    }

    /** What a closed connection had is for the next one. */
    @Test
    void shouldGiveBackWhatClosedConnectionsHad() throws Exception {
        try (Node server = start("4m");
                Node client = start("4m")) {
            int port = Ports.free();
            server.call("listen l 127.0.0.1 " + port);
            for (int round = 0; round < 50; round++) {
                String name = "c" + round;
                connect(server, client, name, Mode.BLOCKING, port);
                useUntilMoved(server, client, name);
                client.transfer(server, name, EACH);
                server.transfer(client, name, EACH);
                client.call("close " + name);
                assertThat(server.call("readToEnd " + name)).isEqualTo("0");
                server.call("close " + name);
                Awaitility.await()
                        .untilAsserted(() -> assertThat(server.traffic().rings()
                                        + client.traffic().rings())
                                .isZero());
            }
        }
    }
}
