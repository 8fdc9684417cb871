package org.ucxnio.it.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Proc;
import org.ucxnio.it.harness.Seeds;

/**
 * Peers with many connections, in both modes and directions, are killed at any moment. Nobody else notices, and all that the survivor
 * held for them comes back. {@code -Ducxnio.it.kills=300} for more of them.
 */
@Bounded
@Timeout(value = 3000, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledInTheStormTest {
    private static final String POLL = "anon_inode:[eventpoll]";
    private static final String EVENT_FD = "anon_inode:[eventfd]";
    private static final String PIPE = "pipe:[N]";
    private static final int FRIEND = 1;
    private static final int FIRST_VICTIM = 100;
    private static final int WARM_VICTIMS = 3;
    private static final long FOR_EVER_S = 100_000;
    private static final int LONGEST_LIFE_US = 120_000;
    private static final int MORE_DESCRIPTORS = 8;

    /** Over UCX selectors have an epoll instance and an eventfd of their own from their first sleep with workers on, and the workers' poller has. */
    private static final int MORE_TO_WATCH = 6;

    /** The JDK has virtual threads that wait for sockets watched by an epoll instance for each of their carriers. */
    private static final int CARRIERS = Runtime.getRuntime().availableProcessors();

    /** The ends of a selector's bell, which it has once it has slept often. */
    private static final int PIPE_ENDS = 2;

    /** Longer than workers outlive their last connection. */
    private static final Duration LINGER = Duration.ofSeconds(30);

    @ParameterizedTest
    @EnumSource(names = {"RINGS", "UCX_MESSAGES"})
    void shouldNotDisturbOthersAndLeaveNothingBehind(Flavour flavour) throws Exception {
        Seeds.withSeed(seed -> run(flavour, Integer.getInteger("ucxnio.it.kills", 8), new SplittableRandom(seed)));
    }

    private static void run(Flavour flavour, int kills, SplittableRandom random) throws Exception {
        int port = Ports.free();
        try (StormProcess server = StormProcess.server(flavour, port, random.nextLong(), FOR_EVER_S);
                StormProcess friend = start(flavour, port, FRIEND, 12, random)) {
            Map<String, Long> descriptors = Proc.descriptorKinds(server.jvm().pid());
            friend.go();
            killMany(flavour, port, kills, random, friend);
            expectUnharmed(server, friend);
            friend.jvm().kill();
            awaitNothingLeft(server, descriptors);
        }
    }

    /** What is left at the end is seen in the stacks of the survivor. */
    private static void awaitNothingLeft(StormProcess server, Map<String, Long> descriptors) {
        long pid = server.jvm().pid();
        try {
            Awaitility.await().atMost(LINGER).untilAsserted(() -> {
                assertThat(server.stats()).endsWith(" 0");
                server.collect();
                assertThat(Proc.sharedMemoryBytes(pid)).isZero();
                expectNoMore(descriptors, Proc.descriptorKinds(pid));
            });
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(e.getMessage() + '\n' + server.jvm().evidence(), e);
        }
    }

    /** What belongs to selectors comes with their use; the rest would belong to peers. */
    private static void expectNoMore(Map<String, Long> before, Map<String, Long> now) {
        long selectors = count(now, EVENT_FD);
        assertThat(count(now, POLL, EVENT_FD))
                .as("%s", now)
                .isLessThanOrEqualTo(count(before, POLL, EVENT_FD) + MORE_TO_WATCH + CARRIERS);
        assertThat(count(now, PIPE)).as("%s", now).isLessThanOrEqualTo(count(before, PIPE) + PIPE_ENDS * selectors);
        assertThat(others(now)).as("%s", now).isLessThanOrEqualTo(others(before) + MORE_DESCRIPTORS);
    }

    private static long count(Map<String, Long> kinds, String... names) {
        return Stream.of(names).mapToLong(name -> kinds.getOrDefault(name, 0L)).sum();
    }

    private static long others(Map<String, Long> kinds) {
        return kinds.values().stream().mapToLong(Long::longValue).sum() - count(kinds, POLL, EVENT_FD, PIPE);
    }

    private static StormProcess start(Flavour flavour, int port, int name, int connections, SplittableRandom random)
            throws IOException {
        return StormProcess.client(flavour, port, name, random.nextLong(), FOR_EVER_S, connections);
    }

    private static void killMany(Flavour flavour, int port, int kills, SplittableRandom random, StormProcess friend)
            throws Exception {
        Deque<StormProcess> warm = new ArrayDeque<>();
        int started = 0;
        try {
            for (int killed = 0; killed < kills; killed++) {
                while (started < kills && warm.size() < WARM_VICTIMS) {
                    warm.add(start(flavour, port, FIRST_VICTIM + started++, 1 + random.nextInt(8), random));
                }
                long before = friend.received();
                try (StormProcess victim = warm.remove()) {
                    victim.go();
                    // One in four dies while it connects, the others with all their connections at work.
                    if (random.nextInt(4) > 0) {
                        victim.jvm().expect("STARTED");
                    }
                    TimeUnit.MICROSECONDS.sleep(random.nextLong(LONGEST_LIFE_US));
                    victim.jvm().kill();
                }
                Awaitility.await("the friend goes on")
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> friend.received() > before);
            }
        } finally {
            warm.forEach(StormProcess::close);
        }
    }

    private static void expectUnharmed(StormProcess server, StormProcess friend) {
        friend.expectHealthy();
        server.expectHealthy();
        List<String> harm = friend.complaints();
        assertThat(harm).as("of the friend: %s", harm).isEmpty();
        List<String> broken = server.complaints();
        assertThat(broken)
                .as("of the server: %s", broken)
                .allMatch(line -> line.startsWith("BROKEN "))
                .noneMatch(line -> line.startsWith("BROKEN " + FRIEND + ' '));
        System.out.println(broken.size() + " connections were broken by kills");
        assertThat(broken).isNotEmpty();
    }
}
