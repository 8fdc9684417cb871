package org.ucxnio.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.bench.child.Reporter;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class ProcessorTimeTest {
    @Test
    void shouldBeToldAsOftenAsItIsAskedFor() throws IOException {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        ProcessorTime.tell(new Reporter(new PrintStream(output, true, StandardCharsets.UTF_8)));
        String[] words = output.toString(StandardCharsets.UTF_8).strip().split(" ");
        assertThat(words[0]).isEqualTo("@" + Reporter.CLOCK);
        int port = Integer.parseInt(words[1]);

        long before = ProcessorTime.own();
        long told = ProcessorTime.of(port);
        long toldAgain = ProcessorTime.of(port);

        assertThat(told).isBetween(before, toldAgain);
        assertThat(toldAgain).isLessThanOrEqualTo(ProcessorTime.own());
    }
}
