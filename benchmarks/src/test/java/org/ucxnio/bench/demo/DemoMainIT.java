package org.ucxnio.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** The command as it is called, with real JVMs, which wait for their turns: those of the JDK alone, as this is not about ours. No figure is judged. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class DemoMainIT {
    private static final String NOT_MEASURED = "-";

    @Test
    void shouldMeasureEachProgram() {
        PrintStream usual = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertThat(new CommandLine(new DemoMain()).execute("--seconds=0.2", "--jdk-only"))
                    .isZero();
        } finally {
            System.setOut(usual);
        }
        String[] lines = printed.toString(StandardCharsets.UTF_8).split("\n");
        for (String label : new String[] {
            "short connection p99", "from their first message on, p99", "getData p50", "setData, 128 under way"
        }) {
            assertThat(lines)
                    .filteredOn(line -> line.contains(label))
                    .singleElement()
                    .satisfies(line -> assertThat(line.split(" +")).doesNotContain(NOT_MEASURED));
        }
    }
}
