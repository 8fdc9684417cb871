package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
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
    @CsvSource({"16, BUFFER", "16, TWO_BUFFERS", "1000, BUFFER", "1000, TWO_BUFFERS"})
    void shouldFailTheCallThatTouchesAndNoOther(int length, TornMemoryMain.Place place) throws Exception {
        touch(IN_ONE_PIECE, length, place, TornMemoryMain.COUNTERS, 5_005);
    }

    @ParameterizedTest
    @CsvSource({"16, BUFFER", "1000, TWO_BUFFERS"})
    void shouldFailTheCallThatIsInterpreted(int length, TornMemoryMain.Place place) throws Exception {
        touch(List.of("-Xint"), length, place, TornMemoryMain.COUNTERS, 500);
    }

    /** The kernel, which is to copy there, finds nothing either. */
    @ParameterizedTest
    @ValueSource(ints = {TornMemoryMain.COUNTERS, 0})
    void shouldFailTheCallThatSendsAFile(int left) throws Exception {
        touch(IN_ONE_PIECE, 10_000, TornMemoryMain.Place.FILE, left, 5_005);
        touch(List.of("-Xint"), 10_000, TornMemoryMain.Place.FILE, left, 500);
    }

    private static void touch(List<String> how, int length, TornMemoryMain.Place place, int left, int rounds)
            throws Exception {
        List<String> flags = new ArrayList<>(how);
        flags.add(ChildJvm.NATIVE_ACCESS);
        try (ChildJvm child = ChildJvm.start(
                flags,
                Map.of(),
                TornMemoryMain.class,
                Integer.toString(length),
                place.name(),
                Integer.toString(left),
                Integer.toString(rounds))) {
            assertThat(child.expect(TornMemoryMain.RESULT).strip()).isEqualTo(TornMemoryMain.CONNECTIONS + " 0");
        }
    }
}
