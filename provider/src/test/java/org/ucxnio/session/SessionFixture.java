package org.ucxnio.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes of one host, all of them in this one, and a directory for them to meet in. */
@Timeout(60)
abstract class SessionFixture {
    /** Like the usual one, for people with less time. */
    static final Timing QUICK = new Timing(
            TimeUnit.MILLISECONDS.toNanos(500),
            TimeUnit.MILLISECONDS.toNanos(1500),
            TimeUnit.MILLISECONDS.toNanos(5),
            TimeUnit.MILLISECONDS.toNanos(50),
            TimeUnit.MILLISECONDS.toNanos(50),
            TimeUnit.MILLISECONDS.toNanos(100),
            TimeUnit.MILLISECONDS.toNanos(100),
            TimeUnit.MILLISECONDS.toNanos(300),
            TimeUnit.MILLISECONDS.toNanos(100),
            TimeUnit.MILLISECONDS.toNanos(200));

    /** The same, but that names of closed listeners stay for longer. */
    static final Timing LONGER_LINGER = new Timing(
            QUICK.helloNanos(),
            QUICK.patienceNanos(),
            QUICK.firstDelayNanos(),
            QUICK.longestDelayNanos(),
            QUICK.firstNameNanos(),
            QUICK.longestNameNanos(),
            5 * QUICK.lingerNanos(),
            QUICK.idleNanos(),
            QUICK.steadyStepNanos(),
            QUICK.slowStepNanos());

    static final long MEMORY = 64 << 20;

    static final InetSocketAddress LISTENER = new InetSocketAddress("127.0.0.1", 4711);

    @TempDir
    private Path parent;

    private final List<Pairings> processes = new ArrayList<>();
    private int lastPort = 40_000;

    Path directory;
    long namespace;

    @BeforeEach
    void choosePath() throws IOException {
        directory = parent.resolve("meet");
        namespace = NetworkNamespace.inode();
    }

    @AfterEach
    void killAll() throws IOException {
        for (Pairings process : processes) {
            process.kill();
        }
    }

    Pairings process() {
        return process(MEMORY, QUICK);
    }

    Pairings process(long memory, Timing timing) {
        SelectorProvider platform = sun();
        Pairings process = new Pairings(
                new Pairings.Means(platform, () -> directory, memory, () -> {}, null, null),
                new AcceptedTable(),
                timing);
        processes.add(process);
        return process;
    }

    static SelectorProvider sun() {
        return SelectorProvider.provider();
    }

    void kill(Pairings process) throws IOException {
        processes.remove(process);
        process.kill();
    }

    /** A process that listens, as others can see already. */
    Pairings listening(InetSocketAddress address) {
        Pairings server = process();
        server.listening(address);
        eventually().until(() -> Files.exists(directory.resolve(listenerName(address))));
        return server;
    }

    /** Somebody else under the name of a listener. */
    ServerSocketChannel fakeServer() throws IOException {
        Files.createDirectory(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        return RawSession.listen(directory.resolve(listenerName(LISTENER)));
    }

    String listenerName(InetSocketAddress address) {
        String host = address.getAddress().isAnyLocalAddress()
                ? "any"
                : address.getAddress().getHostAddress();
        return "l-" + Long.toUnsignedString(namespace) + "-" + host + "-" + address.getPort();
    }

    /** The client's end of a connection that was not made before. */
    FakeMovable connection(InetSocketAddress listener) {
        return new FakeMovable(new InetSocketAddress("127.0.0.1", ++lastPort), listener);
    }

    static ConditionFactory eventually() {
        return await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(2));
    }

    static void expectEvents(FakeMovable connection, String... events) {
        // Most are there already, and there are many.
        if (!connection.events.equals(List.of(events))) {
            eventually()
                    .untilAsserted(() -> assertThat(connection.events)
                            .as(() -> "told: " + connection.plainReason)
                            .containsExactly(events));
        }
    }

    /** Both may write, and each sees what the other has written. */
    static void expectPaired(FakeMovable client, FakeMovable server) {
        expectEvents(client, "hear", "speak");
        expectEvents(server, "hear", "speak");
        client.spoken.memory().putInt(1024, 1);
        server.spoken.memory().putInt(1024, 2);
        assertThat(server.heard.getInt(1024)).isEqualTo(1);
        assertThat(client.heard.getInt(1024)).isEqualTo(2);
        client.spoken.memory().putInt(1024, 0);
        server.spoken.memory().putInt(1024, 0);
    }

    static void expectPlain(FakeMovable connection, String reason) {
        eventually().untilAsserted(() -> assertThat(connection.events).contains("plain"));
        assertThat(connection.plainReason).contains(reason);
        assertThat(connection.spoken).isNull();
    }

    /** A connection of its own is paired: nothing is stuck. */
    void expectStillWorking(Pairings client, Pairings server) {
        FakeMovable end = connection(LISTENER);
        FakeMovable other = end.mirrored();
        server.accepted(other);
        client.request(end, Pace.AT_ONCE);
        expectPaired(end, other);
    }

    List<String> names(String prefix) throws IOException {
        if (!Files.exists(directory)) {
            // The first process makes it, in the background.
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(prefix))
                    .sorted()
                    .toList();
        }
    }
}
