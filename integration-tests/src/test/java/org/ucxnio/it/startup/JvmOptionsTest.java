package org.ucxnio.it.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Skips;

/** Collectors, compilers and checks of the JVM that users choose: connections move, their bytes are right, and nobody warns of anything. */
@Bounded
class JvmOptionsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-XX:+UseG1GC",
                "-XX:+UseG1GC -XX:+UseCompactObjectHeaders",
                "-XX:+UseParallelGC",
                "-XX:+UseZGC",
                "-XX:+UseShenandoahGC",
                "-XX:+UnlockExperimentalVMOptions -XX:+UseEpsilonGC"
            })
    void shouldMoveWithEveryCollector(String options) throws Exception {
        expectMove("-XX:-UseSerialGC " + options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=4", "-XX:-TieredCompilation", "-Xcomp"})
    void shouldMoveHoweverItIsCompiled(String options) throws Exception {
        expectMove(options);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-Xcheck:jni",
                "-ea -esa",
                "-Xshare:off",
                "-Xmx16m -XX:MaxDirectMemorySize=1m",
                "--illegal-native-access=deny",
                "--sun-misc-unsafe-memory-access=deny"
            })
    void shouldMoveWhateverIsCheckedAndForbidden(String options) throws Exception {
        expectMove(options);
    }

    /** As in an image that somebody made with {@code jlink}: no flight recorder, for one. {@code jdk.net} tells who a peer is. */
    @Test
    void shouldMoveOnAJavaOfFewModules() throws Exception {
        expectMove("--limit-modules=java.base,jdk.net");
    }

    private static void expectMove(String options) throws IOException, InterruptedException {
        Start start = Start.run(JvmBuilder.of(Flavour.RINGS, EchoMain.class)
                .flags(options.split(" "))
                .arguments(EchoMain.MOVED));
        // A JVM that was built without a collector says so on standard output.
        start.output().stream()
                .filter(line -> line.matches("Option -XX:\\+\\w+ not supported"))
                .forEach(Skips::skip);
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.traffic().ringReceived()).as(start.toString()).isGreaterThanOrEqualTo(2L * EchoMain.COUNT);
        assertThat(start.errors()).as(start.toString()).isEmpty();
        assertThat(start.output()).as(start.toString()).hasSize(2);
    }
}
