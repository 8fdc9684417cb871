package org.ucxnio.it.moving;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Proc;
import org.ucxnio.it.harness.Rendezvous;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.programs.NodeMain;

/**
 * A process is killed, or stopped and then killed, at any moment around the pairing and the switch of its connections. The process at
 * the other end hears of it, goes on with everybody else, and what it held for the dead one comes back. {@code -Ducxnio.it.kills=300}
 * for more of them.
 */
@Bounded
@Timeout(value = 3000, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledAtTheSwitchTest {
    private static final int KILLS = Integer.getInteger("ucxnio.it.kills", 24);
    private static final int WARM_VICTIMS = 3;
    private static final Duration BOUND = Duration.ofSeconds(5);
    private static final int LONGEST_LIFE_US = 40_000;
    private static final long FOR_EVER = 1L << 40;
    private static final int COUNT = 50_000;
    private static final int MORE_DESCRIPTORS = 8;

    /** A connection whose peer died before its first byte may be nobody's to close. */
    private static final int MAPPINGS_OF_A_SESSION = 4;

    private Rendezvous rendezvous;
    private SplittableRandom random;
    private Node survivor;
    private Node friend;
    private int port;

    private Node start() throws IOException {
        return Node.start(JvmBuilder.of(Flavour.RINGS, NodeMain.class)
                .flags("-Xmx64m")
                .property(Rendezvous.PROPERTY, rendezvous.path()));
    }

    @ParameterizedTest
    @EnumSource
    void shouldSurviveTheDeathOfAPeer(Mode mode) throws Exception {
        Seeds.withSeed(seed -> {
            random = new SplittableRandom(seed);
            try (Rendezvous own = Rendezvous.create()) {
                rendezvous = own;
                survivor = start();
                friend = start();
                try (Node first = survivor;
                        Node second = friend) {
                    joinFriend(mode);
                    // Rings that grow take further slabs.
                    second.transfer(first, "friend", COUNT);
                    first.transfer(second, "friend", COUNT);
                    first.call("collect");
                    int descriptors = Proc.descriptors(first.jvm().pid());
                    killMany(mode);
                    second.expectQuiet();
                    assertThat(first.traffic().rings()).isEqualTo(1);
                    second.jvm().kill();
                    first.call("close friend");
                    expectNothingLeft(descriptors);
                    first.expectQuiet();
                }
            }
        });
    }

    /** A healthy peer of the survivor, which goes on all the time. */
    private void joinFriend(Mode mode) throws Exception {
        port = Ports.free();
        survivor.call("listen l 127.0.0.1 " + port);
        friend.call("connect friend 127.0.0.1 " + port + " " + mode + " 5");
        survivor.call("accept friend l " + mode + " 5");
        survivor.awaitRings(1);
        friend.awaitRings(1);
    }

    private void killMany(Mode mode) throws Exception {
        Deque<Node> warm = new ArrayDeque<>();
        int started = 0;
        try {
            for (int killed = 0; killed < KILLS; killed++) {
                while (started < KILLS && warm.size() < WARM_VICTIMS) {
                    warm.add(start());
                    started++;
                }
                try (Node victim = warm.remove()) {
                    killOne(victim, "v" + killed, mode);
                }
                friend.transfer(survivor, "friend", COUNT);
                survivor.transfer(friend, "friend", COUNT);
            }
        } finally {
            warm.forEach(Node::close);
        }
    }

    private void killOne(Node victim, String name, Mode mode) throws Exception {
        boolean connects = random.nextBoolean();
        boolean isStopped = random.nextInt(3) == 0;
        int connections = 1 + random.nextInt(3);
        int victimsPort = connects ? port : Ports.free();
        Node server = connects ? survivor : victim;
        Node client = connects ? victim : survivor;
        if (!connects) {
            victim.call("listen l 127.0.0.1 " + victimsPort);
        }
        // What comes before the first connection, such as the loading of classes, is not what this is about; only
        // sometimes.
        if (random.nextInt(4) > 0) {
            warmUp(server, client, victimsPort, name, mode);
        }
        List<CompletableFuture<String>> accepts = new ArrayList<>();
        List<CompletableFuture<String>> ends = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            accepts.add(begin(server, client, victimsPort, name + i, mode, ends));
        }
        TimeUnit.MICROSECONDS.sleep(random.nextInt(LONGEST_LIFE_US));
        if (isStopped) {
            victim.jvm().signal("STOP");
            // Nobody else is held up meanwhile.
            friend.transfer(survivor, "friend", COUNT);
            TimeUnit.MICROSECONDS.sleep(random.nextInt(10 * LONGEST_LIFE_US));
        }
        victim.jvm().kill();
        if (connects) {
            endAccepts(accepts, mode);
        }
        for (CompletableFuture<String> end : ends) {
            try {
                survivor.awaitEnd(end, BOUND);
            } catch (AssertionError e) {
                throw new AssertionError("victim alive: " + victim.jvm().isAlive() + "\n" + survivor.report(), e);
            }
        }
        for (int i = 0; i < connections; i++) {
            survivor.awaitEnd(survivor.start("close " + name + i), BOUND);
        }
    }

    /** A victim may have died before it connected: somebody else's connections come instead, and go at once. */
    private void endAccepts(List<CompletableFuture<String>> accepts, Mode mode) throws Exception {
        for (int i = 0; i < accepts.size(); i++) {
            friend.call("connect filler 127.0.0.1 " + port + " " + mode + " 7");
            friend.call("close filler");
        }
        for (CompletableFuture<String> accept : accepts) {
            survivor.awaitEnd(accept, BOUND);
        }
        survivor.call("drain l");
    }

    private static void warmUp(Node server, Node client, int port, String name, Mode mode) throws Exception {
        client.call("connect " + name + " 127.0.0.1 " + port + " " + mode + " 7");
        server.call("accept " + name + " l " + mode + " 7");
        client.transfer(server, name, 100);
        client.call("close " + name);
        server.call("close " + name);
    }

    /**
     * Opens a connection and has both ends read and write for as long as they can; adds what the survivor does.
     *
     * @return when it is accepted
     */
    private CompletableFuture<String> begin(
            Node server, Node client, int port, String name, Mode mode, List<CompletableFuture<String>> survivors) {
        List<CompletableFuture<String>> opened = List.of(
                client.start("connect " + name + " 127.0.0.1 " + port + " " + mode + " 7"),
                server.start("accept " + name + " l " + mode + " 7"));
        int doing = random.nextInt(3);
        for (int i = 0; i < opened.size(); i++) {
            Node node = i == 0 ? client : server;
            CompletableFuture<String> open = opened.get(i);
            CompletableFuture<String> reading =
                    doing == 0 ? open : open.thenCompose(ready -> node.start("readToEnd " + name));
            CompletableFuture<String> writing =
                    doing == 1 ? open : open.thenCompose(ready -> node.start("write " + name + " " + FOR_EVER));
            if (node == survivor) {
                survivors.add(reading);
                survivors.add(writing);
            }
        }
        return opened.get(1);
    }

    private void expectNothingLeft(int descriptors) throws Exception {
        // Who listens next tidies up what the dead have left.
        try (Node next = start()) {
            next.call("listen l 127.0.0.1 " + Ports.free());
            rendezvous.awaitNoLeftovers();
        }
        Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            survivor.call("collect");
            assertThat(Proc.descriptors(survivor.jvm().pid())).isLessThanOrEqualTo(descriptors + MORE_DESCRIPTORS);
            assertThat(Proc.sharedMappings(survivor.jvm().pid())).isLessThanOrEqualTo(MAPPINGS_OF_A_SESSION);
            assertThat(survivor.traffic().rings()).isLessThanOrEqualTo(1);
        });
    }
}
