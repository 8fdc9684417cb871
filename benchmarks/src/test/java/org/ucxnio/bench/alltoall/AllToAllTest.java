package org.ucxnio.bench.alltoall;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.launch.FreePorts;

/** All processes in this JVM. No figure is judged, but that there is one. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AllToAllTest {
    private static final int PROCESSES = 3;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final Reporter reporter = new Reporter(new PrintStream(output, true, StandardCharsets.UTF_8));

    @Test
    void shouldMeasureOneThreadAProcess() throws Exception {
        run(64, 1);
    }

    @Test
    void shouldMeasureThreadsThatShareConnections() throws Exception {
        run(4096, 4);
    }

    private void run(int size, int threads) throws Exception {
        String ports = FreePorts.list(PROCESSES);
        List<Member> members = new ArrayList<>();
        try {
            StringBuilder clocks = new StringBuilder();
            for (int i = 0; i < PROCESSES; i++) {
                Tally tally = new Tally();
                String[] settings = {
                    "size=" + size,
                    "threads=" + threads,
                    "number=" + i,
                    "ports=" + ports,
                    "clock-ports=" + clocks,
                    "warmup-ms=30",
                    "rounds=2",
                    "round-ms=100",
                    "expect=any"
                };
                Member member = new Member(Settings.parse(settings, 0), tally);
                members.add(member);
                member.start();
                if (i < PROCESSES - 1) {
                    clocks.append(clocks.isEmpty() ? "" : ",").append(tally.tell());
                } else {
                    AllToAllMain.measure(Settings.parse(settings, 0), member, tally, reporter);
                }
            }
        } finally {
            members.forEach(Member::expectEnd);
            for (Member member : members) {
                member.close();
            }
        }
        assertThat(figure("rate")).isPositive();
        assertThat(figure("slowest")).isPositive().isLessThanOrEqualTo(1);
        assertThat(figure("cpu")).isPositive();
    }

    private double figure(String key) {
        Matcher line = Pattern.compile("@result " + key + " (\\S+)").matcher(output.toString(StandardCharsets.UTF_8));
        assertThat(line.find()).as(key).isTrue();
        return Double.parseDouble(line.group(1));
    }
}
