package org.ucxnio.it.moving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.programs.NodeMain;

/**
 * Two processes listen on one port, as {@code SO_REUSEPORT} allows, and the kernel deals connections out to them. One of the two has the
 * name by which clients find a process: its connections move, the others stay plain.
 */
@Bounded
class SharedPortTest {
    private static final int CONNECTIONS = 40;
    private static final int COUNT = 200_000;

    private static Node start() throws Exception {
        return Node.start(JvmBuilder.of(Flavour.RINGS, NodeMain.class));
    }

    private static Node listen(Node node, int port, Mode mode) throws Exception {
        node.call("listen l 127.0.0.1 " + port + " shared");
        node.call("acceptAll c l " + mode + " 7");
        return node;
    }

    /** Connects and names the connection as its server does. */
    private static String connect(Node client, int port, int number, Mode mode) throws Exception {
        String addresses = client.call("connect t" + number + " 127.0.0.1 " + port + " " + mode + " 7");
        return "c" + addresses.split(" ")[0].replaceAll(".*:", "");
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeAllConnections(Mode mode) throws Exception {
        int port = Ports.free();
        try (Node first = listen(start(), port, mode);
                Node second = listen(start(), port, mode);
                Node client = start()) {
            Map<Integer, Node> servers = new TreeMap<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                String name = connect(client, port, i, mode);
                Node server = whoHas(name, first, second);
                servers.put(i, server);
                server.call("rename " + name + " t" + i);
                client.transfer(server, "t" + i, COUNT);
                server.transfer(client, "t" + i, COUNT);
            }
            assertThat(servers.values()).contains(first, second);
            // The first had the name before the second asked for it.
            long firsts = servers.values().stream().filter(first::equals).count();
            first.awaitRings((int) firsts);
            assertThat(second.traffic().rings()).isZero();
            assertThat(client.traffic().rings()).isEqualTo((int) firsts);
            for (int i = 0; i < CONNECTIONS; i++) {
                client.transfer(servers.get(i), "t" + i, COUNT);
                client.call("close t" + i);
                assertThat(servers.get(i).call("readToEnd t" + i)).isEqualTo("0");
            }
            for (Node node : new Node[] {first, second, client}) {
                node.expectQuiet();
            }
        }
    }

    private static Node whoHas(String name, Node first, Node second) {
        Node[] found = new Node[1];
        Awaitility.await().until(() -> {
            for (Node node : new Node[] {first, second}) {
                if (node.call("has " + name).equals("true")) {
                    found[0] = node;
                }
            }
            return found[0] != null;
        });
        return found[0];
    }

    /** The one that had the name is gone, in order or not: who listens next on that port has it. */
    @Test
    void shouldHandTheNameOn() throws Exception {
        int port = Ports.free();
        try (Node client = start()) {
            for (int round = 0; round < 4; round++) {
                try (Node server = listen(start(), port, Mode.BLOCKING)) {
                    String name = connect(client, port, round, Mode.BLOCKING);
                    whoHas(name, server, server).call("rename " + name + " t" + round);
                    server.awaitRings(1);
                    client.transfer(server, "t" + round, COUNT);
                    if (round % 2 == 0) {
                        server.jvm().kill();
                    } else {
                        server.jvm().signal("TERM");
                        server.jvm().awaitExit(ChildJvm.PATIENCE);
                    }
                }
            }
        }
    }
}
