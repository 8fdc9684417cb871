package org.ucxnio.it.exhaustion;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Rendezvous;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.EchoClient;

/**
 * The heap of a server is full for a while, again and again, with clients that go on and clients that come. Once there is memory again its
 * connections work, those that moved among them, and so do new ones.
 */
@Bounded
class FullHeapTest {
    private static final int CONNECTIONS = 8;
    private static final int LARGEST = 20_000;
    private static final int FILLS = 3;
    private static final int FULL_MS = 400;

    private static ChildJvm client(Flavour flavour, int port, Mode mode) throws IOException {
        return JvmBuilder.of(flavour, EchoClient.class)
                .arguments("127.0.0.1", port, mode, CONNECTIONS, 0, LARGEST, 1)
                .start();
    }

    private static void awaitMoreRoundsOfEach(ChildJvm client) {
        long before = Long.parseLong(client.ask("slowest", "SLOWEST "));
        Awaitility.await()
                .pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(20))
                .until(() -> Long.parseLong(client.ask("slowest", "SLOWEST ")) >= before + 5);
    }

    private static void awaitMoved(ChildJvm client) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> Traffic.parse(Traffic.PREFIX + client.ask("traffic", Traffic.PREFIX))
                                .rings()
                        == CONNECTIONS);
    }

    private static ChildJvm expectService(Flavour flavour, int port, Mode mode) throws IOException {
        ChildJvm client = client(flavour, port, mode);
        client.expect("STARTED");
        awaitMoreRoundsOfEach(client);
        return client;
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "RINGS"})
    void shouldGoOnOnceThereIsMemoryAgain(Flavour flavour) throws Exception {
        int loopPort = Ports.free();
        int blockingPort = Ports.free();
        try (ChildJvm server = JvmBuilder.of(flavour, FillingServer.class)
                .flags("-Xmx16m")
                .arguments(loopPort, blockingPort)
                .start()) {
            server.expect("READY");
            try (ChildJvm ofLoop = expectService(flavour, loopPort, Mode.SELECTOR);
                    ChildJvm ofThreads = expectService(flavour, blockingPort, Mode.BLOCKING)) {
                if (flavour.isOurs()) {
                    awaitMoved(ofLoop);
                    awaitMoved(ofThreads);
                }
                for (int fill = 0; fill < FILLS; fill++) {
                    // One that connects meanwhile, and dies while it does or is served.
                    try (ChildJvm unlucky = client(flavour, fill % 2 == 0 ? loopPort : blockingPort, Mode.BLOCKING)) {
                        unlucky.expect("STARTED");
                        assertThat(server.ask("fill " + FULL_MS, "FILLED ")).startsWith("true");
                    }
                    awaitMoreRoundsOfEach(ofLoop);
                    awaitMoreRoundsOfEach(ofThreads);
                }
                if (flavour.isOurs()) {
                    assertThat(server.ask("threads", "THREADS")).contains("ucxnio-session", "ucxnio-report");
                    awaitMoved(ofLoop);
                    awaitMoved(ofThreads);
                }
                // These may stay plain: a class that was first needed in a full heap is broken for good.
                expectService(flavour, loopPort, Mode.BLOCKING).close();
                expectService(flavour, blockingPort, Mode.SELECTOR).close();
            }
            assertThat(server.crashReport()).isEmpty();
        }
    }

    /** What the JDK does behind accept ends a process that has no memory: none may come so far. */
    @Test
    void shouldNotAcceptWithoutMemory() throws Exception {
        try (Rendezvous rendezvous = Rendezvous.create();
                ChildJvm server = JvmBuilder.of(Flavour.RINGS, FillingServer.class)
                        .flags("-Xmx16m")
                        .property(Rendezvous.PROPERTY, rendezvous.path())
                        .arguments(Ports.free(), Ports.free())
                        .start()) {
            server.expect("READY");
            Awaitility.await().until(() -> rendezvous.names(Rendezvous.PROCESS).size() == 1);
            Path acceptor = rendezvous
                    .path()
                    .resolve(rendezvous.names(Rendezvous.PROCESS).get(0));
            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Integer> strangers = CompletableFuture.supplyAsync(() -> knock(acceptor, over));
            assertThat(server.ask("fill " + 10 * FULL_MS, "FILLED ")).startsWith("true");
            over.set(true);
            assertThat(strangers.get()).isPositive();
            assertThat(server.crashReport()).isEmpty();
        }
    }

    /** Connects and goes, again and again; returns how often. */
    private static int knock(Path acceptor, AtomicBoolean over) {
        int count = 0;
        while (!over.get()) {
            try (SocketChannel stranger = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                stranger.configureBlocking(false);
                if (stranger.connect(UnixDomainSocketAddress.of(acceptor))) {
                    count++;
                }
            } catch (IOException e) {
                // The backlog is full.
                Thread.yield();
            }
        }
        return count;
    }
}
