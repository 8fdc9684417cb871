package org.ucxnio.it.moving;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.NodeMain;

/** Two processes: a connection moves once its client has used it as often as {@code ucxnio.switch.after} says, and not before. */
@Bounded
class SwitchAfterTest {
    /** Longer than a connection takes to move. */
    private static final int SETTLE_MS = 500;

    private static Node start(int uses) throws IOException {
        return Node.start(JvmBuilder.of(Flavour.DEFAULTS, NodeMain.class).property("ucxnio.switch.after", uses));
    }

    private static void connect(Node server, Node client, Mode mode, long seed) throws Exception {
        int port = Ports.free();
        server.call("listen l 127.0.0.1 " + port);
        client.call("connect c 127.0.0.1 " + port + " " + mode + " " + seed);
        server.call("accept c l " + mode + " " + seed);
    }

    @ParameterizedTest
    @CsvSource({"0, BLOCKING", "1, SELECTOR", "2, BLOCKING", "3, SELECTOR", "10, BLOCKING", "128, SELECTOR"})
    void shouldKeepBytesWhereverItMoves(int uses, Mode mode) throws Exception {
        try (Node server = start(uses);
                Node client = start(uses)) {
            Seeds.withSeed(seed -> {
                SplittableRandom random = new SplittableRandom(seed);
                connect(server, client, mode, seed);
                long up = 0;
                long down = 0;
                for (int i = 0; i < 200; i++) {
                    long there = 1 + random.nextLong(1L << random.nextInt(1, 18));
                    long back = 1 + random.nextLong(1L << random.nextInt(1, 18));
                    CompletableFuture<String> arrived = client.start("read c " + back);
                    server.start("write c " + back);
                    client.transfer(server, "c", there);
                    assertThat(client.await(arrived)).isEqualTo(Long.toString(back));
                    up += there;
                    down += back;
                }
                server.awaitRings(1);
                client.awaitRings(1);
                Traffic traffic = client.traffic();
                assertThat(traffic.sent()).isEqualTo(up);
                assertThat(traffic.received()).isEqualTo(down);
                client.expectQuiet();
                server.expectQuiet();
            });
        }
    }

    /** A server that leaves it to us when connections move lets clients find it a little after it listens. */
    @Test
    void shouldMoveToServerThatHasJustBegun() throws Exception {
        try (Node server = Node.start(JvmBuilder.of(Flavour.DEFAULTS, NodeMain.class));
                Node client = start(0)) {
            connect(server, client, Mode.SELECTOR, 1);
            client.transfer(server, "c", 10);
            server.transfer(client, "c", 10);
            server.awaitRings(1);
            client.awaitRings(1);
            client.transfer(server, "c", 100_000);
            server.transfer(client, "c", 100_000);
            client.expectQuiet();
            server.expectQuiet();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 128})
    void shouldNotMoveBefore(int uses) throws Exception {
        // The server's own number does not count.
        try (Node server = start(0);
                Node client = start(uses)) {
            connect(server, client, Mode.BLOCKING, 1);
            for (int i = 0; i < uses / 2 - 1; i++) {
                client.transfer(server, "c", 10);
                server.transfer(client, "c", 10);
            }
            TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
            assertThat(client.traffic().rings()).isZero();
            assertThat(server.traffic().rings()).isZero();
            // Two in reserve, should the last few not count.
            for (int i = 0; i < 2; i++) {
                client.transfer(server, "c", 10);
                server.transfer(client, "c", 10);
            }
            client.awaitRings(1);
            server.awaitRings(1);
        }
    }
}
