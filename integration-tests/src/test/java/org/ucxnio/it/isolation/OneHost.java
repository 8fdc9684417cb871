package org.ucxnio.it.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.PrivateShm;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.NodeMain;

/**
 * What these tests share: two JVMs, a connection in each mode between them, bytes both ways, and what the report says. All JVMs of a
 * class have a {@code /dev/shm} to themselves, where their users meet by default.
 */
@Bounded
public abstract class OneHost {
    /** Enough for rings to grow to their largest size. */
    protected static final long COUNT = (9 << 20) + 17;

    private static final long BYTES_EACH_WAY = COUNT * Mode.values().length;
    private static final long FEW = 100;
    private static final String ROOM = "2g";
    private static final int SETTLE_MS = 3000;

    /** Any reason at all. */
    protected static final String SOME_REASON = "\\S.*?";

    /** What two processes together have received so far, bytes. */
    protected record Received(long rings, long tcp) {
        protected static Received by(Node one, Node other) throws InterruptedException {
            Traffic first = one.traffic();
            Traffic second = other.traffic();
            return new Received(
                    first.ringReceived() + second.ringReceived(), first.tcpReceived() + second.tcpReceived());
        }

        protected Received minus(Received before) {
            return new Received(rings - before.rings, tcp - before.tcp);
        }
    }

    private static PrivateShm sharedMemory;

    /** One side of every pair, with nothing of its own. */
    protected static Node ours;

    @BeforeAll
    static void startOurs() throws IOException {
        try {
            sharedMemory = PrivateShm.open(ROOM);
        } catch (IOException e) {
            Skips.skip(e.getMessage());
        }
        ours = Node.start(node());
    }

    @AfterAll
    static void endOurs() {
        if (sharedMemory != null) {
            ours.close();
            sharedMemory.close();
        }
    }

    protected static PrivateShm sharedMemory() {
        return sharedMemory;
    }

    /** A program that moves to rings at once, behind these words; the test is skipped where nothing can be run behind them. */
    protected static JvmBuilder node(String... prefix) {
        return nodeIn(sharedMemory, prefix);
    }

    /** As {@link #node}, with another {@code /dev/shm}. */
    protected static JvmBuilder nodeIn(PrivateShm memory, String... prefix) {
        return nodeOfTheHost(prefix).prefix(memory.words()).prefix(prefix);
    }

    /** As {@link #node}, with the {@code /dev/shm} of the host; the words are only tried. */
    protected static JvmBuilder nodeOfTheHost(String... prefix) {
        try {
            Skips.unlessRuns(prefix);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return JvmBuilder.of(Flavour.RINGS, NodeMain.class).defaultRendezvous();
    }

    /** Joins the two by one connection in each mode, named after it, and moves bytes both ways on each. */
    protected static void exchange(Node server, Node client) throws Exception {
        int port = Ports.free();
        server.call("listen l 127.0.0.1 " + port);
        for (Mode mode : Mode.values()) {
            connect(server, client, mode.name(), mode, port);
            transferBothWays(server, client, mode.name());
        }
    }

    protected static void connect(Node server, Node client, String name, Mode mode, int port) throws Exception {
        client.call("connect " + name + " 127.0.0.1 " + port + ' ' + mode + " 7");
        server.call("accept " + name + " l " + mode + " 7");
    }

    protected static void transferBothWays(Node server, Node client, String name) throws Exception {
        client.transfer(server, name, COUNT);
        server.transfer(client, name, COUNT);
    }

    /** Moves a few bytes both ways until none of them goes over TCP. */
    protected static void useUntilMoved(Node server, Node client, String name) throws Exception {
        Awaitility.await().atMost(ChildJvm.PATIENCE).until(() -> {
            Received before = Received.by(server, client);
            client.transfer(server, name, FEW);
            server.transfer(client, name, FEW);
            return Received.by(server, client).minus(before).equals(new Received(2 * FEW, 0));
        });
    }

    /** Both connections move to rings, and all the bytes that are written then go there. */
    protected static void expectAccelerated(Node server, Node client) throws Exception {
        int port = Ports.free();
        server.call("listen l 127.0.0.1 " + port);
        for (Mode mode : Mode.values()) {
            connect(server, client, mode.name(), mode, port);
            useUntilMoved(server, client, mode.name());
        }
        Received before = Received.by(server, client);
        for (Mode mode : Mode.values()) {
            transferBothWays(server, client, mode.name());
        }
        assertThat(Received.by(server, client).minus(before))
                .as(client.report())
                .isEqualTo(new Received(2 * BYTES_EACH_WAY, 0));
        expectCleanEnd(server, client);
    }

    /** @param reason what the report of the side that found it says */
    protected static void expectPlain(Node server, Node client, String reason) throws Exception {
        Received before = Received.by(server, client);
        int saidBefore = timesSaid(reason, server, client);
        exchange(server, client);
        assertThat(Received.by(server, client).minus(before))
                .as(client.report())
                .isEqualTo(new Received(0, 2 * BYTES_EACH_WAY));
        Awaitility.await()
                .untilAsserted(() -> assertThat(timesSaid(reason, server, client))
                        .as(client.report() + server.report())
                        .isGreaterThan(saidBefore));
        expectCleanEnd(server, client);
    }

    /** What moves has moved by then. */
    protected static void settle() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
    }

    /** All bytes arrive, whichever way they go, and what could not be had is in the report of one of them. */
    protected static void expectBytes(Node server, Node client, String reason) throws Exception {
        int port = Ports.free();
        server.call("listen l 127.0.0.1 " + port);
        for (Mode mode : Mode.values()) {
            connect(server, client, mode.name(), mode, port);
        }
        settle();
        for (Mode mode : Mode.values()) {
            transferBothWays(server, client, mode.name());
        }
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(server.report() + client.report()).contains(reason));
        expectCleanEnd(server, client);
    }

    private static int timesSaid(String reason, Node... nodes) throws InterruptedException {
        Pattern line = Pattern.compile("(?m)^  " + reason + " +(\\d+) open$");
        int times = 0;
        for (Node node : nodes) {
            times += line.matcher(node.report())
                    .results()
                    .mapToInt(found -> Integer.parseInt(found.group(1)))
                    .sum();
        }
        return times;
    }

    protected static void expectCleanEnd(Node server, Node client) throws InterruptedException {
        for (Mode mode : Mode.values()) {
            client.call("close " + mode);
            assertThat(server.call("readToEnd " + mode)).isEqualTo("0");
            server.call("close " + mode);
        }
        server.expectQuiet();
        client.expectQuiet();
        Awaitility.await()
                .untilAsserted(() -> assertThat(server.traffic().rings()).isZero());
    }
}
