package org.ucxnio.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Locations;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.KafkaBroker;
import org.ucxnio.it.programs.KafkaUser;

/** A Kafka node, which is its own controller, and Kafka's clients. */
@Bounded
class KafkaTest {
    private static final int RECORDS = 100_000;

    /** The values are 120 bytes long on average. */
    private static final long LEAST_BYTES = RECORDS * 100L;

    @TempDir
    private Path dataDirectory;

    @ParameterizedTest
    @EnumSource(names = {"BOTH_ACCELERATED", "PLAIN_CLIENT"})
    void shouldKeepRecords(Sides sides) throws Exception {
        int port = Ports.free();
        try (ChildJvm broker = JvmBuilder.of(sides.server, KafkaBroker.class)
                .classPath(Locations.app("kafka"))
                .flags("-Xmx512m")
                .arguments(port, Ports.free(), dataDirectory)
                .start()) {
            broker.expect("LISTENING");
            try (ChildJvm user = JvmBuilder.of(sides.client, KafkaUser.class)
                    .classPath(Locations.app("kafka"))
                    .arguments(port, RECORDS)
                    .start()) {
                user.expect("DONE");
                expectTraffic(sides, broker);
                assertThat(user.crashReport()).isEmpty();
            }
            assertThat(broker.isAlive()).isTrue();
            assertThat(broker.crashReport()).isEmpty();
        }
    }

    /** The broker is asked: the user has closed its connections, and the broker's own one to its controller is accelerated. */
    private static void expectTraffic(Sides sides, ChildJvm broker) {
        Traffic traffic = Traffic.parse(Traffic.PREFIX + broker.ask("traffic", Traffic.PREFIX));
        assertThat(traffic.ringSent()).as("%s", traffic).isPositive();
        if (sides == Sides.BOTH_ACCELERATED) {
            Sides.expectRings(traffic, broker, LEAST_BYTES);
        } else {
            assertThat(traffic.tcpSent()).as("%s", traffic).isGreaterThan(LEAST_BYTES);
            assertThat(traffic.tcpReceived()).as("%s", traffic).isGreaterThan(LEAST_BYTES);
        }
    }
}
