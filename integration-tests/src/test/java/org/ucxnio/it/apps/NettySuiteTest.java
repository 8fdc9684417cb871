package org.ucxnio.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Locations;
import org.ucxnio.it.harness.Rendezvous;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.NettyParts;
import org.ucxnio.it.programs.NettySuite;

/**
 * Netty's own tests of its NIO transport, with our provider and with the helpers for Netty: what passes on the JDK's provider passes on
 * ours. Most of them wait.
 */
@Bounded
@Execution(ExecutionMode.CONCURRENT)
class NettySuiteTest {
    /** Between the ends of two tests. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private static final int LEAST_TESTS = 70;
    private static final int LEAST_TESTS_WITH_TLS = 100;

    /** Most of it are files and large buffers. */
    private static final long LEAST_BYTES = 50_000_000;

    /** Which suite runs on which parts and which Java, 0 for the Java of this JVM, and whether with TLS. */
    private record Run(String suite, NettyParts parts, int feature, boolean tls) {
        int leastTests() {
            return tls ? LEAST_TESTS_WITH_TLS : LEAST_TESTS;
        }

        JvmBuilder jvm() {
            return parts == NettyParts.USUAL
                    ? jvm(Flavour.RINGS)
                    : jvm(Flavour.JDK)
                            // Ours of Netty's classes goes before Netty's own.
                            .classPath(List.of(Locations.testClasses(), Locations.nettyHelpers()))
                            .classPath(Flavour.RINGS.classPath())
                            .property(NettyParts.PROPERTY, parts)
                            .property("ucxnio.switch.after", 0)
                            .property(
                                    Rendezvous.PROPERTY, Rendezvous.ofThisJvm().path());
        }

        JvmBuilder jvmOfTheJdk() {
            return jvm(Flavour.JDK);
        }

        private JvmBuilder jvm(Flavour flavour) {
            JvmBuilder builder =
                    JvmBuilder.of(flavour, NettySuite.class).flags("-Xmx768m").property(NettySuite.TLS_PROPERTY, tls);
            return feature == 0 ? builder : builder.javaHome(Skips.unlessJava(feature));
        }
    }

    /** Every helper on both Javas, as both change what is below Netty. TLS lies above: once on each Java is enough. */
    private static Stream<Run> runs() {
        return Stream.of(
                new Run("netty-testsuite", NettyParts.USUAL, 0, true),
                new Run("netty-testsuite", NettyParts.IO_HANDLER, 17, true),
                new Run("netty-testsuite", NettyParts.IO_HANDLER, 0, false),
                new Run("netty-testsuite-4.1", NettyParts.EVENT_LOOPS, 17, false),
                new Run("netty-testsuite-4.1", NettyParts.EVENT_LOOPS, 0, false));
    }

    @ParameterizedTest
    @MethodSource("runs")
    @Timeout(value = 400, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldPassWhatTheJdkPasses(Run run) throws Exception {
        List<String> passed = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        try (ChildJvm suite = start(run, run.jvm(), List.of())) {
            collect(suite, passed, failed);
            assertThat(passed).hasSizeGreaterThan(run.leastTests());
            Traffic traffic = Traffic.parse(Traffic.PREFIX + suite.ask("traffic", Traffic.PREFIX));
            assertThat(traffic.received()).as("%s", traffic).isGreaterThan(LEAST_BYTES);
            assertThat(traffic.ringReceived()).as("%s", traffic).isGreaterThan(LEAST_BYTES / 4);
            assertThat(suite.crashReport()).isEmpty();
            assertThat(passedByTheJdk(run, failed)).as(suite::evidence).isEmpty();
        }
    }

    /** The machine may be such that some tests pass nowhere; what failed is judged by the JDK's provider on the same Java. */
    private static List<String> passedByTheJdk(Run run, List<String> tests) throws Exception {
        List<String> passed = new ArrayList<>();
        if (!tests.isEmpty()) {
            try (ChildJvm suite = start(run, run.jvmOfTheJdk(), tests)) {
                collect(suite, passed, new ArrayList<>());
            }
        }
        return passed;
    }

    private static ChildJvm start(Run run, JvmBuilder builder, Iterable<String> tests) throws Exception {
        builder.classPath(Locations.app(run.suite()));
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
