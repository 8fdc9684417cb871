package org.ucxnio.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessorTimeTest {
    @ParameterizedTest
    @CsvSource({"10.20 30.45, 1, 30450000000", "S 1 250, 2, 2500000000", "S 1, 2, -1", "S x, 1, -1", "'', 1, -1"})
    void shouldReadFieldsInHundredthsOfASecond(String line, int field, long nanos) {
        assertThat(ProcessorTime.field(line, field)).isEqualTo(nanos);
    }

    private static long kernelNanos() {
        return ProcessorTime.ofThisProcess().kernelNanos();
    }

    private static long allNanos() {
        return ProcessorTime.ofThisProcess().allNanos();
    }

    @Test
    void shouldCountWhatTheKernelDoesForThisProcess() throws IOException {
        long before = kernelNanos();
        assertThat(before).isNotNegative();
        long least = before + TimeUnit.MILLISECONDS.toNanos(50);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (kernelNanos() < least && System.nanoTime() - deadline < 0) {
            Files.exists(Path.of("/proc/self/status"));
        }
        assertThat(kernelNanos()).isGreaterThanOrEqualTo(least);
    }

    @Test
    void shouldCountWhatThisProcessUses() {
        long before = allNanos();
        assertThat(before).isGreaterThanOrEqualTo(kernelNanos());
        long kernelBefore = kernelNanos();
        long least = before + TimeUnit.MILLISECONDS.toNanos(50);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (allNanos() - (kernelNanos() - kernelBefore) < least && System.nanoTime() - deadline < 0) {
            Thread.onSpinWait();
        }
        assertThat(allNanos() - before).as("with the program's own").isGreaterThan(kernelNanos() - kernelBefore);
    }

    @Test
    void shouldKnowIdleProcessors() throws InterruptedException {
        long before = ProcessorTime.idle();
        assertThat(before).isPositive();
        Thread.sleep(100);
        assertThat(ProcessorTime.idle())
                .isBetween(before, before + TimeUnit.SECONDS.toNanos(60 * LoadAverage.processors()));
    }
}
