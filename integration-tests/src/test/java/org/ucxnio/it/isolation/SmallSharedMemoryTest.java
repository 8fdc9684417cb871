package org.ucxnio.it.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.PrivateShm;
import org.ucxnio.it.harness.Skips;

/** {@code /dev/shm} is small, as it is in containers, or full. */
class SmallSharedMemoryTest extends OneHost {
    private static final String NO_ROOM = "No space left on device";

    private static PrivateShm open(String size) {
        try {
            return PrivateShm.open(size);
        } catch (IOException e) {
            return Skips.skip(e.getMessage());
        }
    }

    /** The files that hold memory or name a process. */
    private static List<String> names(PrivateShm shm) throws IOException {
        return shm.names().stream()
                .filter(name -> name.matches(".*/[slp]-[^/]*"))
                .toList();
    }

    @Test
    void shouldBeAcceleratedWithin64MiB() throws Exception {
        try (PrivateShm shm = open("64m")) {
            List<String> ofKilled;
            try (Node server = Node.start(nodeIn(shm));
                    Node client = Node.start(nodeIn(shm))) {
                expectAccelerated(server, client);
                server.jvm().kill();
                client.jvm().kill();
                ofKilled = names(shm);
            }
            // The next process that listens tidies up.
            try (Node next = Node.start(nodeIn(shm))) {
                next.call("listen l 127.0.0.1 " + Ports.free());
                Awaitility.await().untilAsserted(() -> assertThat(names(shm)).doesNotContainAnyElementsOf(ofKilled));
            }
        }
    }

    @Test
    void shouldDoWith1MiB() throws Exception {
        try (PrivateShm shm = open("1m");
                Node server = Node.start(nodeIn(shm));
                Node client = Node.start(nodeIn(shm))) {
            expectBytes(server, client, NO_ROOM);
            expectNoSlabs(shm);
        }
    }

    @Test
    void shouldDoWithNextToNothing() throws Exception {
        try (PrivateShm shm = open("16k");
                Node server = Node.start(nodeIn(shm));
                Node client = Node.start(nodeIn(shm))) {
            expectBytes(server, client, NO_ROOM);
            expectNoSlabs(shm);
        }
    }

    @Test
    void shouldBePlainOnceItIsFull() throws Exception {
        try (PrivateShm shm = open("64m");
                Node server = Node.start(nodeIn(shm));
                Node client = Node.start(nodeIn(shm))) {
            shm.fill(0);
            expectPlain(server, client, SOME_REASON);
            expectNoSlabs(shm);
        }
    }

    /** The session is there and some rings are, when nothing more can be had. */
    @Test
    void shouldGoOnOnceItIsFull() throws Exception {
        try (PrivateShm shm = open("64m");
                Node server = Node.start(nodeIn(shm));
                Node client = Node.start(nodeIn(shm))) {
            int port = Ports.free();
            server.call("listen l 127.0.0.1 " + port);
            connect(server, client, "first", Mode.BLOCKING, port);
            useUntilMoved(server, client, "first");
            shm.fill(0);
            for (Mode mode : Mode.values()) {
                connect(server, client, mode.name(), mode, port);
                transferBothWays(server, client, mode.name());
            }
            transferBothWays(server, client, "first");
            // Its rings cannot grow, so that it goes back to TCP.
            assertThat(client.report()).contains(NO_ROOM, "left again");
            assertThat(server.report()).contains(NO_ROOM, "left again");
            expectNoSlabs(shm);
            client.call("close first");
            assertThat(server.call("readToEnd first")).isEqualTo("0");
            server.call("close first");
            expectCleanEnd(server, client);
        }
    }

    private static void expectNoSlabs(PrivateShm shm) {
        Awaitility.await().untilAsserted(() -> assertThat(names(shm)).noneMatch(name -> name.contains("/s-")));
    }
}
