package org.ucxnio.it.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;

/** A connection whose ring is full and gets no memory to grow goes back to TCP, which takes what programs write before they read. */
class BackToTcpTest extends OneHost {
    /** Rings for a few connections, none of them large. */
    private static final String LITTLE = "64k";

    private static final long MUCH = 400_000;
    private static final Duration SOON = Duration.ofSeconds(20);

    private static Node start() throws IOException {
        return Node.start(node().property("ucxnio.memory", LITTLE));
    }

    private static void moved(Node server, Node client, Mode mode) throws Exception {
        int port = Ports.free();
        server.call("listen l 127.0.0.1 " + port);
        connect(server, client, "c", mode, port);
        useUntilMoved(server, client, "c");
    }

    /** What fits into no ring that can be had, from both sides. */
    private static void writeMuch(Node server, Node client) throws InterruptedException {
        CompletableFuture<String> there = client.start("write c " + MUCH);
        CompletableFuture<String> back = server.start("write c " + MUCH);
        assertThat(client.await(there)).isEqualTo(Long.toString(MUCH));
        assertThat(server.await(back)).isEqualTo(Long.toString(MUCH));
    }

    private static void readMuch(Node node) throws InterruptedException {
        assertThat(node.call("read c " + MUCH)).isEqualTo(Long.toString(MUCH));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void shouldTakeMuchFromBothSidesBeforeEitherReads(Mode mode) throws Exception {
        try (Node server = start();
                Node client = start()) {
            moved(server, client, mode);
            writeMuch(server, client);
            readMuch(server);
            readMuch(client);
            for (Node node : new Node[] {server, client}) {
                assertThat(node.report()).contains("left again", "went back to TCP: no room for its rings");
                assertThat(node.traffic().rings()).isZero();
                assertThat(node.traffic().plain()).isEqualTo(1);
            }
            transferBothWays(server, client, "c");
            client.call("close c");
            assertThat(server.call("readToEnd c")).isEqualTo("0");
            server.call("close c");
            server.expectQuiet();
            client.expectQuiet();
        }
    }

    /** What one connection leaves another can have. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void shouldLeaveItsRingsToOthers(Mode mode) throws Exception {
        try (Node server = start();
                Node client = start()) {
            int port = Ports.free();
            server.call("listen l 127.0.0.1 " + port);
            for (int i = 0; i < 40; i++) {
                connect(server, client, "c", mode, port);
                useUntilMoved(server, client, "c");
                writeMuch(server, client);
                readMuch(server);
                readMuch(client);
                client.call("close c");
                assertThat(server.call("readToEnd c")).isEqualTo("0");
                server.call("close c");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void shouldNoticeThatThePeerWasKilled(Mode mode) throws Exception {
        try (Node server = start();
                Node client = start()) {
            moved(server, client, mode);
            writeMuch(server, client);
            readMuch(server);
            CompletableFuture<String> read = server.start("readToEnd c");
            client.jvm().kill();
            server.awaitEnd(read, SOON);
            server.awaitEnd(server.start("writeInVain c"), SOON);
            server.call("close c");
            Awaitility.await()
                    .atMost(ChildJvm.PATIENCE)
                    .untilAsserted(() -> assertThat(server.traffic().plain()).isZero());
        }
    }
}
