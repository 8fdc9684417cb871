package org.ucxnio.it.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.harness.Traffic;

/** Two hosts of which at least one has no reason to trust the other: ordinary TCP, and the report says why. */
class PlainAcrossHostsTest extends TwoHosts {
    private static final long COUNT = 1 << 20;
    private static final String TOO_OLD = "no session with the peer: libucx before 1.14 on the network";

    /** Moves bytes both ways and checks that none went through UCX, and that the client knows the reason. */
    private static void expectPlain(Node server, Node client, Mode mode, String clientReason) throws Exception {
        Seeds.withSeed(seed -> {
            int port = listen(server);
            connect(server, client, port, "c", mode, seed);
            client.transfer(server, "c", COUNT);
            server.transfer(client, "c", COUNT);
            for (Node node : new Node[] {server, client}) {
                Traffic traffic = node.traffic();
                assertThat(traffic.active()).as(traffic.inactiveReason()).isTrue();
                assertThat(traffic.fastSent()).isZero();
                assertThat(traffic.fastReceived()).isZero();
                assertThat(traffic.tcpSent()).isEqualTo(COUNT);
                assertThat(traffic.tcpReceived()).isEqualTo(COUNT);
                assertThat(traffic.plain()).isEqualTo(1);
                assertThat(traffic.accelerated()).isZero();
                node.expectQuiet();
            }
            // The client asks for a session meanwhile, which fails.
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(client.report()).containsPattern("(?m)^ *" + clientReason + " +1 open"));
            // Who accepts on the plain port cannot know what its peer tried before.
            assertThat(server.report()).containsPattern("(?m)^ +.*1 open$");
        });
    }

    /** Both share a directory to meet in, as all processes of these tests do. That is for processes of one network only. */
    @ParameterizedTest
    @EnumSource
    void shouldBePlainByDefault(Mode mode) throws Exception {
        try (Node server = Node.start(onServer());
                Node client = Node.start(onClient())) {
            expectPlain(server, client, mode, NOT_TRUSTED);
            assertThat(client.report()).containsPattern("(?m)^other hosts +plain TCP: no network is trusted");
            assertThat(client.traffic().lanes()).noneMatch(lane -> lane.contains("tcp"));
        }
    }

    @Test
    void shouldBePlainWhenOnlyTheClientTrusts() throws Exception {
        try (Node server = Node.start(onServer());
                Node client = Node.start(overUcx(onClient(), NetworkLab.SUBNET))) {
            expectPlain(server, client, Mode.BLOCKING, ".+");
        }
    }

    @Test
    void shouldBePlainWhenOnlyTheServerTrusts() throws Exception {
        try (Node server = Node.start(overUcx(onServer(), NetworkLab.SUBNET));
                Node client = Node.start(onClient())) {
            expectPlain(server, client, Mode.BLOCKING, NOT_TRUSTED);
        }
    }

    @Test
    void shouldBePlainWhenTheClientIsInAnotherNetworkThanTheServerTrusts() throws Exception {
        try (Node server = Node.start(overUcx(onServer(), "10.214.0.0/16,192.168.0.0/16"));
                Node client = Node.start(overUcx(onClient(), NetworkLab.SUBNET))) {
            expectPlain(server, client, Mode.SELECTOR, ".+");
        }
    }

    @Test
    void shouldBePlainWhenTheServerIsInAnotherNetworkThanTheClientTrusts() throws Exception {
        try (Node server = Node.start(overUcx(onServer(), NetworkLab.SUBNET));
                Node client = Node.start(overUcx(onClient(), "10.213.8.0/24"))) {
            expectPlain(server, client, Mode.SELECTOR, NOT_TRUSTED);
        }
    }

    @Test
    void shouldBePlainWhereUcxHasNoTransportBetweenHosts() throws Exception {
        try (Node server = Node.start(overUcx(onServer(), NetworkLab.SUBNET));
                Node client =
                        Node.start(overUcx(onClient(), NetworkLab.SUBNET).property("ucxnio.tls", "nosuchtransport"))) {
            expectPlain(server, client, Mode.BLOCKING, NOT_TRUSTED);
            assertThat(client.report()).contains("plain TCP: UCX finds no transport among ucxnio.tls=nosuchtransport");
        }
    }

    @Test
    void shouldBePlainWhenTheClientHasALibraryTooOldForNetworks() throws Exception {
        try (Node server = Node.start(overUcx(onServer(), NetworkLab.SUBNET));
                Node client = Node.start(withSystemLibrary(onClient()))) {
            requireOldLibrary(client);
            expectPlain(server, client, Mode.BLOCKING, TOO_OLD);
        }
    }

    @Test
    void shouldBePlainWhenTheServerHasALibraryTooOldForNetworks() throws Exception {
        try (Node server = Node.start(withSystemLibrary(onServer()));
                Node client = Node.start(overUcx(onClient(), NetworkLab.SUBNET))) {
            requireOldLibrary(server);
            expectPlain(server, client, Mode.BLOCKING, TOO_OLD);
        }
    }

    private static JvmBuilder withSystemLibrary(JvmBuilder builder) {
        return builder.property("ucxnio.tls", "tcp").property("ucxnio.trust", NetworkLab.SUBNET);
    }

    private static void requireOldLibrary(Node node) throws InterruptedException {
        String report = node.report();
        if (!report.matches("(?s).*\nUCX +1\\.1[0-3]\\..*")) {
            Skips.skip("the libucx of this system is none before 1.14: "
                    + report.lines().filter(line -> line.startsWith("UCX")).findFirst());
        }
    }
}
