package org.ucxnio.it.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.NodeMain;

/** What these tests share: two JVMs, a connection in each mode between them, bytes both ways, and what the report says. */
@Bounded
public abstract class OneHost {
    /** Enough for rings to grow to their largest size. */
    protected static final long COUNT = (9 << 20) + 17;

    private static final long BYTES_EACH_WAY = COUNT * Mode.values().length;

    protected static final String OTHER_NAMESPACES = "peer in other namespaces of this host";
    protected static final String OUT_OF_REACH = "peer of this user whose memory the kernel does not show";

    /** What two processes together have received so far, bytes. */
    private record Received(long ucx, long tcp) {
        static Received by(Node one, Node other) throws InterruptedException {
            Traffic first = one.traffic();
            Traffic second = other.traffic();
            return new Received(first.ucxReceived() + second.ucxReceived(), first.tcpReceived() + second.tcpReceived());
        }

        Received plus(long moreUcx, long moreTcp) {
            return new Received(ucx + moreUcx, tcp + moreTcp);
        }
    }

    /** One side of every pair, with nothing of its own. */
    protected static Node ours;

    @BeforeAll
    static void startOurs() throws IOException {
        ours = Node.start(node());
    }

    @AfterAll
    static void endOurs() {
        ours.close();
    }

    /** A program with rings, behind these words. */
    protected static JvmBuilder node(String... prefix) {
        return JvmBuilder.of(Flavour.UCX, NodeMain.class).prefix(prefix);
    }

    /** Skips the test, with what was said, where a command cannot be run behind these words. */
    protected static void require(String... prefix) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(prefix));
        command.add("true");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            Skips.skip(String.join(" ", command) + ": " + said);
        }
    }

    /** Joins the two by one connection in each mode, named after it, and moves bytes both ways on each. */
    protected static void exchange(Node server, Node client) throws Exception {
        int port = Ports.free();
        server.call("listen l 127.0.0.1 " + port);
        for (Mode mode : Mode.values()) {
            client.call("connect " + mode + " 127.0.0.1 " + port + ' ' + mode + " 7");
            server.call("accept " + mode + " l " + mode + " 7");
            client.transfer(server, mode.name(), COUNT);
            server.transfer(client, mode.name(), COUNT);
        }
    }

    protected static void expectAccelerated(Node server, Node client) throws Exception {
        Received before = Received.by(server, client);
        exchange(server, client);
        assertThat(Received.by(server, client)).as(client.report()).isEqualTo(before.plus(2 * BYTES_EACH_WAY, 0));
        for (Node node : List.of(server, client)) {
            assertThat(node.traffic().lanes()).isNotEmpty().allMatch(lane -> lane.startsWith("ring over "));
            assertThat(node.report()).doesNotContainPattern("(?m)^rings ");
        }
        expectCleanEnd(server, client);
    }

    /** @param reason what the report of the side that found it says */
    protected static void expectPlain(Node server, Node client, String reason) throws Exception {
        Received before = Received.by(server, client);
        int saidBefore = timesSaid(reason, server, client);
        exchange(server, client);
        assertThat(Received.by(server, client)).as(client.report()).isEqualTo(before.plus(0, 2 * BYTES_EACH_WAY));
        assertThat(timesSaid(reason, server, client))
                .as(client.report() + server.report())
                .isGreaterThan(saidBefore);
        expectCleanEnd(server, client);
    }

    private static int timesSaid(String reason, Node... nodes) throws InterruptedException {
        Pattern line = Pattern.compile("(?m)^  " + reason + " +(\\d+)");
        int times = 0;
        for (Node node : nodes) {
            times += line.matcher(node.report())
                    .results()
                    .mapToInt(found -> Integer.parseInt(found.group(1)))
                    .sum();
        }
        return times;
    }

    private static void expectCleanEnd(Node server, Node client) throws InterruptedException {
        for (Mode mode : Mode.values()) {
            client.call("close " + mode);
            assertThat(server.call("readToEnd " + mode)).isEqualTo("0");
            server.call("close " + mode);
        }
        server.expectQuiet();
        client.expectQuiet();
        Awaitility.await()
                .untilAsserted(() -> assertThat(server.traffic().accelerated()).isZero());
    }
}
