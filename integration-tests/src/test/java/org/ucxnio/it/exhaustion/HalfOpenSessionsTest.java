package org.ucxnio.it.exhaustion;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Rendezvous;
import org.ucxnio.it.programs.NodeMain;

/** Clients of this user begin sessions with a server and say nothing: they do not keep others waiting. */
@Bounded
class HalfOpenSessionsTest {
    private static final int SILENT = 50;
    private static final int ROUNDS = 3;

    /** What a move may take longer than ten without them: the noise of a busy machine. */
    private static final Duration NOISE = Duration.ofMillis(500);

    @Test
    void shouldMoveAsFastWithThem() throws Exception {
        try (Rendezvous rendezvous = Rendezvous.create();
                Node server = Node.start(node(rendezvous))) {
            int port = Ports.free();
            server.call("listen l 127.0.0.1 " + port);
            Duration without = fastestMove(rendezvous, server, port);
            List<SocketChannel> silent = new ArrayList<>();
            try {
                for (int round = 0; round < ROUNDS; round++) {
                    for (int i = 0; i < SILENT; i++) {
                        silent.add(SocketChannel.open(UnixDomainSocketAddress.of(rendezvous.listener(port))));
                    }
                }
                Duration with = fastestMove(rendezvous, server, port);
                assertThat(with).isLessThan(without.multipliedBy(10).plus(NOISE));
            } finally {
                for (SocketChannel each : silent) {
                    each.close();
                }
            }
            server.expectQuiet();
        }
    }

    private static JvmBuilder node(Rendezvous rendezvous) {
        return JvmBuilder.of(Flavour.RINGS, NodeMain.class).property(Rendezvous.PROPERTY, rendezvous.path());
    }

    /** The fastest of some moves, each of a new process, which needs a session of its own. */
    private static Duration fastestMove(Rendezvous rendezvous, Node server, int port) throws Exception {
        Duration fastest = ChildJvm.PATIENCE;
        for (int round = 0; round < ROUNDS; round++) {
            try (Node client = Node.start(node(rendezvous))) {
                int before = server.traffic().rings();
                long start = System.nanoTime();
                client.call("connect c 127.0.0.1 " + port + " BLOCKING 7");
                server.call("accept c l BLOCKING 7");
                client.awaitRings(1);
                server.awaitRings(before + 1);
                Duration took = Duration.ofNanos(System.nanoTime() - start);
                fastest = took.compareTo(fastest) < 0 ? took : fastest;
                client.call("close c");
                server.call("readToEnd c");
                server.call("close c");
            }
        }
        return fastest;
    }
}
