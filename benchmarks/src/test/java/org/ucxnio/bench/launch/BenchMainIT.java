package org.ucxnio.bench.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ucxnio.bench.aeron.AeronMain;
import picocli.CommandLine;

/** The command as it is called, with real JVMs. No figure is judged. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class BenchMainIT {
    private static final String SHORT = "--rounds=1 --seconds=0.2 --warmup=0.4 ";

    @TempDir
    private Path directory;

    @Test
    void shouldMeasureAllColumnsInOneRunAndLeaveFiles() throws Exception {
        String other = "--other-provider=org.ucxnio.UcxSelectorProvider:" + JvmCommand.providerJar();
        execute("rtt-blocking --provider=jdk,unix,ucxnio,aeron " + other);

        List<String> lines = Files.readAllLines(directory.resolve("results.csv"));
        List<String> columns = new ArrayList<>(List.of("JDK", "\"JDK, Unix-domain\"", "ucxnio", "UcxSelectorProvider"));
        if (AeronMain.unavailable(Provider.SHARED_MEMORY).isEmpty()) {
            columns.add("Aeron IPC");
        }
        for (String column : columns) {
            for (String figure : List.of("p50", "cpu-client", "cpu-server")) {
                assertThat(lines)
                        .as(column)
                        .anySatisfy(line -> assertThat(line).startsWith("rtt-blocking,,," + column + ',' + figure));
            }
        }
        assertThat(directory.resolve("results.md"))
                .content()
                .contains("rtt-blocking", "| Java |", "![round trip 16 B, blocking](rtt-blocking-cdf.svg)");
        assertThat(directory.resolve("rtt-blocking-cdf.svg")).isNotEmptyFile();
    }

    @Test
    void shouldMeasureEachPointOfASweep() throws Exception {
        execute("netty-flush-1k --provider=jdk,epoll");

        List<String> lines = Files.readAllLines(directory.resolve("results.csv"));
        for (int flush : new int[] {1, 4, 16, 64}) {
            assertThat(lines)
                    .filteredOn(line -> line.startsWith("netty-flush-1k,flush," + flush + ",JDK,rate,"))
                    .singleElement()
                    .satisfies(line ->
                            assertThat(Double.parseDouble(line.split(",")[7])).isPositive());
        }
        assertThat(directory.resolve("netty-flush-1k-bytes.png")).isNotEmptyFile();
    }

    @Test
    void shouldRefuseWhatMakesNoSense() {
        assertThat(new CommandLine(new BenchMain()).execute("rtt", "--provider=nobody"))
                .isEqualTo(2);
        assertThat(new CommandLine(new BenchMain()).execute("rtt", "--other-provider=Class:none.jar"))
                .isEqualTo(2);
        assertThat(new CommandLine(new BenchMain()).execute("nothing")).isEqualTo(2);
    }

    private void execute(String words) {
        String[] all = (SHORT + words + " --output=" + directory).split(" ");
        // Where the machine is so busy that connections do not move in time, it says so.
        assertThat(new CommandLine(new BenchMain()).execute(all)).isIn(0, 3);
    }
}
