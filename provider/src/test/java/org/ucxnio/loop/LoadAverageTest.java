package org.ucxnio.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class LoadAverageTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "0.20 0.18 0.12 3/280 11206, 3",
        "120.20 99.18 100.12 1234/28000 4194304, 1234",
        "0.20 0.18 0.12 3, -1",
        "0.20 0.18 0.12 3 280, -1",
        "0.20 0.18 0.12 /280, -1",
        "0.20 0.18 0.12 x/280, -1",
        "0.20 0.18 0.12 99999999999/280, -1",
        "0.20, -1",
        "'', -1"
    })
    void shouldTakeTheNumberInTheFourthField(String line, int expected) {
        byte[] bytes = line.getBytes(StandardCharsets.US_ASCII);
        assertThat(LoadAverage.parse(bytes, bytes.length)).isEqualTo(expected);
        assertThat(LoadAverage.parse(bytes, -1)).as("end of file").isEqualTo(LoadAverage.UNKNOWN);
    }

    @Test
    void shouldCountThisThread() {
        LoadAverage load = new LoadAverage();
        for (int i = 0; i < 10; i++) {
            assertThat(load.getAsInt()).isPositive();
        }
    }

    @Test
    void shouldSurviveAnInterrupt() {
        LoadAverage load = new LoadAverage();
        Thread.currentThread().interrupt();
        assertThat(load.getAsInt()).isPositive();
        assertThat(Thread.interrupted()).as("is left for the caller").isTrue();
        assertThat(load.getAsInt()).isPositive();
    }

    @Test
    void shouldReadAgainWhatChanges() throws IOException {
        Path file = folder.resolve("loadavg");
        Files.writeString(file, "0.20 0.18 0.12 3/280 11206\n");
        LoadAverage load = new LoadAverage(file.toString());
        assertThat(load.getAsInt()).isEqualTo(3);
        Files.writeString(file, "0.20 0.18 0.12 77/280 11206\n");
        assertThat(load.getAsInt()).isEqualTo(77);
        Files.writeString(file, "?");
        assertThat(load.getAsInt()).isEqualTo(LoadAverage.UNKNOWN);
        Files.move(file, folder.resolve("elsewhere"), StandardCopyOption.ATOMIC_MOVE);
        assertThat(load.getAsInt()).as("the open file").isEqualTo(LoadAverage.UNKNOWN);
    }

    @Test
    void shouldKnowNothingWhereThereIsNoFile() {
        LoadAverage load = new LoadAverage(folder.resolve("missing").toString());
        assertThat(load.getAsInt()).isEqualTo(LoadAverage.UNKNOWN);
        assertThat(load.getAsInt()).isEqualTo(LoadAverage.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "0-1, 2", "'0-3,8', 5", "'1,3,10-11', 4"})
    void shouldCountProcessors(String ranges, int expected) {
        assertThat(LoadAverage.count(ranges + "\n")).isEqualTo(expected);
        assertThat(LoadAverage.processors())
                .isGreaterThanOrEqualTo(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void shouldAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        LoadAverage load = new LoadAverage();
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 20 && least > 0; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 1_000; i++) {
                load.getAsInt();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).isLessThan(1_000);
    }
}
