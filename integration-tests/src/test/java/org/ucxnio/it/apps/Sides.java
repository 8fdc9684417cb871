package org.ucxnio.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import org.awaitility.Awaitility;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.Traffic;

/** Whose provider the server and the client use, and what follows for where the bytes go. */
enum Sides {
    BOTH_PLAIN(Flavour.JDK, Flavour.JDK),
    BOTH_ACCELERATED(Flavour.RINGS, Flavour.RINGS),
    PLAIN_SERVER(Flavour.JDK, Flavour.RINGS),
    PLAIN_CLIENT(Flavour.RINGS, Flavour.JDK);

    final Flavour server;
    final Flavour client;

    Sides(Flavour server, Flavour client) {
        this.server = server;
        this.client = client;
    }

    /** Checks that at least so many bytes went each way, and that they went where they should. */
    void expectTraffic(ChildJvm serverJvm, ChildJvm clientJvm, long leastBytes) {
        expectTraffic(serverJvm, server, leastBytes);
        expectTraffic(clientJvm, client, leastBytes);
    }

    /** Waits for so much traffic of programs that go on until they are told to end. */
    void awaitTraffic(ChildJvm serverJvm, ChildJvm clientJvm, long leastBytes) {
        Awaitility.await()
                .atMost(ChildJvm.PATIENCE)
                .untilAsserted(() -> expectTraffic(serverJvm, clientJvm, leastBytes));
    }

    /** As {@link #expectTraffic}, wherever accelerated processes sent their bytes. */
    void expectEither(ChildJvm serverJvm, ChildJvm clientJvm, long leastBytes) {
        if (this == BOTH_ACCELERATED) {
            expectSome(traffic(serverJvm), serverJvm, leastBytes);
            expectSome(traffic(clientJvm), clientJvm, leastBytes);
        } else {
            expectTraffic(serverJvm, clientJvm, leastBytes);
        }
    }

    private static Traffic traffic(ChildJvm jvm) {
        return Traffic.parse(Traffic.PREFIX + jvm.ask("traffic", Traffic.PREFIX));
    }

    private void expectTraffic(ChildJvm jvm, Flavour flavour, long leastBytes) {
        Traffic traffic = traffic(jvm);
        if (flavour == Flavour.JDK) {
            assertThat(traffic.active()).isFalse();
        } else if (this == BOTH_ACCELERATED) {
            expectRings(traffic, jvm, leastBytes);
        } else {
            assertThat(traffic.active()).as(traffic.inactiveReason()).isTrue();
            assertThat(traffic.fastSent()).as("%s of %s", traffic, jvm).isZero();
            assertThat(traffic.fastReceived()).as("%s of %s", traffic, jvm).isZero();
            assertThat(traffic.tcpSent()).as("%s of %s", traffic, jvm).isGreaterThanOrEqualTo(leastBytes);
            assertThat(traffic.tcpReceived()).as("%s of %s", traffic, jvm).isGreaterThanOrEqualTo(leastBytes);
        }
    }

    /** Some bytes go over TCP until connections have moved; how many, depends on how fast they come. */
    static void expectRings(Traffic traffic, ChildJvm jvm, long leastBytes) {
        expectSome(traffic, jvm, leastBytes);
        assertThat(traffic.ringSent() + traffic.ringReceived())
                .as("%s of %s", traffic, jvm)
                .isGreaterThan(leastBytes / 4);
    }

    private static void expectSome(Traffic traffic, ChildJvm jvm, long leastBytes) {
        assertThat(traffic.active()).as(traffic.inactiveReason()).isTrue();
        assertThat(traffic.sent()).as("%s of %s", traffic, jvm).isGreaterThanOrEqualTo(leastBytes);
        assertThat(traffic.received()).as("%s of %s", traffic, jvm).isGreaterThanOrEqualTo(leastBytes);
    }

    /** The child must have ended well: no crash, nothing on standard error that speaks of an error. */
    static void expectQuiet(ChildJvm child) {
        assertThat(child.crashReport()).isEmpty();
        assertThat(child.errorLines())
                .noneMatch(line -> line.contains("Exception") || line.contains("SEVERE") || line.contains("WARNING"));
    }
}
