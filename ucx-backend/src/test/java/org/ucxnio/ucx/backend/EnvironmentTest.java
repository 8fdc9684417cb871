package org.ucxnio.ucx.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.testing.ChildJvm;

/** Loading UCX leaves the JVM its signals. */
@Timeout(120)
class EnvironmentTest {
    private static final int SIGHUP_EXIT = 129;

    @BeforeEach
    void needLibucx() {
        TestUcx.library();
    }

    private static ChildJvm start(String compiler, Map<String, String> environment) throws Exception {
        List<String> flags = new ArrayList<>(TestUcx.flags());
        flags.add(compiler);
        return ChildJvm.start(flags, environment, EnvironmentMain.class);
    }

    @Test
    void shouldSurviveImplicitNullChecksOfC1AndEndOnHangup() throws Exception {
        assertSurvives("-XX:TieredStopAtLevel=1");
    }

    @Test
    void shouldSurviveImplicitNullChecksOfC2AndEndOnHangup() throws Exception {
        assertSurvives("-XX:-TieredCompilation");
    }

    private static void assertSurvives(String compiler) throws Exception {
        try (ChildJvm child = start(compiler, Map.of())) {
            assertThat(child.expect("caught ")).isEqualTo("2500");
            assertThat(child.output()).doesNotContain("Caught signal");
            new ProcessBuilder("kill", "-HUP", Long.toString(child.pid()))
                    .start()
                    .waitFor();
            // Started under nohup, a JVM ignores the signal for good; then there is nothing for UCX to take away.
            assumeThat(hangupIsIgnored()).as("SIGHUP is ignored here").isFalse();
            assertThat(child.exitCode()).as(child.output()).isEqualTo(SIGHUP_EXIT);
        }
    }

    /** A child inherits what this process ignores. */
    private static boolean hangupIsIgnored() throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("SigIgn:")) {
                return (Long.parseUnsignedLong(line.substring(7).trim(), 16) & 1) != 0;
            }
        }
        return false;
    }

    @Test
    void shouldLeaveAloneWhatTheUserHasSet() throws Exception {
        try (ChildJvm child = start("-XX:+TieredCompilation", Map.of("UCX_LOG_LEVEL", "warn"))) {
            child.expect("caught ");
            assertThat(child.output()).contains("env UCX_LOG_LEVEL=warn", "env UCX_HANDLE_ERRORS=none");
        }
    }

    @Test
    void shouldProveThatTheEnvironmentIsWhatKeepsUcxFromTheSignals() throws Exception {
        assumeThat(TestUcx.backendName())
                .as("JUCX takes the signals from UCX itself")
                .isEqualTo("ffm");
        try (ChildJvm child = start("-XX:TieredStopAtLevel=1", Map.of("UCX_HANDLE_ERRORS", "bt"))) {
            child.expect("[");
            assertThat(child.output()).contains("Caught signal 11");
        }
    }
}
