package org.ucxnio.it.moving;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.RecordingProxy;
import org.ucxnio.it.harness.Rendezvous;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.NodeMain;

/**
 * Somebody between client and server changes addresses: a relay, which has a connection with each, or the kernel's own translation.
 * What the two see is not one connection, or does not look like it; they stay with TCP.
 */
@Bounded
class TranslatedAddressTest {
    private static final int COUNT = 300_000;

    /** Longer than a client asks for a connection that its server does not know. */
    private static final int SETTLE_MS = 6_000;

    private static Node start(String... prefix) throws IOException {
        return Node.start(JvmBuilder.of(Flavour.RINGS, NodeMain.class).prefix(prefix));
    }

    private static void expectPlain(Node server, Node client, String address, int port, Mode mode) throws Exception {
        client.call("connect c " + address + " " + port + " " + mode + " 7");
        server.call("accept c l " + mode + " 7");
        for (int i = 0; i < 3; i++) {
            client.transfer(server, "c", COUNT);
            server.transfer(client, "c", COUNT);
            TimeUnit.MILLISECONDS.sleep(SETTLE_MS / 3);
        }
        for (Node node : new Node[] {server, client}) {
            Traffic traffic = node.traffic();
            assertThat(traffic.rings()).as(node.report()).isZero();
            assertThat(traffic.tcpReceived()).isEqualTo(3L * COUNT);
            node.expectQuiet();
        }
        client.call("close c");
        assertThat(server.call("readToEnd c")).isEqualTo("0");
    }

    @ParameterizedTest
    @EnumSource
    void shouldStayPlainBehindARelay(Mode mode) throws Exception {
        int port = Ports.free();
        try (RecordingProxy relay = new RecordingProxy(port);
                Node server = start();
                Node client = start()) {
            server.call("listen l 127.0.0.1 " + port);
            expectPlain(server, client, "127.0.0.2", port, mode);
            assertThat(relay.recordings()).hasSize(1);
        }
    }

    /** The client finds the process behind the relay, whose connection is another one. */
    @ParameterizedTest
    @EnumSource
    void shouldStayPlainBehindARelayThatHasTheNameOfTheServer(Mode mode) throws Exception {
        int port = Ports.free();
        try (RecordingProxy relay = new RecordingProxy(port);
                Node server = start();
                Node client = start()) {
            server.call("listen l 127.0.0.1 " + port);
            Path name = Rendezvous.ofThisJvm().listener(port);
            assertThat(name.toString()).contains("127.0.0.1");
            Path relays = Path.of(name.toString().replace("127.0.0.1", "127.0.0.2"));
            Files.createLink(relays, name);
            expectPlain(server, client, "127.0.0.2", port, mode);
            assertThat(relay.recordings()).hasSize(1);
            Files.delete(relays);
        }
    }

    /** The kernel itself sends to another address, in a network namespace of the test. The client finds the process there. */
    @ParameterizedTest
    @EnumSource
    void shouldStayPlainWhereTheKernelTranslates(Mode mode) throws Exception {
        int port = Ports.free();
        String rule = "ip link set lo up && nft add table ip t"
                + " && nft 'add chain ip t out { type nat hook output priority -100 ; }'"
                + " && nft add rule ip t out ip daddr 127.0.0.9 tcp dport " + port + " dnat to 127.0.0.1:" + port;
        Skips.unlessRuns("unshare", "--net", "sh", "-c", rule + " && exec \"$@\"", "sh");
        try (Node server = start("unshare", "--net", "sh", "-c", rule + " && exec \"$@\"", "sh")) {
            String[] inside = {"nsenter", "--target", Long.toString(server.jvm().pid()), "--net"};
            try (Node client = start(inside)) {
                server.call("listen l 0.0.0.0 " + port);
                expectPlain(server, client, "127.0.0.9", port, mode);
            }
        }
    }
}
