package org.ucxnio.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Locations;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.NettySuite;

/** Netty's own tests of its NIO transport: what passes on the JDK's provider passes on ours. */
@Bounded
class NettySuiteTest {
    /** Between the ends of two tests. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private static final int LEAST_TESTS = 100;

    /** Most of it are files and large buffers. */
    private static final long LEAST_BYTES = 50_000_000;

    @Test
    @Timeout(value = 400, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldPassWhatTheJdkPasses() throws Exception {
        List<String> passed = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        try (ChildJvm suite = start(Flavour.RINGS, List.of())) {
            collect(suite, passed, failed);
            assertThat(passed).hasSizeGreaterThan(LEAST_TESTS);
            Traffic traffic = Traffic.parse(Traffic.PREFIX + suite.ask("traffic", Traffic.PREFIX));
            assertThat(traffic.received()).as("%s", traffic).isGreaterThan(LEAST_BYTES);
            assertThat(traffic.ringReceived()).as("%s", traffic).isGreaterThan(LEAST_BYTES / 4);
            assertThat(suite.crashReport()).isEmpty();
            assertThat(passedByTheJdk(failed)).as(suite::evidence).isEmpty();
        }
    }

    /** The machine may be such that some tests pass nowhere; what failed is judged by the JDK's provider. */
    private static List<String> passedByTheJdk(List<String> tests) throws Exception {
        List<String> passed = new ArrayList<>();
        if (!tests.isEmpty()) {
            try (ChildJvm suite = start(Flavour.JDK, tests)) {
                collect(suite, passed, new ArrayList<>());
            }
        }
        return passed;
    }

    private static ChildJvm start(Flavour flavour, Iterable<String> tests) throws Exception {
        JvmBuilder builder = JvmBuilder.of(flavour, NettySuite.class)
                .classPath(Locations.app("netty-testsuite"))
                .flags("-Xmx768m");
        tests.forEach(builder::arguments);
        return builder.start();
    }

    private static void collect(ChildJvm suite, List<String> passed, List<String> failed) {
        String line = suite.expect("", LONGEST);
        while (!line.equals("DONE")) {
            if (line.startsWith("PASSED ")) {
                passed.add(line.substring("PASSED ".length()));
            } else if (line.startsWith("FAILED ")) {
                failed.add(line.substring("FAILED ".length()));
            }
            line = suite.expect("", LONGEST);
        }
    }
}
