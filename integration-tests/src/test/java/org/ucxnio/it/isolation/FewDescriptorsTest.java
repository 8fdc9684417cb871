package org.ucxnio.it.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;

/** A process has no descriptor left when a ring is due. A connection that has a smaller ring, or none, goes on with what it has. */
class FewDescriptorsTest extends OneHost {
    private static final String SEED = " 7";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Who has no descriptor left. */
    enum Whose {
        WRITERS,
        READERS,
        BOTH
    }

    private static void connect(Node server, Node client, String name) throws Exception {
        int port = Ports.free();
        server.call("listen l 127.0.0.1 " + port);
        connect(server, client, name, Mode.BLOCKING, port);
    }

    /** Memory that is mapped needs no descriptor, the mapping does for a moment. */
    @ParameterizedTest
    @EnumSource
    void shouldGoOnWhereALargerRingCannotBeHad(Whose whose) throws Exception {
        try (Node server = Node.start(node());
                Node client = Node.start(node())) {
            connect(server, client, "c");
            useUntilMoved(server, client, "c");
            long before = client.traffic().received();
            // A class cannot be loaded any more once descriptors have run out.
            for (Node node : List.of(server, client)) {
                node.traffic();
                node.report();
            }
            if (whose != Whose.READERS) {
                server.allowDescriptors(0);
            }
            if (whose != Whose.WRITERS) {
                client.allowDescriptors(0);
            }
            server.transfer(client, "c", COUNT);
            assertThat(client.traffic().received() - before).isEqualTo(COUNT);
            if (whose != Whose.READERS) {
                assertThat(server.report()).contains("Too many open files");
            }
            server.expectQuiet();
            client.expectQuiet();
        }
    }

    /** Wherever on the way to the first ring the descriptors run out: bytes, or an error, and nobody hangs. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18})
    void shouldWorkOrSayWhatIsMissing(int more) throws Exception {
        try (Node server = Node.start(node())) {
            connect(server, ours, "first");
            ours.transfer(server, "first", 1000);
            server.transfer(ours, "first", 1000);
            server.allowDescriptors(more);
            System.out.println("With " + more + " descriptors: " + use(server));
            server.transfer(ours, "first", 1000);
            assertThat(server.jvm().crashReport()).isEmpty();
        }
    }

    /** The same for the end that connects and asks for a ring. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 8, 10, 12})
    void shouldConnectWithFewDescriptors(int more) throws Exception {
        try (Node client = Node.start(node())) {
            int port = Ports.free();
            ours.call("listen l 127.0.0.1 " + port);
            // What is loaded at the first connection is there when descriptors run out; the session with the server is
            // not.
            connect(client, client, "own");
            client.allowDescriptors(more);
            CompletableFuture<String> connecting =
                    client.start("connect c 127.0.0.1 " + port + ' ' + Mode.BLOCKING + SEED);
            if (!client.awaitEnd(connecting, PATIENCE).contains("Exception")) {
                ours.call("accept c l " + Mode.BLOCKING + SEED);
                transferBothWays(ours, client, "c");
                ours.call("close c");
            }
            assertThat(client.jvm().crashReport()).isEmpty();
        }
    }

    /** Sends bytes to the server on a connection of its own; returns how many came, or what went wrong. */
    private static String use(Node server) throws Exception {
        int port = Ports.free();
        String listening = server.awaitEnd(server.start("listen u 127.0.0.1 " + port), PATIENCE);
        if (listening.contains("Exception")) {
            return listening;
        }
        ours.call("connect c 127.0.0.1 " + port + ' ' + Mode.BLOCKING + SEED);
        CompletableFuture<String> writing = ours.start("write c " + COUNT);
        String accepted = server.awaitEnd(server.start("accept c u " + Mode.BLOCKING + SEED), PATIENCE);
        if (accepted.contains("Exception")) {
            ours.call("close c");
            return accepted;
        }
        String read = server.awaitEnd(server.start("read c " + COUNT), PATIENCE);
        server.call("close c");
        String written = ours.awaitEnd(writing, PATIENCE);
        if (read.equals(Long.toString(COUNT))) {
            assertThat(written).isEqualTo(read);
        } else {
            // A writer that was waiting hears of a reset; whoever writes behind the end may hear of a broken pipe, as
            // with TCP.
            assertThat(read).as("read; written: %s", written).contains("Exception");
            assertThat(written)
                    .as("written; read: %s", read)
                    .containsPattern("IOException: (Connection reset|Broken pipe)");
        }
        ours.call("close c");
        return read;
    }
}
