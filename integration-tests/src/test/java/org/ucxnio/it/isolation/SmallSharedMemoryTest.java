package org.ucxnio.it.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.PrivateShm;

/** {@code /dev/shm} is small, as it is in containers, or full. */
class SmallSharedMemoryTest extends OneHost {
    private static final String NO_SHARED_MEMORY = "too little room in /dev/shm";

    private static PrivateShm open(String size) {
        try {
            return PrivateShm.open(size);
        } catch (IOException e) {
            skip(e.getMessage());
            return null;
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
}
