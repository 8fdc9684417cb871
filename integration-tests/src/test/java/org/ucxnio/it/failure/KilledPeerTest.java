package org.ucxnio.it.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Proc;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.programs.EchoClient;
import org.ucxnio.it.programs.EchoServer;
import org.ucxnio.it.programs.Survivor;
import org.ucxnio.it.programs.Victim;

/**
 * Peers are killed at random moments of connecting, writing and reading. The survivor notices within the bound, keeps its
 * connections to others, and has no thread that spins when it is over.
 */
@Bounded
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 170, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledPeerTest {
    private static final Duration BOUND = Duration.ofSeconds(2);
    private static final int WARM_VICTIMS = 4;
    private static final long LONGEST_LIFE_MS = 30;

    private final Map<String, Long> endedAtNanos = new ConcurrentHashMap<>();
    private final Set<String> serving = ConcurrentHashMap.newKeySet();
    private final Set<String> wrong = ConcurrentHashMap.newKeySet();

    @ParameterizedTest(name = "{0} {1}: {2} kills")
    @CsvSource({
        "JDK, BLOCKING, 5",
        "JDK, SELECTOR, 5",
        "RINGS, BLOCKING, 40",
        "RINGS, SELECTOR, 40",
        "UCX_MESSAGES, BLOCKING, 20",
        "UCX_MESSAGES, SELECTOR, 20"
    })
    void shouldSurviveKilledPeers(Flavour flavour, Mode mode, int kills) throws Exception {
        Seeds.withSeed(seed -> run(flavour, mode, kills, new SplittableRandom(seed)));
    }

    private void run(Flavour flavour, Mode mode, int kills, SplittableRandom random) throws Exception {
        int port = Ports.free();
        int echoPort = Ports.free();
        try (ChildJvm survivor = startSurvivor(flavour, port, mode);
                ChildJvm echo = JvmBuilder.of(flavour, EchoServer.class)
                        .arguments("127.0.0.1", echoPort, mode)
                        .start()) {
            echo.expect("LISTENING");
            // A healthy peer of the survivor, which goes on all the time.
            try (ChildJvm friend = startVictim(flavour, port, mode, "friend0", "W")) {
                friend.send("go");
                awaitServing("Wfriend0");
                killMany(flavour, mode, port, kills, random);
                assertThat(friend.isAlive()).isTrue();
                assertThat(endedAtNanos).doesNotContainKey("Wfriend0");
                friend.kill();
            }
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> endedAtNanos.containsKey("Wfriend0"));
            assertThat(wrong).isEmpty();
            assertThat(survivor.isAlive()).isTrue();
            assertThat(survivor.crashReport()).isEmpty();
            expectIdle(survivor);
        }
    }

    private ChildJvm startSurvivor(Flavour flavour, int port, Mode mode) throws IOException {
        ChildJvm survivor =
                JvmBuilder.of(flavour, Survivor.class).arguments(port, mode).start();
        survivor.onLine(this::onSurvivorLine);
        survivor.expect("LISTENING");
        return survivor;
    }

    private void onSurvivorLine(String line) {
        String[] words = line.split(" ");
        switch (words[0]) {
            case "SERVING" -> serving.add(words[1]);
            // By the survivor's clock, which is this one's: when the line is read is no matter of the survivor's.
            case "ENDED" -> endedAtNanos.put(words[1], Long.parseLong(words[2]));
            case "WRONG" -> wrong.add(line);
            default -> {
                // Something else that it has to say.
            }
        }
    }

    private static ChildJvm startVictim(Flavour flavour, int port, Mode mode, String name, String doing)
            throws IOException {
        assertThat(name).hasSize(Survivor.NAME_LENGTH);
        return JvmBuilder.of(flavour, Victim.class)
                .name(name)
                .flags("-Xmx32m")
                .arguments(port, mode, name, doing)
                .start();
    }

    private void awaitServing(String name) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(2))
                .atMost(ChildJvm.PATIENCE)
                .until(() -> serving.contains(name));
    }

    /** Some victims are warming up while one is at work. */
    private void killMany(Flavour flavour, Mode mode, int port, int kills, SplittableRandom random) throws Exception {
        Deque<ChildJvm> warm = new ArrayDeque<>();
        int started = 0;
        try {
            for (int killed = 0; killed < kills; killed++) {
                while (started < kills && warm.size() < WARM_VICTIMS) {
                    String doing = started % 2 == 0 ? "W" : "R";
                    warm.add(startVictim(flavour, port, mode, String.format("v%06d", started), doing));
                    started++;
                }
                String name = (killed % 2 == 0 ? "W" : "R") + String.format("v%06d", killed);
                try (ChildJvm victim = warm.remove()) {
                    killOne(victim, name, random);
                }
            }
        } finally {
            warm.forEach(ChildJvm::close);
        }
        Set<String> missing = new HashSet<>(serving);
        missing.removeAll(endedAtNanos.keySet());
        assertThat(missing).containsOnly("Wfriend0");
    }

    private void killOne(ChildJvm victim, String name, SplittableRandom random) throws InterruptedException {
        victim.expect("WARM");
        victim.send("go");
        victim.expect("GOING");
        // One in five dies while it connects, the others while they are served.
        if (random.nextInt(5) > 0) {
            awaitServing(name);
        }
        TimeUnit.MICROSECONDS.sleep(random.nextLong(TimeUnit.MILLISECONDS.toMicros(LONGEST_LIFE_MS)));
        long killedAtNanos = System.nanoTime();
        victim.kill();
        if (serving.contains(name)) {
            Awaitility.await(name + " was killed")
                    .pollInterval(Duration.ofMillis(5))
                    .atMost(BOUND.plusSeconds(5))
                    .until(() -> endedAtNanos.containsKey(name));
            assertThat(Duration.ofNanos(endedAtNanos.get(name) - killedAtNanos))
                    .as("the survivor noticed the death of " + name)
                    .isLessThan(BOUND);
        }
    }

    /** Two seconds without traffic must cost next to nothing. */
    private static void expectIdle(ChildJvm jvm) throws Exception {
        Awaitility.await("a JVM that comes to rest")
                .atMost(Duration.ofSeconds(20))
                .until(() -> {
                    long before = Proc.cpuMillis(jvm.pid());
                    TimeUnit.SECONDS.sleep(2);
                    return Proc.cpuMillis(jvm.pid()) - before < 300;
                });
    }

    @ParameterizedTest
    @CsvSource({
        "JDK, BLOCKING",
        "JDK, SELECTOR",
        "RINGS, BLOCKING",
        "RINGS, SELECTOR",
        "UCX_MESSAGES, BLOCKING",
        "UCX_MESSAGES, SELECTOR"
    })
    void shouldKeepOtherConnectionsWhenAPeerIsKilled(Flavour flavour, Mode mode) throws Exception {
        int port = Ports.free();
        try (ChildJvm server = JvmBuilder.of(flavour, EchoServer.class)
                .arguments("127.0.0.1", port, mode)
                .start()) {
            server.expect("LISTENING");
            try (ChildJvm friend = startEchoClient(flavour, port, mode)) {
                for (int round = 0; round < 5; round++) {
                    try (ChildJvm victim = startEchoClient(flavour, port, mode)) {
                        awaitRounds(victim, 100);
                        victim.kill();
                    }
                    awaitRounds(friend, 200);
                }
                friend.send("stop");
                friend.expect("DONE");
            }
            assertThat(server.isAlive()).isTrue();
            assertThat(server.crashReport()).isEmpty();
            assertThat(List.copyOf(server.errorLines())).noneMatch(line -> line.contains("SEVERE"));
            expectIdle(server);
        }
    }

    private static ChildJvm startEchoClient(Flavour flavour, int port, Mode mode) throws IOException {
        ChildJvm client = JvmBuilder.of(flavour, EchoClient.class)
                .arguments("127.0.0.1", port, mode, 4, 0, 10_000, 1)
                .start();
        client.expect("STARTED");
        return client;
    }

    private static void awaitRounds(ChildJvm client, long more) {
        long start = Long.parseLong(client.ask("rounds", "ROUNDS "));
        Awaitility.await()
                .pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(20))
                .until(() -> Long.parseLong(client.ask("rounds", "ROUNDS ")) >= start + more);
    }
}
