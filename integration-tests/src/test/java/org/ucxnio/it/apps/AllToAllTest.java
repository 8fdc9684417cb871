package org.ucxnio.it.apps;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.programs.AllToAllMember;

/** Eight processes, each connected to every other, that all send to all at once. */
@Bounded
class AllToAllTest {
    private static final int MEMBERS = 8;
    private static final int THREADS = 4;

    /** On each connection each way in an exchange: whole messages of either size. */
    private static final long BYTES = 50 * 4096;

    private static final List<String> EXCHANGES = List.of("64x1", "4096x1", "64x4", "4096x4");

    /** Two exchanges by one thread and two by four, with three processes at least. */
    private static final long LEAST_BYTES = 2 * (1 + THREADS) * BYTES * 3;

    @ParameterizedTest
    @EnumSource
    void shouldCarryMessagesFromAllToAll(Members members) throws Exception {
        Seeds.withSeed(seed -> exchange(members, seed));
    }

    private static void exchange(Members members, long seed) throws Exception {
        try (Cluster cluster = new Cluster()) {
            List<ChildJvm> all = start(cluster, members, seed);
            askAll(all, "connect", "CONNECTED");
            for (String exchange : EXCHANGES) {
                askAll(all, exchange, "EXCHANGED");
            }
            for (int rank = 0; rank < MEMBERS; rank++) {
                Carrier.between(members.flavour(rank), members.othersThan(rank, MEMBERS))
                        .expect(all.get(rank), LEAST_BYTES);
            }
            cluster.expectHealthy();
        }
    }

    private static List<ChildJvm> start(Cluster cluster, Members members, long seed) throws IOException {
        List<Integer> ports = new ArrayList<>();
        for (int rank = 0; rank < MEMBERS; rank++) {
            ports.add(Ports.free());
        }
        String joined = ports.stream().map(String::valueOf).collect(Collectors.joining(","));
        List<ChildJvm> all = new ArrayList<>();
        for (int rank = 0; rank < MEMBERS; rank++) {
            all.add(cluster.start(JvmBuilder.of(members.flavour(rank), AllToAllMember.class)
                    .arguments(rank, joined, THREADS, BYTES, seed)));
        }
        all.forEach(member -> member.expect("LISTENING"));
        return all;
    }

    /** They work at the same time. */
    private static void askAll(List<ChildJvm> all, String request, String answerPrefix) {
        all.forEach(member -> member.send(request));
        all.forEach(member -> member.expect(answerPrefix));
    }
}
