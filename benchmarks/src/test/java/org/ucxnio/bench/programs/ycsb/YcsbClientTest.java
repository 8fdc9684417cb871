package org.ucxnio.bench.programs.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.programs.coordination.ZooKeeperDb;
import org.ucxnio.bench.programs.coordination.ZooKeeperServer;
import org.ucxnio.bench.programs.keyvalue.KeyValueDb;
import org.ucxnio.bench.programs.keyvalue.KeyValueServer;
import site.ycsb.DB;

/** The workloads run to their end, both sides in this JVM, and report their figures. No figure is judged. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class YcsbClientTest {
    private static final String[] FIGURES = {"@result rate", "@result p99", "@result cpu-client", "@result cpu-server"};

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final Reporter reporter = new Reporter(new PrintStream(output, true, StandardCharsets.UTF_8));

    @ParameterizedTest
    @ValueSource(strings = {"a", "b", "c", "f"})
    void shouldMeasureTheKeyValueStore(String workload) throws Exception {
        KeyValueServer server = new KeyValueServer(0, workload.equals("c"));
        try {
            assertThat(run(() -> new KeyValueDb(server.port()), workload)).contains(FIGURES);
        } finally {
            server.end();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldMeasureZooKeeper(boolean netty, @TempDir Path directory) throws Exception {
        int port;
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = probe.getLocalPort();
        }
        ZooKeeperServer server = new ZooKeeperServer(port, directory, netty);
        try {
            assertThat(run(() -> new ZooKeeperDb(port, netty), "a")).contains(FIGURES);
        } finally {
            server.end();
        }
    }

    @Test
    void shouldFindARecordThatIsWrong() {
        MemoryDb db = new MemoryDb().withAWrongRecord();

        assertThatThrownBy(() -> run(() -> db, "c")).hasMessageContaining("UNEXPECTED_STATE");
    }

    @Test
    void shouldFindARecordThatIsMissing() {
        MemoryDb db = new MemoryDb().withAMissingRecord();

        assertThatThrownBy(() -> run(() -> db, "f"))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasStackTraceContaining("NOT_FOUND");
    }

    private String run(Supplier<DB> databases, String workload) throws Exception {
        String[] settings = {
            "workload=" + workload,
            "threads=2",
            "records=50",
            "fields=3",
            "field-bytes=100",
            "rounds=2",
            "round-ms=100",
            "warmup-ms=100",
            "clock-port=0",
            "expect=any"
        };
        new YcsbClient(Settings.parse(settings, 0), reporter, databases).measure();
        return output.toString(StandardCharsets.UTF_8);
    }
}
