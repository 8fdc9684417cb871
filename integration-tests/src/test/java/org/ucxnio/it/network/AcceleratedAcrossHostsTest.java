package org.ucxnio.it.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Jucx;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.LastBytes;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.harness.Traffic;

/** Two hosts that trust each other, over UCX's tcp transport, by each way to call it. */
@ParameterizedClass
@ValueSource(strings = {"ffm", "jucx"})
class AcceleratedAcrossHostsTest extends TwoHosts {
    private static final Duration DEATH_NOTICED = Duration.ofSeconds(2);
    private static final long LARGE = 8 << 20;

    @Parameter
    private String backend;

    private JvmBuilder overUcx(JvmBuilder builder) throws IOException {
        JvmBuilder over = overUcx(builder, NetworkLab.SUBNET);
        return backend.equals("jucx") ? Jucx.use(over) : over;
    }

    private Node startServer() throws IOException {
        return Node.start(overUcx(onServer()));
    }

    private Node startClient() throws IOException {
        return Node.start(overUcx(onClient()));
    }

    /** As {@link #connect}, of connections that have moved then. */
    private static void connectMoved(Node server, Node client, int port, String name, Mode mode, long seed)
            throws InterruptedException {
        int before = client.traffic().accelerated();
        int beforeThere = server.traffic().accelerated();
        connect(server, client, port, name, mode, seed);
        client.awaitRings(before + 1);
        server.awaitRings(beforeThere + 1);
    }

    private static void expectAccelerated(Node node, long sent, long received) throws InterruptedException {
        Traffic traffic = node.traffic();
        assertThat(traffic.active()).as(traffic.inactiveReason()).isTrue();
        assertThat(traffic.plain()).as(node.report()).isZero();
        assertThat(traffic.ucxSent()).isEqualTo(sent);
        assertThat(traffic.ucxReceived()).isEqualTo(received);
        assertThat(traffic.tcpSent()).isZero();
        assertThat(traffic.tcpReceived()).isZero();
        assertThat(traffic.lanes()).anyMatch(lane -> lane.startsWith("tcp"));
        assertThat(node.report()).contains("reached over UCX");
    }

