package org.ucxnio.it.exhaustion;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.PrivateShm;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.programs.NodeMain;

/**
 * What UCX takes on one host is short: descriptors, {@code /dev/shm}. The bytes flow, over UCX or over TCP, and no process ends: libucs ends
 * one that has some of the descriptors which its thread takes, and not all of them.
 */
@Bounded
class UcxShortageTest {
    private static final long COUNT = 300_000;
    private static final String SEED = " 7";

    /** Descriptors for a listener, its name and the connection that it accepts. */
    private static final int TO_CONNECT = 4;

    /** Of each mode. Each in non-blocking mode has selectors of its own, and so workers. */
    private static final int CONNECTIONS = 6;

    private static JvmBuilder node() {
        return JvmBuilder.of(Flavour.UCX_MESSAGES, NodeMain.class);
    }

    private static void connect(Node server, Node client, String name, Mode mode) throws Exception {
        int port = Ports.free();
        server.call("listen " + name + " 127.0.0.1 " + port);
        client.call("connect " + name + " 127.0.0.1 " + port + ' ' + mode + SEED);
        server.call("accept " + name + ' ' + name + ' ' + mode + SEED);
    }

    private static void expectBytes(Node server, Node client, String name) throws Exception {
        client.transfer(server, name, COUNT);
        server.transfer(client, name, COUNT);
    }

    private static void awaitMoved(Node node) {
        Awaitility.await().until(() -> node.traffic().accelerated() > 0);
    }

    /** What loads a class has done so, and what makes a worker has made it, before the descriptors run out. */
    private static void expectBytesWithFew(int more, boolean atServer) throws Exception {
        try (Node server = Node.start(node());
                Node client = Node.start(node())) {
            connect(server, client, "first", Mode.BLOCKING);
            client.transfer(server, "first", 1);
            awaitMoved(server);
            awaitMoved(client);
            (atServer ? server : client).allowDescriptors(more + TO_CONNECT);
            connect(server, client, "second", Mode.BLOCKING);
            expectBytes(server, client, "second");
            expectBytes(server, client, "first");
            server.expectQuiet();
            client.expectQuiet();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 24})
    void shouldServeWithFewDescriptors(int more) throws Exception {
        expectBytesWithFew(more, true);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 24})
    void shouldConnectWithFewDescriptors(int more) throws Exception {
        expectBytesWithFew(more, false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"16k", "1m", "3m", "8m", "64m"})
    void shouldDoWithLittleSharedMemory(String size) throws Exception {
        try (PrivateShm memory = open(size);
                Node server = Node.start(node().defaultRendezvous().prefix(memory.words()));
                Node client = Node.start(node().defaultRendezvous().prefix(memory.words()))) {
            for (int i = 0; i < CONNECTIONS; i++) {
                for (Mode mode : Mode.values()) {
                    connect(server, client, mode + "-" + i, mode);
                    expectBytes(server, client, mode + "-" + i);
                }
            }
            for (int i = 0; i < CONNECTIONS; i++) {
                for (Mode mode : Mode.values()) {
                    expectBytes(server, client, mode + "-" + i);
                }
            }
            assertThat(server.jvm().crashReport()).isEmpty();
            assertThat(client.jvm().crashReport()).isEmpty();
        }
    }

    private static PrivateShm open(String size) {
        try {
            return PrivateShm.open(size);
        } catch (IOException e) {
            return Skips.skip(e.getMessage());
        }
    }
}
