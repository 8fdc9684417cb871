package org.ucxnio.bench.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
            String[] all = {
                "port=" + server.port(),
                "loops=2",
                "work-us=5",
                "size=64",
                "connections=3",
                "rounds=2",
                "round-ms=30",
                "warmup-ms=30",
                "clock-port=0",
                "expect=any"
            };
            LoadClient client = new LoadClient(Settings.parse(all, 0), reporter);
            client.measure();
            client.end();
        } finally {
            server.end();
        }

        assertThat(output.toString(StandardCharsets.UTF_8))
                .contains("@result rate", "@result p99", "@result cpu-client", "@result cpu-server");
    }
}