    @ParameterizedTest
    @EnumSource
    void shouldMoveTheBytesThroughUcx(Mode mode) throws Exception {
        try (Node server = startServer();
                Node client = startClient()) {
            Seeds.withSeed(seed -> {
                SplittableRandom random = new SplittableRandom(seed);
                connectMoved(server, client, listen(server), "c", mode, seed);
                long up = 0;
                long down = 0;
                for (int i = 0; i < 200; i++) {
                    long there = 1 + random.nextLong(40_000);
                    long back = 1 + random.nextLong(40_000);
                    client.transfer(server, "c", there);
                    server.transfer(client, "c", back);
                    up += there;
                    down += back;
                }
                expectAccelerated(client, up, down);
                expectAccelerated(server, down, up);
                client.expectQuiet();
                server.expectQuiet();
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldMoveLargeAmountsBothWaysAtOnce(Mode mode) throws Exception {
        try (Node server = startServer();
                Node client = startClient()) {
            Seeds.withSeed(seed -> {
                connectMoved(server, client, listen(server), "c", mode, seed);
                List<CompletableFuture<String>> ends = List.of(
                        server.start("read c " + LARGE),
                        client.start("read c " + LARGE),
                        server.start("write c " + LARGE),
                        client.start("write c " + LARGE));
                for (CompletableFuture<String> end : ends) {
                    assertThat(server.await(end)).isEqualTo(Long.toString(LARGE));
                }
                expectAccelerated(client, LARGE, LARGE);
                expectAccelerated(server, LARGE, LARGE);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeManyConnectionsAtOnce(Mode mode) throws Exception {
        int connections = 48;
        long each = 30_000;
        try (Node server = startServer();
                Node client = startClient()) {
            Seeds.withSeed(seed -> {
                int port = listen(server);
                for (int i = 0; i < connections; i++) {
                    connectMoved(server, client, port, "c" + i, mode, seed + i);
                }
                assertThat(client.traffic().accelerated()).isEqualTo(connections);
                List<CompletableFuture<String>> ends = new ArrayList<>();
                for (int i = 0; i < connections; i++) {
                    ends.add(server.start("read c" + i + " " + each));
                    ends.add(client.start("read c" + i + " " + each));
                    ends.add(server.start("write c" + i + " " + each));
                    ends.add(client.start("write c" + i + " " + each));
                }
                for (CompletableFuture<String> end : ends) {
                    assertThat(client.await(end)).isEqualTo(Long.toString(each));
                }
                expectAccelerated(client, connections * each, connections * each);
                for (int i = 0; i < connections; i++) {
                    client.call("close c" + i);
                    assertThat(server.call("readToEnd c" + i)).isEqualTo("0");
                    server.call("close c" + i);
                }
                assertThat(client.traffic().accelerated()).isZero();
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldDeliverWhatWasWrittenBeforeAClose(Mode mode) throws Exception {
        try (Node server = startServer();
                Node client = startClient()) {
            Seeds.withSeed(seed -> {
                int port = listen(server);
                for (int i = 0; i < 10; i++) {
                    String name = "c" + i;
                    connectMoved(server, client, port, name, mode, seed + i);
                    long count = 1 + new SplittableRandom(seed + i).nextLong(150_000);
                    client.call("write " + name + " " + count);
                    client.call("close " + name);
                    assertThat(server.call("readToEnd " + name)).isEqualTo(Long.toString(count));
                    server.call("close " + name);
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldDeliverEverythingOfAProgramThatEndsAtOnce(Mode mode) throws Exception {
        long count = 200_000;
        try (Node server = startServer()) {
            Seeds.withSeed(seed -> {
                int port = listen(server);
                for (int i = 0; i < 3; i++) {
                    String name = "c" + i;
                    try (Node client = startClient()) {
                        connectMoved(server, client, port, name, mode, seed + i);
                        CompletableFuture<String> read = server.start("readToEnd " + name);
                        client.start("writeCloseExit " + name + " " + count);
                        assertThat(server.await(read)).isEqualTo(Long.toString(count));
                        assertThat(client.jvm().awaitExit(ChildJvm.PATIENCE)).isZero();
                        client.expectQuiet();
                    }
                }
                server.expectQuiet();
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"BLOCKING, true", "BLOCKING, false", "SELECTOR, true", "SELECTOR, false"})
    void shouldDeliverWhatAProgramWroteLastToAPeerThatStoodStill(Mode mode, boolean usedBefore) throws Exception {
        try (Node server = startServer();
                Node client = Node.start(overUcx(onClient()).property("ucxnio.exit.flush", "20s"))) {
            Seeds.withSeed(seed -> {
                connectMoved(server, client, listen(server), "c", mode, seed);
                if (usedBefore) {
                    client.transfer(server, "c", 1000);
                    server.transfer(client, "c", 1000);
                }
                LastBytes.expectDelivered(client, server, "c");
                server.expectQuiet();
            });
        }
    }

    /** Sometimes the kernel's buffers are full just when the last message is handed over. */
    @ParameterizedTest
    @EnumSource
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldDeliverWhatWasWrittenWhileThePeerStoodStill(Mode mode) throws Exception {
        try (Node server = startServer();
                Node client = startClient()) {
            Seeds.withSeed(seed -> {
                connectMoved(server, client, listen(server), "c", mode, seed);
                server.transfer(client, "c", 1000);
                for (int i = 0; i < 28; i++) {
                    // Less than half the window, so that the write need not wait for the peer.
                    long count = 20_000 + i * 3_700L;
                    client.jvm().signal("STOP");
                    server.call("write c " + count);
                    client.jvm().signal("CONT");
                    assertThat(client.call("read c " + count)).isEqualTo(Long.toString(count));
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldHalfClose(Mode mode) throws Exception {
        try (Node server = startServer();
                Node client = startClient()) {
            Seeds.withSeed(seed -> {
                connectMoved(server, client, listen(server), "c", mode, seed);
                client.transfer(server, "c", 1000);
                client.call("shutdownOutput c");
                assertThat(server.call("readToEnd c")).isEqualTo("0");
                server.transfer(client, "c", LARGE / 8);
                server.call("close c");
                assertThat(client.call("readToEnd c")).isEqualTo("0");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNoticeTheDeathOfAPeerWhileReading(Mode mode) throws Exception {
        try (Node server = startServer();
                Node client = startClient();
                Node bystander = startClient()) {
            Seeds.withSeed(seed -> {
                int port = listen(server);
                connectMoved(server, client, port, "c", mode, seed);
                connectMoved(server, bystander, port, "b", mode, seed + 1);
                client.transfer(server, "c", 5000);
                CompletableFuture<String> read = server.start("readToEnd c");
                client.jvm().kill();
                server.awaitEnd(read, DEATH_NOTICED);
                expectUndisturbed(server, bystander, "b");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNoticeTheDeathOfAPeerWhileWriting(Mode mode) throws Exception {
        try (Node server = startServer();
                Node client = startClient();
                Node bystander = startClient()) {
            Seeds.withSeed(seed -> {
                int port = listen(server);
                connectMoved(server, client, port, "c", mode, seed);
                connectMoved(server, bystander, port, "b", mode, seed + 1);
                // Nobody reads, so the writer soon waits for room.
                CompletableFuture<String> write = server.start("write c " + (1L << 40));
                Thread.sleep(new SplittableRandom(seed).nextLong(300));
                client.jvm().kill();
                assertThat(server.awaitEnd(write, DEATH_NOTICED)).contains("Exception");
                expectUndisturbed(server, bystander, "b");
            });
        }
    }

    private static void expectUndisturbed(Node server, Node bystander, String name) throws InterruptedException {
        bystander.transfer(server, name, 100_000);
        server.transfer(bystander, name, 100_000);
        server.expectQuiet();
    }

    @Test
    void shouldServeANewPeerAfterOneHasDied() throws Exception {
        try (Node server = startServer()) {
            Seeds.withSeed(seed -> {
                int port = listen(server);
                for (int i = 0; i < 4; i++) {
                    try (Node client = startClient()) {
                        connectMoved(server, client, port, "c" + i, Mode.BLOCKING, seed + i);
                        CompletableFuture<String> stream = client.start("write c" + i + " " + (1L << 40));
                        assertThat(server.call("read c" + i + " 300000")).isEqualTo("300000");
                        assertThat(stream).isNotDone();
                        client.jvm().kill();
                        server.awaitEnd(server.start("readToEnd c" + i), DEATH_NOTICED);
                        server.call("close c" + i);
                    }
                }
                server.expectQuiet();
                assertThat(server.traffic().accelerated()).isZero();
            });
        }
    }
}
