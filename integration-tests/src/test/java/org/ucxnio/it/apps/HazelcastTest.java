package org.ucxnio.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Locations;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.programs.HazelcastMember;

/** Two Hazelcast members that share a map, both on one provider or each on another. */
@Bounded
class HazelcastTest {
    private static final long LEAST_BYTES = 3_000_000;

    /** No operation may take this long and longer than the machine lets the processes stand still. */
    private static final long STALL_MILLIS = 1000;

    @ParameterizedTest
    @EnumSource(names = {"BOTH_PLAIN", "BOTH_ACCELERATED", "PLAIN_CLIENT"})
    void shouldShareAMap(Sides sides) throws Exception {
        Seeds.withSeed(seed -> share(sides, seed));
    }

    private static void share(Sides sides, long seed) throws Exception {
        int port = Ports.free();
        try (ChildJvm first = start(sides.server, port, port, 0, seed)) {
            first.expect("LISTENING");
            try (ChildJvm second = start(sides.client, Ports.free(), port, 1, seed)) {
                second.expect("LISTENING");
                assertThat(first.ask("members", "MEMBERS")).isEqualTo("2");
                for (String command : List.of("put", "verify", "put", "verify")) {
                    first.send(command);
                    second.send(command);
                    expectNoStall(sides, command, Measured.of(first), Measured.of(second));
                }
                sides.expectTraffic(first, second, LEAST_BYTES);
                assertThat(second.crashReport()).isEmpty();
            }
            assertThat(first.isAlive()).isTrue();
            assertThat(first.crashReport()).isEmpty();
        }
    }

    private static ChildJvm start(Flavour flavour, int port, int firstPort, int which, long seed) throws IOException {
        return JvmBuilder.of(flavour, HazelcastMember.class)
                .classPath(Locations.app("hazelcast"))
                .arguments(port, firstPort, which, seed)
                .start();
    }

    private static void expectNoStall(Sides sides, String command, Measured first, Measured second) {
        System.out.printf("%s, %s: %s and %s%n", sides, command, first, second);
        assertThat(Math.max(first.longestMillis, second.longestMillis))
                .as("longest %s: %s and %s", command, first, second)
                .isLessThan(STALL_MILLIS + first.pauseMillis + second.pauseMillis);
    }

    /** What a member says about a command: operations, the time of all and of the longest, how long the process stood still. */
    private record Measured(int operations, long allMillis, long longestMillis, long pauseMillis) {
        static Measured of(ChildJvm member) {
            String[] numbers = member.expect("MEASURED").split(" ");
            return new Measured(
                    Integer.parseInt(numbers[0]),
                    Long.parseLong(numbers[1]),
                    Long.parseLong(numbers[2]),
                    Long.parseLong(numbers[3]));
        }

        @Override
        public String toString() {
            return operations * 1000L / Math.max(1, allMillis) + " a second, longest " + longestMillis
                    + " ms, process stood still for " + pauseMillis + " ms";
        }
    }
}
