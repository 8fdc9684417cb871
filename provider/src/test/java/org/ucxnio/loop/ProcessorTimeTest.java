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

    @Test
    void shouldCountWhatTheKernelDoesForThisProcess() throws IOException {
        long before = ProcessorTime.ofKernel();
        assertThat(before).isNotNegative();
        long least = before + TimeUnit.MILLISECONDS.toNanos(50);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (ProcessorTime.ofKernel() < least && System.nanoTime() - deadline < 0) {
            Files.exists(Path.of("/proc/self/status"));
        }
        assertThat(ProcessorTime.ofKernel()).isGreaterThanOrEqualTo(least);
    }

    @Test
    void shouldCountWhatThisProcessUses() {
        long before = ProcessorTime.ofProcess();
        assertThat(before).isGreaterThanOrEqualTo(ProcessorTime.ofKernel());
        long kernelBefore = ProcessorTime.ofKernel();
        long least = before + TimeUnit.MILLISECONDS.toNanos(50);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (ProcessorTime.ofProcess() - (ProcessorTime.ofKernel() - kernelBefore) < least
                && System.nanoTime() - deadline < 0) {
            Thread.onSpinWait();
        }
        assertThat(ProcessorTime.ofProcess() - before)
                .as("with the program's own")
                .isGreaterThan(ProcessorTime.ofKernel() - kernelBefore);
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
