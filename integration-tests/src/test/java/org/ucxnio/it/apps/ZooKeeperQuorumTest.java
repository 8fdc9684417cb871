package org.ucxnio.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Locations;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.programs.ZooKeeperMember;
import org.ucxnio.it.programs.ZooKeeperUser;

/**
 * A ZooKeeper quorum, whose leader is killed, and two users at once. One member and one user have the JDK's provider, the others ours, and
 * each user talks to all members. Both sides have ZooKeeper's own NIO connections, or Netty's.
 */
@Bounded
class ZooKeeperQuorumTest {
    private static final int SIZE = 3;
    private static final Members MEMBERS = Members.MIXED;

    /** Nodes of each user before and after the leader is killed. */
    private static final int NODES = 100;

    /** Of one session, which begins with one of the members. */
    private static final long LEAST_BYTES = NODES / 10 * 2000L;

    @TempDir
    private Path dataDirectory;

    @ParameterizedTest
    @ValueSource(strings = {"NIO", "Netty"})
    void shouldKeepWhatItAcknowledgedWhenTheLeaderDies(String connections) throws Exception {
        Seeds.withSeed(seed -> keep(connections, seed));
    }

    private void keep(String connections, long seed) throws Exception {
        try (Cluster cluster = new Cluster()) {
            String clientPorts = freePorts();
            List<ChildJvm> quorum = startQuorum(cluster, connections, clientPorts);
            ChildJvm accelerated = startUser(cluster, Flavour.RINGS, connections, clientPorts, seed);
            ChildJvm plain = startUser(cluster, Flavour.JDK, connections, clientPorts, seed + 1);
            awaitNodes(accelerated, NODES);
            awaitNodes(plain, NODES);
            cluster.kill(leaderOf(quorum));
            int ofAccelerated = nodes(accelerated);
            int ofPlain = nodes(plain);
            awaitNodes(accelerated, ofAccelerated + NODES);
            awaitNodes(plain, ofPlain + NODES);
            assertThat(Integer.parseInt(accelerated.ask("verify", "VERIFIED"))).isGreaterThanOrEqualTo(2 * NODES);
            assertThat(Integer.parseInt(plain.ask("verify", "VERIFIED"))).isGreaterThanOrEqualTo(2 * NODES);
            Carrier.BOTH.expect(accelerated, LEAST_BYTES);
            Carrier.UNCOUNTED.expect(plain, 0);
            cluster.expectHealthy();
        }
    }

    /** Returns when one leads and all others follow. */
    private List<ChildJvm> startQuorum(Cluster cluster, String connections, String clientPorts) throws IOException {
        List<ChildJvm> quorum = new ArrayList<>();
        String followerPorts = freePorts();
        String electionPorts = freePorts();
        for (int rank = 0; rank < SIZE; rank++) {
            quorum.add(cluster.start(jvm(MEMBERS.flavour(rank), ZooKeeperMember.class)
                    .property(
                            "zookeeper.serverCnxnFactory",
                            "org.apache.zookeeper.server." + connections + "ServerCnxnFactory")
                    .arguments(
                            rank, dataDirectory.resolve("member-" + rank), clientPorts, followerPorts, electionPorts)));
        }
        quorum.forEach(member -> member.expect("STARTED"));
        Awaitility.await()
                .atMost(ChildJvm.PATIENCE)
                .untilAsserted(() -> assertThat(quorum)
                        .extracting(ZooKeeperQuorumTest::state)
                        .containsExactlyInAnyOrder("leading", "following", "following"));
        return quorum;
    }

    private static ChildJvm leaderOf(List<ChildJvm> quorum) {
        return quorum.stream()
                .filter(member -> state(member).equals("leading"))
                .findFirst()
                .orElseThrow();
    }

    private static String state(ChildJvm member) {
        return member.ask("state", "STATE");
    }

    private static ChildJvm startUser(
            Cluster cluster, Flavour flavour, String connections, String clientPorts, long seed) throws IOException {
        ChildJvm user = cluster.start(jvm(flavour, ZooKeeperUser.class)
                .property("zookeeper.clientCnxnSocket", "org.apache.zookeeper.ClientCnxnSocket" + connections)
                .arguments(clientPorts, seed));
        user.expect("STARTED");
        return user;
    }

    private static void awaitNodes(ChildJvm user, int nodes) {
        Awaitility.await().atMost(ChildJvm.PATIENCE).until(() -> nodes(user) >= nodes);
    }

    private static int nodes(ChildJvm user) {
        return Integer.parseInt(user.ask("progress", "PROGRESS"));
    }

    private static String freePorts() throws IOException {
        return Ports.free() + "," + Ports.free() + "," + Ports.free();
    }

    private static JvmBuilder jvm(Flavour flavour, Class<?> program) {
        return JvmBuilder.of(flavour, program).classPath(Locations.app("zookeeper"));
    }
}
