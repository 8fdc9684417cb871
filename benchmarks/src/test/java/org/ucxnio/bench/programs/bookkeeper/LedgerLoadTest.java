package org.ucxnio.bench.programs.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.bookkeeper.common.component.LifecycleComponent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.launch.FreePorts;
import org.ucxnio.bench.programs.coordination.ZooKeeperServer;

/** The loads run to their end, with three bookies in this JVM, and report their figures. No figure is judged. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LedgerLoadTest {
    private static final int BOOKIES = 3;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final Reporter reporter = new Reporter(new PrintStream(output, true, StandardCharsets.UTF_8));

    @Test
    void shouldMeasureWritesAndReads(@TempDir Path directory) throws Exception {
        String ports = FreePorts.list(BOOKIES + 1);
        Settings settings = settings(ports, "write");
        Ensemble ensemble = new Ensemble(settings);
        List<LifecycleComponent> bookies = new ArrayList<>();
        ZooKeeperServer metadata = ensemble.startMetadata(Files.createDirectory(directory.resolve("metadata")));
        try {
            for (int i = 0; i < BOOKIES; i++) {
                LifecycleComponent bookie =
                        ensemble.newBookie(i, Files.createDirectory(directory.resolve("bookie-" + i)));
                bookies.add(bookie);
                bookie.start();
            }
            assertThat(run(settings)).contains("@progress reading the entries back");
            run(settings(ports, "read"));
        } finally {
            bookies.forEach(LifecycleComponent::close);
            metadata.end();
        }
    }

    private static Settings settings(String ports, String operation) {
        String[] all = {
            "operation=" + operation,
            "ports=" + ports,
            "threads=2",
            "size=100",
            "entries=250",
            "rounds=2",
            "round-ms=100",
            "warmup-ms=100",
            "clock-ports=0,0,0",
            "expect=any"
        };
        return Settings.parse(all, 0);
    }

    private String run(Settings settings) throws Exception {
        output.reset();
        new LedgerLoad(settings, reporter).measure();
        String said = output.toString(StandardCharsets.UTF_8);
        assertThat(said).contains("@result rate", "@result p99", "@result cpu-client", "@result cpu-server");
        return said;
    }
}
