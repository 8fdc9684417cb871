package org.ucxnio.bench.programs.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.launch.FreePorts;
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

    @Test
    void shouldMeasureAllClientsOfSeveralServers() throws Exception {
        String ports = FreePorts.list(4);
        List<KeyValueServer> servers = new ArrayList<>();
        List<DB> opened = new ArrayList<>();
        try {
            for (int i = 0; i < 2; i++) {
                servers.add(new KeyValueServer(Integer.parseInt(ports.split(",")[i]), false));
            }
            Supplier<DB> databases = () -> {
                DB db = new SpreadDb(servers.stream()
                        .<DB>map(each -> new KeyValueDb(each.port()))
                        .toList());
                opened.add(db);
                return db;
            };
            String[] more = {"ports=" + ports, "servers=2", "clock-ports=0,0,0"};
            newClient(databases, "c", Settings.parse(more, 0).with("number", 2)).tell();
            newClient(databases, "c", Settings.parse(more, 0).with("number", 3)).measure();
        } finally {
            servers.forEach(KeyValueServer::end);
        }

        assertThat(output.toString(StandardCharsets.UTF_8)).contains(FIGURES);
        // Both clients have one for each thread, and one to insert the records.
        assertThat(opened).hasSize(6);
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
        newClient(databases, workload, Settings.parse(new String[] {"clock-port=0"}, 0))
                .measure();
        return output.toString(StandardCharsets.UTF_8);
    }

    private YcsbClient newClient(Supplier<DB> databases, String workload, Settings more) throws Exception {
        Settings settings = more.with("workload", workload)
                .with("threads", 2)
                .with("records", 50)
                .with("fields", 3)
                .with("field-bytes", 100)
                .with("rounds", 2)
                .with("round-ms", 100)
                .with("warmup-ms", 100)
                .with("expect", "any");
        return new YcsbClient(settings, reporter, databases);
    }
}
