package org.ucxnio.it.exhaustion;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.PrivateShm;
import org.ucxnio.it.harness.Proc;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.EchoClient;
import org.ucxnio.it.programs.EchoServer;

/**
 * Many connections, in as much shared memory as a container has by default, or with less than all of them could use: all of them carry their
 * bytes, in rings or over TCP, and the report says what was short.
 */
@Bounded
class ManyPeersTest {
    private static final int LOOPS = 64;
    private static final int PEERS = 24;
    private static final int EACH = 3;
    private static final int ROUNDS = 5;
    private static final int LARGEST = 3000;
    private static final String NO_ROOM = "No space left on device";
    private static final long CAP = 128 << 10;
    private static final Pattern HELD = Pattern.compile("memory +(\\d+) of " + CAP + " bytes");

    private static PrivateShm sharedMemory() {
        try {
            return PrivateShm.open("64m");
        } catch (IOException e) {
            return Skips.skip(e.getMessage());
        }
    }

    private static JvmBuilder in(PrivateShm memory, Class<?> program) {
        return JvmBuilder.of(Flavour.RINGS, program).defaultRendezvous().prefix(memory.words());
    }

    private static ChildJvm server(JvmBuilder builder, int port) throws IOException {
        ChildJvm server = builder.arguments("127.0.0.1", port, Mode.SELECTOR)
                .name("server")
                .start();
        server.expect("LISTENING");
        return server;
    }

    private static ChildJvm client(JvmBuilder builder, int port, int connections) throws IOException {
        return builder.arguments("127.0.0.1", port, Mode.SELECTOR, connections, 0, LARGEST, 1)
                .start();
    }

    private static String report(ChildJvm jvm) {
        return jvm.ask("report", "REPORT ").replace('|', '\n');
    }

    private static Traffic traffic(ChildJvm jvm) {
        return Traffic.parse(Traffic.PREFIX + jvm.ask("traffic", Traffic.PREFIX));
    }

    /** All connections move, unless there was no room for that. */
    private static void expectMoved(ChildJvm client, ChildJvm server, int connections) {
        Awaitility.await().atMost(ChildJvm.PATIENCE).untilAsserted(() -> {
            if (traffic(client).rings() != connections) {
                assertThat(report(client) + report(server)).contains(NO_ROOM);
            }
        });
        Traffic traffic = traffic(client);
        assertThat(traffic.rings() + traffic.plain()).isEqualTo(connections);
    }

    /** Every connection goes on, and what came was what was sent. */
    private static void expectService(ChildJvm client) {
        long before = Long.parseLong(client.ask("slowest", "SLOWEST "));
        Awaitility.await()
                .atMost(ChildJvm.PATIENCE)
                .until(() -> Long.parseLong(client.ask("slowest", "SLOWEST ")) >= before + ROUNDS);
    }

    /** An event loop for each connection. */
    @Test
    void shouldServeManyLoopsWithin64MiB() throws Exception {
        int port = Ports.free();
        try (PrivateShm memory = sharedMemory();
                ChildJvm server = server(in(memory, EchoServer.class), port);
                ChildJvm client = client(in(memory, EchoClient.class), port, LOOPS)) {
            expectMoved(client, server, LOOPS);
            expectService(client);
            expectNothingBad(List.of(server, client));
        }
    }

    @Test
    void shouldServeManyProcessesWithin64MiB() throws Exception {
        int port = Ports.free();
        List<ChildJvm> clients = new ArrayList<>();
        try (PrivateShm memory = sharedMemory();
                ChildJvm server = server(in(memory, EchoServer.class), port)) {
            for (int i = 0; i < PEERS; i++) {
                clients.add(client(in(memory, EchoClient.class).flags("-Xmx32m"), port, EACH));
            }
            // All of them start at the same time.
            for (ChildJvm client : clients) {
                expectService(client);
            }
            for (ChildJvm client : clients) {
                expectMoved(client, server, EACH);
            }
            expectNothingBad(clients);
            expectNothingBad(List.of(server));
        } finally {
            clients.forEach(ChildJvm::close);
        }
    }

    /** What a server with many peers makes stays below {@code ucxnio.memory}. */
    @Test
    void shouldKeepToItsCap() throws Exception {
        int port = Ports.free();
        List<ChildJvm> clients = new ArrayList<>();
        try (ChildJvm server =
                server(JvmBuilder.of(Flavour.RINGS, EchoServer.class).property("ucxnio.memory", CAP), port)) {
            for (int i = 0; i < PEERS; i++) {
                clients.add(client(
                        JvmBuilder.of(Flavour.RINGS, EchoClient.class)
                                .flags("-Xmx32m")
                                .property("ucxnio.memory", 64 << 10),
                        port,
                        EACH));
            }
            Awaitility.await()
                    .atMost(ChildJvm.PATIENCE)
                    .until(() -> report(server).contains("ucxnio.memory lets this process have"));
            for (ChildJvm client : clients) {
                expectService(client);
                assertThat(held(report(server))).isPositive().isLessThanOrEqualTo(CAP);
            }
            // Its own, and what each of its peers has made.
            assertThat(Proc.sharedMemoryBytes(server.pid())).isLessThanOrEqualTo(CAP + PEERS * (64L << 10));
            expectNothingBad(clients);
            expectNothingBad(List.of(server));
        } finally {
            clients.forEach(ChildJvm::close);
        }
    }

    private static long held(String report) {
        Matcher matcher = HELD.matcher(report);
        assertThat(matcher.find()).as(report).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    private static void expectNothingBad(List<ChildJvm> jvms) {
        for (ChildJvm jvm : jvms) {
            assertThat(jvm.crashReport()).isEmpty();
            assertThat(jvm.errorLines()).noneMatch(line -> line.contains("Exception") || line.contains("SEVERE"));
        }
    }
}
