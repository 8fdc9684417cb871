package org.ucxnio.bench.programs.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.server.RaftServer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.launch.FreePorts;

/** The load runs to its end, with three peers in this JVM, and reports its figures. No figure is judged. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CounterLoadTest {
    private static final int PEERS = 3;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final Reporter reporter = new Reporter(new PrintStream(output, true, StandardCharsets.UTF_8));

    @ParameterizedTest
    @ValueSource(strings = {"grpc", "netty"})
    void shouldMeasureThreePeers(String rpc, @TempDir Path directory) throws Exception {
        String[] all = {
            "rpc=" + rpc,
            "ports=" + FreePorts.list(PEERS + 1),
            "threads=2",
            "rounds=2",
            "round-ms=100",
            "warmup-ms=100",
            "clock-ports=0,0,0",
            "expect=any"
        };
        Settings settings = Settings.parse(all, 0);
        Quorum quorum = new Quorum(settings);
        List<RaftServer> peers = new ArrayList<>();
        try {
            for (int i = 0; i < PEERS; i++) {
                peers.add(quorum.startPeer(i, Files.createDirectory(directory.resolve("peer-" + i))));
            }
            new CounterLoad(settings, reporter).measure();
        } finally {
            for (RaftServer peer : peers) {
                peer.close();
            }
        }

        assertThat(output.toString(StandardCharsets.UTF_8))
                .contains("@result rate", "@result p99", "@result cpu-client", "@result cpu-server");
    }
}
