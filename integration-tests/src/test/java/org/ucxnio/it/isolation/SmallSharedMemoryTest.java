package org.ucxnio.it.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.PrivateShm;
import org.ucxnio.it.harness.Skips;

/** {@code /dev/shm} is small, as it is in containers, or full. */
class SmallSharedMemoryTest extends OneHost {
    private static final String NO_SHARED_MEMORY = "too little room in /dev/shm";

    private static PrivateShm open(String size) {
        try {
            return PrivateShm.open(size);
        } catch (IOException e) {
            return Skips.skip(e.getMessage());
        }
    }

    @Test
    void shouldBeAcceleratedWithin64MiB() throws Exception {
        try (PrivateShm shm = open("64m");
                Node server = Node.start(node(shm.words()));
                Node client = Node.start(node(shm.words()))) {
            expectAccelerated(server, client);
            server.jvm().kill();
            client.jvm().kill();
            Awaitility.await().untilAsserted(() -> assertThat(shm.names()).isEmpty());
        }
    }

    @Test
    void shouldBePlainWithin1MiB() throws Exception {
        try (PrivateShm shm = open("1m");
                Node server = Node.start(node(shm.words()));
                Node client = Node.start(node(shm.words()))) {
            expectPlain(server, client, NO_SHARED_MEMORY);
            assertThat(shm.names()).isEmpty();
        }
    }

    @Test
    void shouldBePlainWhereOnlyTheServerHasNone() throws Exception {
        try (PrivateShm shm = open("1m");
                Node server = Node.start(node(shm.words()))) {
            expectPlain(server, ours, NO_SHARED_MEMORY);
        }
    }

    @Test
    void shouldBePlainWhereOnlyTheClientHasNone() throws Exception {
        try (PrivateShm shm = open("1m");
                Node client = Node.start(node(shm.words()))) {
            expectPlain(ours, client, NO_SHARED_MEMORY);
        }
    }

    @Test
    void shouldBePlainOnceItIsFull() throws Exception {
        try (PrivateShm shm = open("64m");
                Node server = Node.start(node(shm.words()));
                Node client = Node.start(node(shm.words()))) {
            shm.fill(0);
            expectPlain(server, client, NO_SHARED_MEMORY);
        }
    }

    /** A further connection to a server needs no handshake, in which either could say that it has no memory left. */
    @Test
    void shouldBePlainOnceItIsFullWithAServerThatIsKnown() throws Exception {
        try (PrivateShm shm = open("64m");
                Node server = Node.start(node(shm.words()));
                Node client = Node.start(node(shm.words()))) {
            int port = Ports.free();
            server.call("listen l 127.0.0.1 " + port);
            for (String name : List.of("first", "second")) {
                connect(server, client, name, port);
                client.transfer(server, name, COUNT);
            }
            assertThat(server.traffic().ucxReceived()).isEqualTo(2 * COUNT);
            shm.fill(0);
            for (String name : List.of("third", "fourth")) {
                connect(server, client, name, port);
                client.transfer(server, name, COUNT);
            }
            assertThat(server.traffic().tcpReceived()).isEqualTo(2 * COUNT);
            assertThat(client.report()).contains(NO_SHARED_MEMORY);
            server.expectQuiet();
            client.expectQuiet();
        }
    }

    private static void connect(Node server, Node client, String name, int port) throws Exception {
        client.call("connect " + name + " 127.0.0.1 " + port + " BLOCKING 7");
        server.call("accept " + name + " l BLOCKING 7");
    }
}
