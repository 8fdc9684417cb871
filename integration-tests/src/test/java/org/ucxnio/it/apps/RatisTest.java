package org.ucxnio.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
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
import org.ucxnio.it.programs.RatisPeer;
import org.ucxnio.it.programs.RatisUser;

/**
 * Three peers of Ratis, whose leader is killed, and two users at once. The peers keep a counter and files. The leader that dies and one
 * user have our provider, the leader that follows and the other user the JDK's. Over Netty, files are complete before the leader dies:
 * requests that its death leaves unanswered are sent again after a timeout there, several for a file, on the JDK's provider as well.
 */
@Bounded
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RatisTest {
    private static final int PEERS = 3;
    private static final Members MEMBERS = Members.MIXED;

    /** What each user does before the leader is killed. */
    private static final Progress BEFORE = new Progress(40, 0, 3);

    /** What each user does with the leader that follows. */
    private static final Progress AFTER = new Progress(10, 0, 1);

    private static final Progress AFTER_WITHOUT_FILES = new Progress(10, 0, 0);

    /** Long enough for peers to elect a leader and users to find it on a machine that is busy. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Three files of 60 KB or more. */
    private static final long LEAST_BYTES = 150_000;

    @TempDir
    private Path dataDirectory;

    @ParameterizedTest
    @ValueSource(strings = {"GRPC", "NETTY"})
    void shouldCountWhatItAcknowledgedWhenTheLeaderDies(String rpcType) throws Exception {
        Seeds.withSeed(seed -> count(rpcType, seed));
    }

    private void count(String rpcType, long seed) throws Exception {
        try (Cluster cluster = new Cluster()) {
            List<Integer> ports = List.of(Ports.free(), Ports.free(), Ports.free());
            List<ChildJvm> peers = startPeers(cluster, rpcType, ports);
            ChildJvm accelerated = startUser(cluster, Flavour.RINGS, rpcType, ports, seed);
            ChildJvm plain = startUser(cluster, Flavour.JDK, rpcType, ports, seed + 1);
            Progress none = new Progress(0, 0, 0);
            await(accelerated, none, BEFORE);
            await(plain, none, BEFORE);
            Carrier.BOTH.expect(peers.get(0), LEAST_BYTES);
            boolean filesToo = rpcType.equals("GRPC");
            if (!filesToo) {
                Progress.of(accelerated, "stop-files");
                Progress.of(plain, "stop-files");
            }
            cluster.kill(peers.get(0));
            Progress ofAccelerated = Progress.of(accelerated, "progress");
            Progress ofPlain = Progress.of(plain, "progress");
            await(accelerated, ofAccelerated, filesToo ? AFTER : AFTER_WITHOUT_FILES);
            await(plain, ofPlain, filesToo ? AFTER : AFTER_WITHOUT_FILES);
            awaitTraffic(accelerated, filesToo ? Carrier.BOTH : Carrier.RINGS);
            Progress one = Progress.of(accelerated, "stop");
            Progress other = Progress.of(plain, "stop");
            for (ChildJvm user : List.of(accelerated, plain)) {
                assertThat(Integer.parseInt(user.ask("counter", "COUNTER")))
                        .isBetween(one.count + other.count, one.count + one.unknown + other.count + other.unknown);
            }
            assertThat(Integer.parseInt(accelerated.ask("files", "FILES"))).isEqualTo(one.files);
            assertThat(Integer.parseInt(plain.ask("files", "FILES"))).isEqualTo(other.files);
            Carrier.UNCOUNTED.expect(plain, 0);
            cluster.expectHealthy();
        }
    }

    /** Returns when the first one leads. */
    private List<ChildJvm> startPeers(Cluster cluster, String rpcType, List<Integer> ports) throws IOException {
        List<ChildJvm> peers = new ArrayList<>();
        for (int rank = 0; rank < PEERS; rank++) {
            peers.add(cluster.start(jvm(MEMBERS.flavour(rank), RatisPeer.class)
                    .arguments(rpcType, ports.get(rank), joined(ports), dataDirectory.resolve("peer-" + rank))));
        }
        peers.forEach(peer -> peer.expect("LISTENING"));
        Awaitility.await()
                .atMost(ChildJvm.PATIENCE)
                .until(() -> peers.get(0).ask("leads", "LEADS").equals("true"));
        return peers;
    }

    private static ChildJvm startUser(Cluster cluster, Flavour flavour, String rpcType, List<Integer> ports, long seed)
            throws IOException {
        ChildJvm user = cluster.start(jvm(flavour, RatisUser.class).arguments(rpcType, joined(ports), seed));
        user.expect("STARTED");
        return user;
    }

    /** Waits until a user that had come to {@code start} has made {@code step}. */
    private static void await(ChildJvm user, Progress start, Progress step) {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> Progress.of(user, "progress").isFrom(start, step));
    }

    /**
     * Waits until a user's files have gone to both leaders. A peer that is accelerated may lead for a while before the one that should, so
     * that no number of files says so; without files nothing of size goes to the second leader.
     */
    private static void awaitTraffic(ChildJvm user, Carrier carrier) {
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> carrier.expect(user, LEAST_BYTES));
    }

    private static String joined(List<Integer> ports) {
        return ports.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static JvmBuilder jvm(Flavour flavour, Class<?> program) {
        return JvmBuilder.of(flavour, program)
                .classPath(Locations.app("ratis"))
                // Without it the Netty inside Ratis uses epoll itself, and asks no provider.
                .property("org.apache.ratis.thirdparty.io.netty.transport.noNative", true);
    }

    /** Increments that were acknowledged to a user, increments whose connection ended before, and files. */
    private record Progress(int count, int unknown, int files) {
        static Progress of(ChildJvm user, String command) {
            String[] numbers = user.ask(command, "PROGRESS").split(" ");
            return new Progress(
                    Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]), Integer.parseInt(numbers[2]));
        }

        boolean isFrom(Progress start, Progress step) {
            return count >= start.count + step.count && files >= start.files + step.files;
        }
    }
}
