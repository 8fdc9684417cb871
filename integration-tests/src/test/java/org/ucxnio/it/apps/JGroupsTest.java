package org.ucxnio.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Locations;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.JGroupsMember;

/** Three JGroups members that multicast to each other. */
@Bounded
class JGroupsTest {
    private static final int MEMBERS = 3;
    private static final int MESSAGES = 1000;

    /** What each member sends to one other in two rounds. */
    private static final long LEAST_BYTES = 2L * MESSAGES * 10_000;

    @Test
    void shouldDeliverEveryMulticast() throws Exception {
        double plain = multicast(Sides.BOTH_PLAIN);
        double accelerated = multicast(Sides.BOTH_ACCELERATED);
        // JGroups drops what its few buffers do not hold and sends it again later: the rate tells whether writes take
        // enough.
        System.out.printf(
                "10 KB multicasts: JDK %.0f a second, ucxnio %.0f a second, ratio %.2f%n",
                plain, accelerated, accelerated / plain);
    }

    @Test
    void shouldDeliverEveryMulticastBetweenDifferentProviders() throws Exception {
        multicast(Sides.PLAIN_CLIENT);
    }

    private static double multicast(Sides sides) throws Exception {
        double[] rate = new double[1];
        Seeds.withSeed(seed -> rate[0] = multicast(sides, seed));
        return rate[0];
    }

    /** The messages that each member receives in a second, after a first round. */
    private static double multicast(Sides sides, long seed) throws IOException {
        List<ChildJvm> members = new ArrayList<>();
        try {
            int firstPort = Ports.free();
            for (int rank = 0; rank < MEMBERS; rank++) {
                int port = rank == 0 ? firstPort : Ports.free();
                members.add(start(flavour(sides, rank), port, firstPort, rank, seed));
            }
            roundMillis(members);
            double rate = MEMBERS * MESSAGES * 1000.0 / roundMillis(members);
            expectTraffic(sides, members);
            for (ChildJvm member : members) {
                assertThat(member.isAlive()).isTrue();
                assertThat(member.crashReport()).isEmpty();
            }
            return rate;
        } finally {
            members.forEach(ChildJvm::close);
        }
    }

    private static void expectTraffic(Sides sides, List<ChildJvm> members) {
        if (sides.server == sides.client) {
            sides.expectTraffic(members.get(0), members.get(1), LEAST_BYTES);
            return;
        }
        Traffic traffic = Traffic.parse(Traffic.PREFIX + members.get(0).ask("traffic", Traffic.PREFIX));
        assertThat(traffic.ringSent()).as("%s", traffic).isGreaterThan(LEAST_BYTES / 4);
        assertThat(traffic.ringReceived()).as("%s", traffic).isGreaterThan(LEAST_BYTES / 4);
        assertThat(traffic.tcpSent()).as("%s", traffic).isGreaterThan(LEAST_BYTES);
        assertThat(traffic.tcpReceived()).as("%s", traffic).isGreaterThan(LEAST_BYTES);
    }

    /** Where the providers differ, the first and the last member have the same. */
    private static Flavour flavour(Sides sides, int rank) {
        return rank == 1 ? sides.client : sides.server;
    }

    private static ChildJvm start(Flavour flavour, int port, int firstPort, int rank, long seed) throws IOException {
        ChildJvm member = JvmBuilder.of(flavour, JGroupsMember.class)
                .classPath(Locations.app("jgroups"))
                .arguments(port, firstPort, MEMBERS, rank, MESSAGES, seed)
                .start();
        member.expect("LISTENING");
        return member;
    }

    private static long roundMillis(List<ChildJvm> members) {
        members.forEach(member -> member.send("multicast"));
        return members.stream()
                .mapToLong(member -> Long.parseLong(member.expect("MULTICAST")))
                .reduce(1, Math::max);
    }
}
