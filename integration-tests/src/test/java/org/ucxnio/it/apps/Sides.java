package org.ucxnio.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.Traffic;

/** Whose provider the server and the client use, and what follows for where the bytes go. */
enum Sides {
    BOTH_PLAIN(Flavour.JDK, Flavour.JDK),
    BOTH_ACCELERATED(Flavour.UCX, Flavour.UCX),
    PLAIN_SERVER(Flavour.JDK, Flavour.UCX),
    PLAIN_CLIENT(Flavour.UCX, Flavour.JDK);

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

    private void expectTraffic(ChildJvm jvm, Flavour flavour, long leastBytes) {
        Traffic traffic = Traffic.parse(Traffic.PREFIX + jvm.ask("traffic", Traffic.PREFIX));
        if (flavour == Flavour.JDK) {
            assertThat(traffic.active()).isFalse();
        } else if (this == BOTH_ACCELERATED) {
            assertThat(traffic.active()).as(traffic.inactiveReason()).isTrue();
            assertThat(traffic.ucxSent()).as("%s of %s", traffic, jvm).isGreaterThanOrEqualTo(leastBytes);
            assertThat(traffic.ucxReceived()).as("%s of %s", traffic, jvm).isGreaterThanOrEqualTo(leastBytes);
            assertThat(traffic.tcpSent()).as("%s of %s", traffic, jvm).isLessThan(leastBytes);
            assertThat(traffic.tcpReceived()).as("%s of %s", traffic, jvm).isLessThan(leastBytes);
            // Lanes may go when the last connection over them does.
            assertThat(traffic.accelerated() == 0 || !traffic.lanes().isEmpty())
                    .as("%s of %s", traffic, jvm)
                    .isTrue();
        } else {
            assertThat(traffic.active()).as(traffic.inactiveReason()).isTrue();
            assertThat(traffic.ucxSent()).as("%s of %s", traffic, jvm).isZero();
            assertThat(traffic.ucxReceived()).as("%s of %s", traffic, jvm).isZero();
            assertThat(traffic.tcpSent()).as("%s of %s", traffic, jvm).isGreaterThanOrEqualTo(leastBytes);
            assertThat(traffic.tcpReceived()).as("%s of %s", traffic, jvm).isGreaterThanOrEqualTo(leastBytes);
        }
    }

    /** The child must have ended well: no crash, nothing on standard error that speaks of an error. */
    static void expectQuiet(ChildJvm child) {
        assertThat(child.crashReport()).isEmpty();
        assertThat(child.errorLines())
                .noneMatch(line -> line.contains("Exception") || line.contains("SEVERE") || line.contains("WARNING"));
    }
}
