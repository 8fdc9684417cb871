package org.ucxnio.it.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.harness.Traffic;

/** Seconds of the storm; {@code -Ducxnio.it.storm.seconds=180} for minutes of it. */
@Bounded
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StormTest {
    private static final int CLIENT = 1;
    private static final int MANY = 32;

    /** The last streams end within this: a connection that does not has lost a wakeup. */
    private static final int REST_S = 60;

    private static long seconds(long usual) {
        return Long.getLong("ucxnio.it.storm.seconds", usual);
    }

    /** In one line: the report of a build may show no more than the first. */
    private static void expectNoComplaints(StormProcess process, String whose) {
        List<String> complaints = process.complaints();
        assertThat(complaints).as("%s: %s", whose, complaints).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"JDK, 16, 2", "RINGS, 2, 3", "RINGS, 32, 7", "DEFAULTS, 32, 7", "UCX_MESSAGES, 16, 4"})
    void shouldLoseNoByteAndNoWakeup(Flavour flavour, int connections, long usualSeconds) throws Exception {
        Seeds.withSeed(seed -> run(flavour, connections, seconds(usualSeconds), seed));
    }

    private static void run(Flavour flavour, int connections, long seconds, long seed) throws Exception {
        int port = Ports.free();
        try (StormProcess server = StormProcess.server(flavour, port, seed, seconds);
                StormProcess client = StormProcess.client(flavour, port, CLIENT, ~seed, seconds, connections)) {
            client.go();
            String stats = client.awaitOver(Duration.ofSeconds(seconds + REST_S));
            String both = flavour + ", seed " + seed + ", " + connections + " connections at a time, " + seconds
                    + " s: client " + stats + ", server " + server.stats();
            System.out.println(both);
            expectNoComplaints(client, both + ": of the client");
            expectNoComplaints(server, both + ": of the server");
            client.expectHealthy();
            server.expectHealthy();
            assertThat(Integer.parseInt(stats.split(" ")[0])).as(both).isGreaterThanOrEqualTo(connections);
            Traffic traffic = client.traffic();
            if (flavour == Flavour.RINGS && connections >= MANY) {
                // How much of it is a matter of how soon two cold JVMs get a processor. Of a few connections all that
                // live for long may
                // be half closed before the two have met, and stay with TCP.
                assertThat(traffic.ringReceived()).as(both).isPositive();
            }
        }
    }
}
