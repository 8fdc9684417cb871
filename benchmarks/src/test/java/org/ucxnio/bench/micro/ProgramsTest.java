package org.ucxnio.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;

/** Every program runs to its end, both sides in this JVM, and reports its figures. No figure is judged. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ProgramsTest {
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    @Test
    void shouldMeasureRoundTripsInBlockingMode() throws Exception {
        assertThat(run(PingPong::new)).contains("@result p50", "@result p99", "@result mean", "@result alloc");
    }

    @Test
    void shouldMeasureRoundTripsWithASelector() throws Exception {
        assertThat(run(PingPong::new, "selector=true", "heap=true")).contains("@result p50");
    }

    @Test
    void shouldMeasureRoundTripsOfManyConnections() throws Exception {
        assertThat(run(ManyPingPong::new, "connections=8"))
                .contains("@result p50", "@result rate", "@result alloc", "@result cpu-client", "@result cpu-server");
    }

    @Test
    void shouldMeasureThreadsThatWork() throws Exception {
        assertThat(run(ThreadedEcho::new, "connections=4", "size=64", "work-us=5"))
                .contains("@result rate", "@result p99", "@result cpu-client", "@result cpu-server");
    }

    @Test
    void shouldMeasureVirtualThreads() throws Exception {
        assertThat(platformThreadsOfEcho(false)).contains("client");
        assertThat(platformThreadsOfEcho(true)).isNotEmpty().doesNotContain("client");
    }

    /** Names of those that have lived meanwhile. */
    private Set<String> platformThreadsOfEcho(boolean virtual) throws Exception {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        AtomicBoolean over = new AtomicBoolean();
        Thread watcher = new Thread(() -> {
            while (!over.get()) {
                Thread.getAllStackTraces().keySet().forEach(thread -> seen.add(thread.getName()));
            }
        });
        watcher.start();
        try {
            assertThat(run(ThreadedEcho::new, "connections=4", "size=64", "virtual=" + virtual))
                    .contains("@result rate", "@result p99", "@result cpu-client", "@result cpu-server");
        } finally {
            over.set(true);
            watcher.join();
        }
        return seen;
    }

    @Test
    void shouldMeasurePacedRoundTrips() throws Exception {
        assertThat(run(PacedPingPong::new)).contains("@result p50");
    }

    @Test
    void shouldMeasureStreamsInBothModes() throws Exception {
        assertThat(run(Stream::new, "size=16")).contains("@result rate", "@result bytes");
        assertThat(run(Stream::new, "size=65536", "selector=true")).contains("@result bytes");
        assertThat(run(Stream::new, "size=1048576")).contains("@result bytes");
    }

    @Test
    void shouldMeasureStreamsBothWaysInBothModes() throws Exception {
        assertThat(run(Duplex::new, "size=1")).contains("@result rate", "@result bytes", "@result cpu-server");
        assertThat(run(Duplex::new, "size=65536", "selector=true")).contains("@result bytes");
    }

    @Test
    void shouldMeasureAnOpenLoadFromWhenMessagesAreDue() throws Exception {
        String output = run(OpenLoad::new, "per-second=2000");

        assertThat(output).contains("@result p50", "@result rate", "@histogram latency ");
        // By the clock, however fast the answers come.
        assertThat(result(output, "rate")).isLessThan(2200);
    }

    @Test
    void shouldMeasureThreadsThatSendByTheClock() throws Exception {
        for (boolean selector : new boolean[] {false, true}) {
            String output = run(ThreadedEcho::new, "connections=4", "rate=100", "selector=" + selector);

            assertThat(output).contains("@result p50", "@result p999", "@result max");
            // However fast the answers come; what was due while the machine did something else is sent behind that.
            assertThat(result(output, "rate")).isLessThan(2200);
        }
    }

    @Test
    void shouldCountTheWaitOfAMessageThatIsSentLate() throws Exception {
        // More than any connection carries: messages leave ever later than they are due.
        String output = run(OpenLoad::new, "per-second=2000000");

        assertThat(result(output, "p99")).isGreaterThan(10_000);
    }

    @Test
    void shouldSweepOverSizes() throws Exception {
        String[] settings = {"axis=size", "at=1,16,1048576", "round-ms=40", "warmup-ms=40"};
        assertThat(sweep(PingPong::new, settings))
                .contains("@result p50@1 ", "@result p50@16 ", "@result cpu-server@1048576 ")
                .doesNotContain("@histogram")
                .containsOnlyOnce("@carried ");
        assertThat(sweep(Stream::new, settings)).contains("@result bytes@1 ", "@result rate@1048576 ");
        assertThat(sweep(Duplex::new, settings)).contains("@result bytes@1 ", "@result rate@1048576 ");
    }

    @Test
    void shouldMeasureUnixDomainSockets(@TempDir Path directory) throws Exception {
        Settings settings = Settings.parse(new String[] {"unix=" + directory, "port=7"}, 0);

        assertThat(runAt(Sockets.address(settings), PingPong::new, "size=64")).contains("@result p50");
        assertThat(runAt(Sockets.address(settings.with("port", 8)), ManyPingPong::new, "connections=3"))
                .contains("@result p50");
    }

    @Test
    void shouldMeasureConnects() throws Exception {
        assertThat(run(ConnectTime::new)).contains("@result p50", "@result connect-p50", "@result first");
    }

    @Test
    void shouldMeasureShortConnections() throws Exception {
        assertThat(run(ShortConnections::new, "size=64"))
                .contains("@result rate", "@result p99", "@result cpu-client", "@result cpu-server");
        assertThat(run(FirstConnection::new, "size=64")).contains("@result first");
    }

    @Test
    void shouldExchangeAMessageWithinOneThread() throws Exception {
        assertThat(run(PairInOne::new, "size=64")).isEmpty();
    }

    @Test
    void shouldMeasureIdleConnections() throws Exception {
        assertThat(run(IdleMemory::new, "connections=50"))
                .contains("@result memory", "@result descriptors 2.0", "@result threads ");
        String self = "peer-pid=" + ProcessHandle.current().pid();
        assertThat(run(IdleCpu::new, "connections=5", self)).contains("@result client", "@result server");
    }

    private String run(Function<Options, Program> program, String... settings)
            throws IOException, InterruptedException {
        return runAt(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), program, settings);
    }

    private String runAt(SocketAddress address, Function<Options, Program> program, String... settings)
            throws IOException, InterruptedException {
        Settings all = settings(settings);
        return runAt(address, () -> program.apply(Options.of(all, reporter())));
    }

    private String sweep(Function<Options, Program> program, String... settings)
            throws IOException, InterruptedException {
        Settings all = settings(settings);
        SocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return runAt(address, () -> new Sweep(all, reporter(), program));
    }

    private static double result(String output, String key) {
        return output.lines()
                .filter(line -> line.startsWith("@result " + key + " "))
                .mapToDouble(line -> Double.parseDouble(line.split(" ")[2]))
                .findFirst()
                .orElseThrow();
    }

    private static Settings settings(String... settings) {
        String[] all = new String[settings.length + 3];
        all[0] = "rounds=2";
        all[1] = "round-ms=30";
        all[2] = "warmup-ms=30";
        System.arraycopy(settings, 0, all, 3, settings.length);
        return Settings.parse(all, 0);
    }

    private Reporter reporter() {
        return new Reporter(new PrintStream(output, true, StandardCharsets.UTF_8));
    }

    private String runAt(SocketAddress address, Supplier<Program> program) throws IOException, InterruptedException {
        output.reset();
        try (ServerSocketChannel listener = Sockets.listen(address)) {
            Program server = program.get();
            Thread thread = new Thread(() -> serve(server, listener), "server");
            thread.setDaemon(true);
            thread.start();
            program.get().drive(listener.getLocalAddress());
        }
        return output.toString(StandardCharsets.UTF_8);
    }

    private static void serve(Program program, ServerSocketChannel listener) {
        try {
            program.serve(listener);
        } catch (IOException | InterruptedException | RuntimeException end) {
            // The client has all it wanted: a server that is still there is shut down by closing its listener.
            assertThat(listener.isOpen()).as("%s", end).isFalse();
        }
    }
}
