package org.ucxnio.bench.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;

/** The load runs to its end, both sides in this JVM, and reports its figures. No figure is judged. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LoadTest {
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final Reporter reporter = new Reporter(new PrintStream(output, true, StandardCharsets.UTF_8));

    @Test
    void shouldMeasureEventLoopsThatWork() throws Exception {
        String[] common = {"port=0", "loops=2", "work-us=5", "size=64"};
        EchoServer server = new EchoServer(Settings.parse(common, 0));
        try {
            LoadClient client = new LoadClient(settings(server, "loops=2", "work-us=5", "size=64"), reporter);
            client.measure();
            client.end();
        } finally {
            server.end();
        }

        assertThat(output.toString(StandardCharsets.UTF_8))
                .contains("@result rate", "@result p99", "@result cpu-client", "@result cpu-server");
    }

    @Test
    void shouldMeasureStreams() throws Exception {
        EchoServer server = new EchoServer(Settings.parse(new String[] {"port=0", "sink=true"}, 0));
        try {
            for (String size : new String[] {"16", "65536"}) {
                new StreamClient(settings(server, "size=" + size, "flush=4").with("round-ms", 300), reporter).measure();
            }
        } finally {
            server.end();
        }

        assertThat(output.toString(StandardCharsets.UTF_8)).contains("@result bytes", "@result cpu-server");
        assertThat(output.toString(StandardCharsets.UTF_8)).doesNotContain("@result rate 0.0");
    }

    @ParameterizedTest
    @EnumSource
    void shouldRunOnEachTransportThatThereIs(Transport transport) throws Exception {
        assumeThat(transport.unavailable()).isEmpty();
        String name = "transport=" + transport.name().toLowerCase(Locale.ROOT);
        EchoServer server = new EchoServer(Settings.parse(new String[] {"port=0", name}, 0));
        try {
            LoadClient client = new LoadClient(settings(server, name, "loops=1", "work-us=0", "size=64"), reporter);
            client.measure();
            client.end();
        } finally {
            server.end();
        }

        assertThat(output.toString(StandardCharsets.UTF_8)).contains("@result rate");
    }

    private static Settings settings(EchoServer server, String... more) {
        Settings settings = Settings.parse(more, 0)
                .with("port", server.port())
                .with("connections", 3)
                .with("rounds", 2)
                .with("round-ms", 50);
        return settings.with("warmup-ms", 50).with("clock-port", 0).with("expect", "any");
    }
}
