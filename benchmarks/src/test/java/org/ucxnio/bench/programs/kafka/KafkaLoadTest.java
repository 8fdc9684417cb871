package org.ucxnio.bench.programs.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;

/** Both tools run to their end, with the broker in this JVM, and their figures are read. No figure is judged. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class KafkaLoadTest {
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final Reporter reporter = new Reporter(new PrintStream(output, true, StandardCharsets.UTF_8));

    @Test
    void shouldMeasureProducerAndConsumer(@TempDir Path directory) throws Exception {
        int port = freePort();
        Broker broker = new Broker(port, freePort(), directory);
        try {
            assertThat(run(port, "producer"))
                    .contains("@result rate", "@result p50", "@result p99", "@result cpu-client", "@result cpu-server");
            assertThat(run(port, "consumer")).contains("@result rate", "@result cpu-client", "@result cpu-server");
        } finally {
            broker.end();
        }
    }

    private String run(int port, String tool) throws Exception {
        output.reset();
        String[] settings = {
            "port=" + port,
            "tool=" + tool,
            "records=2000",
            "size=100",
            "rounds=2",
            "warmup-ms=0",
            "clock-port=0",
            "expect=any"
        };
        new KafkaLoad(Settings.parse(settings, 0), reporter).measure();
        return output.toString(StandardCharsets.UTF_8);
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }
}
