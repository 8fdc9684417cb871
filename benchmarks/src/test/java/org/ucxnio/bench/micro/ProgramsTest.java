package org.ucxnio.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
        assertThat(run(IdleMemory::new, "connections=50")).contains("@result memory", "@result descriptors 2.0");
        String self = "peer-pid=" + ProcessHandle.current().pid();
        assertThat(run(IdleCpu::new, "connections=5", self)).contains("@result client", "@result server");
    }

    private String run(Function<Options, Program> program, String... settings)
            throws IOException, InterruptedException {
        output.reset();
        String[] all = new String[settings.length + 3];
        all[0] = "rounds=2";
        all[1] = "round-ms=30";
        all[2] = "warmup-ms=30";
        System.arraycopy(settings, 0, all, 3, settings.length);
        Reporter reporter = new Reporter(new PrintStream(output, true, StandardCharsets.UTF_8));
        Options options = Options.of(Settings.parse(all, 0), reporter);
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
            Program server = program.apply(options);
            Thread thread = new Thread(() -> serve(server, listener), "server");
            thread.setDaemon(true);
            thread.start();
            program.apply(options).drive((InetSocketAddress) listener.getLocalAddress());
        }
        return output.toString(StandardCharsets.UTF_8);
    }

    private static void serve(Program program, ServerSocketChannel listener) {
        try {
            program.serve(listener);
        } catch (IOException | RuntimeException end) {
            // The client has all it wanted: a server that is still there is shut down by closing its listener.
            assertThat(listener.isOpen()).as("%s", end).isFalse();
        }
    }
}
