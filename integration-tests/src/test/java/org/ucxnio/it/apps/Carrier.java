package org.ucxnio.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.Traffic;

/** What has to carry the bytes of a process, by its provider and those of the processes that it talks to. */
enum Carrier {
    /** The JDK's provider, which counts nothing. */
    UNCOUNTED,
    TCP,
    RINGS,
    BOTH;

    static Carrier between(Flavour own, Flavour... others) {
        if (!own.isOurs()) {
            return UNCOUNTED;
        }
        boolean plain = Stream.of(others).anyMatch(other -> !other.isOurs());
        boolean ours = Stream.of(others).anyMatch(Flavour::isOurs);
        if (plain) {
            return ours ? BOTH : TCP;
        }
        return RINGS;
    }

    /**
     * Checks that bytes went where they should.
     *
     * @param leastBytes that went to and came from processes of each provider that it talks to
     */
    void expect(ChildJvm jvm, long leastBytes) {
        Traffic traffic = Traffic.parse(Traffic.PREFIX + jvm.ask("traffic", Traffic.PREFIX));
        assertThat(traffic.active()).as("%s of %s", traffic, jvm).isEqualTo(this != UNCOUNTED);
        if (this == TCP) {
            assertThat(traffic.fastSent() + traffic.fastReceived())
                    .as("%s of %s", traffic, jvm)
                    .isZero();
        }
        if (this == RINGS || this == BOTH) {
            // Some bytes go over TCP until connections have moved.
            assertThat(traffic.ringSent() + traffic.ringReceived())
                    .as("%s of %s", traffic, jvm)
                    .isGreaterThan(leastBytes / 4);
        }
        if (this == TCP || this == BOTH) {
            assertThat(traffic.tcpSent() + traffic.tcpReceived())
                    .as("%s of %s", traffic, jvm)
                    .isGreaterThan(leastBytes);
        }
    }
}
