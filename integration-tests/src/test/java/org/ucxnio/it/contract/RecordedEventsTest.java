package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Traffic;

/** Whoever records with Java Flight Recorder sees reads and writes that take long, and connections that move. */
@Bounded
@ParameterizedClass
@MethodSource("settings")
class RecordedEventsTest {
    private static final String MOVED = "org.ucxnio.ConnectionMoved";

    /** The peer does its part so much later than it is told to: this thread waits for it by then, as a rule. */
    private static final Duration LATE = Duration.ofMillis(100);

    private static final Duration THRESHOLD = Duration.ofMillis(20);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** On busy processors this thread may come too late itself, and not wait at all. */
    private static final int TRIES = 10;

    /** More than a connection takes while its peer reads nothing. */
    private static final int MUCH = 32 << 20;

    @Parameter
    private Setting setting;

    @TempDir
    private Path directory;

    /** What takes long on a connection whose peer is late, or ends that. */
    private interface Call {
        void make(Connection connection) throws IOException;
    }

    static List<Setting> settings() {
        return Setting.blocking().stream()
                .filter(setting -> setting.placement() == Setting.Placement.TWO_JVMS)
                .filter(setting -> setting.pairing().hasMoved() || setting.pairing() == Setting.Pairing.JDK)
                .toList();
    }

    private static Recording recording(Duration threshold, String... names) {
        Recording recording = new Recording();
        for (String name : names) {
            recording.enable(name).withStackTrace().withThreshold(threshold);
        }
        recording.start();
        return recording;
    }

    /** The name of events that tell of reads or writes, whatever carries the bytes. */
    private String nameOf(String kind) {
        return setting.pairing().hasMoved() ? "org.ucxnio." + kind : "jdk.Socket" + kind;
    }

    /** The events of this name and this connection. */
    private List<RecordedEvent> events(Recording recording, String name, Connection connection) throws IOException {
        Path file = directory.resolve("events.jfr");
        recording.dump(file);
        int port = ((InetSocketAddress) connection.channel().getRemoteAddress()).getPort();
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(name) && event.getInt("port") == port)
                .toList();
    }

    /** Both of whose directions have moved, where connections do. */
    private Connection open() throws IOException {
        Connection connection = Connection.open(setting);
        connection.ping();
        if (setting.pairing().hasMoved()) {
            Awaitility.await().atMost(PATIENCE).until(() -> pingsPastTcp(connection));
        }
        return connection;
    }

    private static boolean pingsPastTcp(Connection connection) throws IOException {
        Traffic before = Traffic.ofOurs();
        connection.ping();
        Traffic after = Traffic.ofOurs();
        return after.tcpSent() == before.tcpSent() && after.tcpReceived() == before.tcpReceived();
    }

    /** The first event of a call that waits while the peer does not yet carry out the command. */
    private RecordedEvent eventOf(String kind, String command, Call call) throws IOException {
        return eventOf(kind, call, connection -> connection.peer(command));
    }

    /** The first event of a call that waits for what another thread does a little later. */
    private RecordedEvent eventOf(String kind, Call call, Call other) throws IOException {
        Executor later = CompletableFuture.delayedExecutor(LATE.toMillis(), TimeUnit.MILLISECONDS);
        for (int i = 0; i < TRIES; i++) {
            try (Recording recording = recording(THRESHOLD, nameOf(kind));
                    Connection connection = open()) {
                // What ends on its own is no part of it.
                int before = events(recording, nameOf(kind), connection).size();
                CompletableFuture<Void> done = CompletableFuture.runAsync(() -> make(other, connection), later);
                call.make(connection);
                done.join();
                List<RecordedEvent> events = events(recording, nameOf(kind), connection);
                if (events.size() > before) {
                    return events.get(before);
                }
            }
        }
        throw new AssertionError("No event " + nameOf(kind) + " of " + TRIES + " calls");
    }

    private static void make(Call call, Connection connection) {
        try {
            call.make(connection);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void expectOfThisThread(RecordedEvent event) {
        assertThat(event.getString("address")).isEqualTo("127.0.0.1");
        assertThat(event.getDuration()).isBetween(THRESHOLD, PATIENCE);
        assertThat(event.getThread().getJavaThreadId())
                .isEqualTo(Thread.currentThread().getId());
        assertThat(event.getStackTrace().getFrames())
                .anyMatch(frame -> frame.getMethod().getType().getName().equals(RecordedEventsTest.class.getName()));
    }

    @Test
    void shouldTellOfAReadThatTakesLong() throws Exception {
        RecordedEvent event = eventOf("Read", "write 100", connection -> connection.read(100));

        expectOfThisThread(event);
        assertThat(event.getLong("bytesRead")).isEqualTo(100);
        assertThat(event.getBoolean("endOfStream")).isFalse();
    }

    @Test
    void shouldTellOfAReadOfTheEnd() throws Exception {
        RecordedEvent event = eventOf(
                "Read",
                "shutdownOutput",
                connection -> assertThat(connection.readToEnd()).isZero());

        expectOfThisThread(event);
        assertThat(event.getLong("bytesRead")).isZero();
        assertThat(event.getBoolean("endOfStream")).isTrue();
    }

    @Test
    void shouldTellOfAReadWhoseInputIsShutDown() throws Exception {
        RecordedEvent event = eventOf(
                "Read",
                connection -> assertThat(connection.readToEnd()).isZero(),
                connection -> connection.channel().shutdownInput());

        expectOfThisThread(event);
        assertThat(event.getBoolean("endOfStream")).isTrue();
    }

    @Test
    void shouldTellOfAWriteThatTakesLong() throws Exception {
        RecordedEvent event = eventOf("Write", "read " + MUCH, connection -> connection.write(MUCH));

        expectOfThisThread(event);
        assertThat(event.getLong("bytesWritten")).isPositive();
    }

    @Test
    void shouldTellOnceOfAConnectionThatMoves() throws Exception {
        try (Recording recording = recording(Duration.ZERO, MOVED);
                Connection connection = open()) {
            int expected = setting.pairing().hasMoved() ? 1 : 0;
            // It is told of behind being counted.
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> events(recording, MOVED, connection).size() == expected);
            connection.ping();

            List<RecordedEvent> events = events(recording, MOVED, connection);
            assertThat(events).hasSize(expected);
            for (RecordedEvent event : events) {
                InetSocketAddress local =
                        (InetSocketAddress) connection.channel().getLocalAddress();
                assertThat(event.getInt("localPort")).isEqualTo(local.getPort());
                assertThat(event.getString("localAddress")).isEqualTo("127.0.0.1");
                assertThat(event.getString("address")).isEqualTo("127.0.0.1");
                assertThat(event.getString("carrier"))
                        .isEqualTo(setting.pairing() == Setting.Pairing.RINGS ? "RING" : "UCX");
            }
        }
    }

    @Test
    void shouldTellNothingOfCallsThatDoNotTakeLong() throws Exception {
        try (Recording recording = recording(PATIENCE, nameOf("Read"), nameOf("Write"));
                Connection connection = open()) {
            for (int i = 0; i < 20; i++) {
                connection.ping();
            }

            assertThat(events(recording, nameOf("Read"), connection)).isEmpty();
            assertThat(events(recording, nameOf("Write"), connection)).isEmpty();
        }
    }
}
