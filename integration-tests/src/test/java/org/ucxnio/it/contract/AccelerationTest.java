package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Peer;
import org.ucxnio.it.harness.Traffic;

/** The other tests of this suite would prove little if their connections were not accelerated where they should be. */
@Bounded
@ParameterizedClass(allowZeroInvocations = true)
@MethodSource("ofOurs")
class AccelerationTest {
    private static final int COUNT = 300_000;

    @Parameter
    private Setting setting;

    static List<Setting> ofOurs() {
        return Setting.all().stream()
                .filter(setting -> setting.flavour().isOurs())
                .toList();
    }

    @Test
    void shouldGoWhereTheBytesOfSuchAPairGo() throws Exception {
        try (Connection connection = Connection.open(setting)) {
            if (setting.pairing().hasMoved()) {
                awaitMoved(connection);
            }
            Traffic before = Traffic.ofOurs();
            assertThat(before.active()).as(before.inactiveReason()).isTrue();
            exchange(connection, COUNT);
            expectTraffic(before, Traffic.ofOurs());
        }
    }

    /** However a connection begins, it has moved in the end, if both sides are for it. */
    @Test
    void shouldMoveInTheEnd() throws Exception {
        Assumptions.assumeTrue(
                setting.pairing().name().matches("RINGS|RINGS_MOVING|RINGS_LATER|UCX_MESSAGES|UCX_MESSAGES_MOVING"));
        try (Connection connection = Connection.open(setting)) {
            awaitMoved(connection);
        }
    }

    /** Until both ends write past the kernel: the far end of another JVM moves when it comes to it, unseen from here. */
    private static void awaitMoved(Connection connection) {
        Awaitility.await().pollInterval(Duration.ofMillis(1)).untilAsserted(() -> {
            Traffic before = Traffic.ofOurs();
            exchange(connection, 100);
            Traffic after = Traffic.ofOurs();
            assertThat(after.tcpSent()).isEqualTo(before.tcpSent());
            assertThat(after.tcpReceived()).isEqualTo(before.tcpReceived());
        });
    }

    private static void exchange(Connection connection, int count) throws IOException {
        var received = connection.peerStarts("read " + count);
        connection.write(count);
        Peer.await(received);
        var written = connection.peerStarts("write " + count);
        connection.read(count);
        Peer.await(written);
    }

    /** A thread dump tells which threads are the provider's, and none of them keeps a JVM alive. */
    @Test
    void shouldHaveItsThreadsNamedAndDaemons() throws IOException {
        try (Connection connection = Connection.open(setting)) {
            var sent = connection.peerStarts("read 100");
            connection.write(100);
            Peer.await(sent);
            Map<Thread, StackTraceElement[]> threads = Thread.getAllStackTraces();
            List<Thread> ours = threads.keySet().stream()
                    .filter(thread -> isOurs(threads.get(thread)))
                    .toList();
            assertThat(ours).extracting(Thread::getName).contains("ucxnio-report");
            assertThat(ours)
                    .allSatisfy(thread -> assertThat(thread.getName()).startsWith("ucxnio-"))
                    .allMatch(Thread::isDaemon);
        }
    }

    /** Whether the provider's code is where the thread began. */
    private static boolean isOurs(StackTraceElement[] stack) {
        return Stream.of(stack)
                .map(StackTraceElement::getClassName)
                .filter(name -> !name.startsWith("java."))
                .reduce((inner, outer) -> outer)
                .filter(name -> name.startsWith("org.ucxnio.") && !name.startsWith("org.ucxnio.it."))
                .isPresent();
    }

    private void expectTraffic(Traffic before, Traffic after) {
        // With both ends in this JVM each byte is sent and received here.
        long expected = (long) COUNT * (setting.placement() == Setting.Placement.ONE_JVM ? 2 : 1);
        long rings = setting.pairing() == Setting.Pairing.RINGS ? expected : 0;
        long ucx = setting.pairing() == Setting.Pairing.UCX_MESSAGES ? expected : 0;
        assertThat(after.sent() - before.sent()).isEqualTo(expected);
        assertThat(after.received() - before.received()).isEqualTo(expected);
        if (!setting.pairing().name().matches("RINGS_MOVING|RINGS_LATER|UCX_MESSAGES_MOVING")) {
            assertThat(after.ucxSent() - before.ucxSent()).isEqualTo(ucx);
            assertThat(after.ucxReceived() - before.ucxReceived()).isEqualTo(ucx);
            assertThat(after.ringSent() - before.ringSent()).isEqualTo(rings);
            assertThat(after.ringReceived() - before.ringReceived()).isEqualTo(rings);
        }
    }
}
