package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
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
                .filter(setting -> setting.flavour() == Flavour.UCX)
                .toList();
    }

    @Test
    void shouldGoThroughUcxIfAndOnlyIfBothSidesCan() throws IOException {
        try (Connection connection = Connection.open(setting)) {
            Traffic before = Traffic.ofUcx();
            assertThat(before.active()).as(before.inactiveReason()).isTrue();
            var received = connection.peerStarts("read " + COUNT);
            connection.write(COUNT);
            Peer.await(received);
            var written = connection.peerStarts("write " + COUNT);
            connection.read(COUNT);
            Peer.await(written);
            expectTraffic(before, Traffic.ofUcx());
        }
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
            assertThat(ours).extracting(Thread::getName).contains("ucxnio-control", "ucxnio-poller", "ucxnio-report");
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
        int ends = setting.isAccelerated() && setting.placement() == Setting.Placement.ONE_JVM ? 2 : 1;
        long expected = (long) COUNT * ends;
        assertThat(after.ucxSent() - before.ucxSent()).isEqualTo(setting.isAccelerated() ? expected : 0);
        assertThat(after.ucxReceived() - before.ucxReceived()).isEqualTo(setting.isAccelerated() ? expected : 0);
        assertThat(after.tcpSent() - before.tcpSent()).isEqualTo(setting.isAccelerated() ? 0 : expected);
        assertThat(after.tcpReceived() - before.tcpReceived()).isEqualTo(setting.isAccelerated() ? 0 : expected);
    }
}
