package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ucxnio.testing.ChildJvm;

/**
 * The JVM throws an error by and by where a thread has touched memory that has gone. The call on the channel that touched it has to take that
 * error, whatever it has to say by then, and not the caller, or a call behind it.
 */
@Timeout(120)
class TornMemoryTest {
    /** With the whole call in one piece of compiled code the JVM has no reason of its own to look within it whether there is an error. */
    private static final List<String> IN_ONE_PIECE = List.of(
            "-XX:-TieredCompilation",
            "-XX:MaxInlineLevel=60",
            "-XX:MaxInlineSize=500",
            "-XX:FreqInlineSize=3000",
            "-XX:InlineSmallCode=20000");

    @ParameterizedTest
    @CsvSource({"16, false", "16, true", "1000, false", "1000, true"})
    void shouldFailTheCallThatTouchesAndNoOther(int length, boolean apart) throws Exception {
        touch(IN_ONE_PIECE, length, apart, 5_005);
    }

    @ParameterizedTest
    @CsvSource({"16, false", "1000, true"})
    void shouldFailTheCallThatIsInterpreted(int length, boolean apart) throws Exception {
        touch(List.of("-Xint"), length, apart, 500);
    }

    private static void touch(List<String> how, int length, boolean apart, int rounds) throws Exception {
        List<String> flags = new ArrayList<>(how);
        flags.add(ChildJvm.NATIVE_ACCESS);
        try (ChildJvm child = ChildJvm.start(
                flags,
                Map.of(),
                TornMemoryMain.class,
                Integer.toString(length),
                Boolean.toString(apart),
                Integer.toString(rounds))) {
            assertThat(child.expect(TornMemoryMain.RESULT).strip()).isEqualTo(TornMemoryMain.CONNECTIONS + " 0");
        }
    }
}
