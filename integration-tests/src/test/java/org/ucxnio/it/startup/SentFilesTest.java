package org.ucxnio.it.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Locations;
import org.ucxnio.it.harness.Rendezvous;
import org.ucxnio.it.harness.Skips;

/**
 * {@code FileChannel.transferTo} with the agent: the kernel copies the file, and everything is as with the JDK's channels, on connections that stay with
 * TCP, that move at once, and that move when they have been used.
 */
@Bounded
class SentFilesTest {
    private static Start run(Path javaHome, boolean moved, String... flags) throws Exception {
        JvmBuilder builder = JvmBuilder.of(Flavour.JDK, SentFilesMain.class)
                .name("sent-files" + String.join("", flags))
                .javaHome(javaHome)
                .flags(flags);
        Start start = Start.run(moved ? builder.arguments(SentFilesMain.MOVED) : builder);
        assertThat(start.exitCode()).as(start.toString()).isZero();
        assertThat(start.errors()).as(start.toString()).isEmpty();
        return start;
    }

    /** What anybody sees. */
    private static List<String> outcomes(Start start) {
        return start.output().stream()
                .filter(line -> !line.startsWith(SentFilesMain.BY_KERNEL))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"0, 1000000000", "0, 0", "0, 50", "17, 1000000000", "17, 0", "21, 0"})
    void shouldBeSentAsByTheJdk(int feature, int usesBeforeAMove) throws Exception {
        Path java = Skips.unlessJava(feature);
        boolean moved = usesBeforeAMove == 0;
        Start jdks = run(java, moved);
        Start ours = run(
                java,
                moved,
                "-javaagent:" + Locations.ucxnioJar() + "=switch.after=" + usesBeforeAMove + ",rendezvous="
                        + Rendezvous.ofThisJvm().path());
        assertThat(outcomes(ours)).as(ours.toString()).isEqualTo(outcomes(jdks));
        assertThat(Long.parseLong(ours.output(SentFilesMain.BY_KERNEL)))
                .as(ours.toString())
                .isPositive();
    }
}
