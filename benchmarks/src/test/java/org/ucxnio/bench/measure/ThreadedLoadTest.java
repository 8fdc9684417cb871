package org.ucxnio.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.launch.FreePorts;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ThreadedLoadTest {
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final Reporter reporter = new Reporter(new PrintStream(output, true, StandardCharsets.UTF_8));

    /** One server and three clients. The latencies of each client are of an order of their own. */
    @Test
    void shouldMeasureTheLoadOfAllClients() throws Exception {
        String ports = FreePorts.list(4);
        AtomicInteger checks = new AtomicInteger();
        for (int number = 1; number < 3; number++) {
            load(ports, number).tell(checks::incrementAndGet);
        }
        load(ports, 3).measure(0);

        Histogram latencies = Latencies.decode(said("@histogram latency (\\S+)"));
        for (int number = 1; number <= 3; number++) {
            assertThat(latencies.getCountBetweenValues(nanos(number), nanos(number + 1) - 1))
                    .as("operations of client " + number)
                    .isPositive();
        }
        // Each round asks at its beginning and at its end.
        assertThat(checks).hasValue(8);
    }

    @Test
    void shouldTellServersFromClients() {
        String[] some = {"clock-ports=1,2,3", "servers=2"};
        String[] all = {"clock-ports=1,2,3"};
        String[] one = {"clock-port=7"};

        assertThat(Clocks.of(Settings.parse(some, 0)).servers()).containsExactly(1, 2);
        assertThat(Clocks.of(Settings.parse(some, 0)).clients()).containsExactly(3);
        assertThat(Clocks.of(Settings.parse(all, 0))).isEqualTo(Clocks.ofServers(1, 2, 3));
        assertThat(Clocks.of(Settings.parse(one, 0))).isEqualTo(Clocks.ofServers(7));
    }

    private ThreadedLoad load(String ports, int number) {
        String[] settings = {
            "ports=" + ports,
            "number=" + number,
            "servers=1",
            "clock-ports=0,0,0",
            "rounds=2",
            "round-ms=100",
            "warmup-ms=50",
            "expect=any"
        };
        ThreadedLoad load = new ThreadedLoad(Settings.parse(settings, 0), reporter);
        load.add(() -> {
            Thread.sleep(1);
            return System.nanoTime() - nanos(number);
        });
        return load;
    }

    /** Far from those of other clients, even on a machine that is busy. */
    private static long nanos(int number) {
        return TimeUnit.SECONDS.toNanos(10L * number);
    }

    private String said(String pattern) {
        Matcher line = Pattern.compile(pattern).matcher(output.toString(StandardCharsets.UTF_8));
        assertThat(line.find()).as(pattern).isTrue();
        return line.group(1);
    }
}
