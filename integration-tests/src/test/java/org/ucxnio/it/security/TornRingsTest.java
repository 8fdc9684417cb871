package org.ucxnio.it.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Proc;
import org.ucxnio.it.harness.Rendezvous;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.EchoClient;
import org.ucxnio.it.programs.EchoServer;

/**
 * A peer of this user takes the memory of its rings away: it makes the files shorter that both ends have mapped, and dies. Its own
 * connections are reset; the thread that serves them, and connections with others, go on.
 */
@Bounded
@Timeout(value = 100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TornRingsTest {
    private static final int CONNECTIONS = 4;
    private static final int LARGEST = 10_000;
    private static final String FAILED = "CONNECTION FAILED ";

    private static ChildJvm startClient(int port, Mode mode) throws IOException {
        ChildJvm client = JvmBuilder.of(Flavour.RINGS, EchoClient.class)
                .arguments("127.0.0.1", port, mode, CONNECTIONS, 0, LARGEST, 1)
                .start();
        client.expect("STARTED");
        Awaitility.await().atMost(ChildJvm.PATIENCE).until(() -> isAllInRings(client));
        return client;
    }

    /**
     * Both directions of each connection: one whose requests still go over TCP does not use the memory that is taken away, and ends with a
     * peer that is killed as any does over TCP, which may be without an error.
     */
    private static boolean isAllInRings(ChildJvm client) {
        if (traffic(client).rings() < CONNECTIONS) {
            return false;
        }
        long overTcp = traffic(client).tcpSent();
        awaitMoreRounds(client);
        return traffic(client).tcpSent() == overTcp;
    }

    private static Traffic traffic(ChildJvm jvm) {
        return Traffic.parse(Traffic.PREFIX + jvm.ask("traffic", Traffic.PREFIX));
    }

    /** On each of its connections. */
    private static void awaitMoreRounds(ChildJvm client) {
        long before = Long.parseLong(client.ask("slowest", "SLOWEST "));
        Awaitility.await()
                .pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(20))
                .until(() -> Long.parseLong(client.ask("slowest", "SLOWEST ")) >= before + 25);
    }

    /** Makes all files of rings that a process has mapped as short as {@code bytes}, as the process itself could. */
    private static void tear(ChildJvm peer, long bytes) throws IOException {
        Path mappings = Path.of("/proc", Long.toString(peer.pid()), "map_files");
        int torn = 0;
        try (Stream<Path> all = Files.list(mappings)) {
            for (Path mapping : all.toList()) {
                torn += tearFile(mapping, bytes) ? 1 : 0;
            }
        } catch (AccessDeniedException e) {
            Skips.skip("Mapped files without names are out of reach: " + e.getMessage());
        }
        assertThat(torn).as("files of rings").isPositive();
    }

    private static boolean tearFile(Path mapping, long bytes) throws IOException {
        try {
            String name = Files.readSymbolicLink(mapping).getFileName().toString();
            if (!name.startsWith(Rendezvous.SLAB)) {
                return false;
            }
            try (FileChannel file = FileChannel.open(mapping, StandardOpenOption.WRITE)) {
                file.truncate(bytes);
            }
            return true;
        } catch (NoSuchFileException e) {
            // Unmapped since the look at it.
            return false;
        } catch (AccessDeniedException e) {
            return Skips.skip("Mapped files without names are out of reach: " + e.getMessage());
        }
    }

    @ParameterizedTest(name = "{0}, idle {1}, {2} bytes left, {3}")
    @CsvSource({
        "BLOCKING, true, 0, 1",
        "BLOCKING, false, 0, 4",
        "SELECTOR, true, 0, 1",
        "SELECTOR, false, 0, 4",
        "SELECTOR, false, 4096, 1",
        // By the interpreter, which throws at other places.
        "BLOCKING, false, 0, 0",
        "SELECTOR, false, 0, 0",
    })
    void shouldResetTheConnectionsOfThatPeerAlone(Mode mode, boolean idle, long bytes, int tier) throws Exception {
        int port = Ports.free();
        try (ChildJvm server = JvmBuilder.of(Flavour.RINGS, EchoServer.class)
                .flags("-XX:TieredStopAtLevel=" + tier)
                .arguments("127.0.0.1", port, mode)
                .start()) {
            server.expect("LISTENING");
            try (ChildJvm friend = startClient(port, mode);
                    ChildJvm peer = startClient(port, mode)) {
                if (idle) {
                    peer.ask("pause", "PAUSED");
                    TimeUnit.MILLISECONDS.sleep(100);
                }
                tear(peer, bytes);
                peer.kill();
                for (int i = 0; i < CONNECTIONS; i++) {
                    assertThat(server.expect(FAILED)).containsPattern("Connection reset|Broken pipe");
                }
                awaitMoreRounds(friend);
                expectNewConnections(port, mode);
                friend.send("stop");
                friend.expect("DONE");
            }
            assertThat(server.crashReport()).isEmpty();
            assertThat(List.copyOf(server.errorLines())).noneMatch(line -> line.contains("InternalError"));
            expectIdle(server);
        }
    }

    private static void expectNewConnections(int port, Mode mode) throws Exception {
        try (ChildJvm next = startClient(port, mode)) {
            next.send("stop");
            next.expect("DONE");
        }
    }

    private static void expectIdle(ChildJvm jvm) {
        Awaitility.await("a JVM that comes to rest")
                .atMost(Duration.ofSeconds(20))
                .until(() -> {
                    long before = Proc.cpuMillis(jvm.pid());
                    TimeUnit.SECONDS.sleep(1);
                    return Proc.cpuMillis(jvm.pid()) - before < 200;
                });
    }
}
