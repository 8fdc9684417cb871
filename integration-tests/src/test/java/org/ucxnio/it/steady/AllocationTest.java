package org.ucxnio.it.steady;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.EchoServer;

/**
 * The thread that reads, writes and selects on an accelerated connection allocates nothing on the heap in steady state. What
 * is measured are all bytes the JVM allocates for that thread over {@value AllocationMain#ROUNDS} round trips, the calls of
 * the application included. The best of {@value AllocationMain#BATCHES} batches counts: the JVM itself allocates now and
 * then for the thread, while it compiles or links; a call that allocates does so in every batch.
 */
@Bounded
class AllocationTest {
    /** An object with a few fields; the JIT compiler may or may not do without it. */
    private static final long ITERATOR_BYTES = 48;

    private static Stream<Arguments> settings() {
        return Stream.of(AllocationMain.Waiting.values())
                .flatMap(waiting -> Stream.of("direct", "heap").flatMap(buffers -> Stream.of(
                        Arguments.of(waiting, buffers, 64, Mode.BLOCKING),
                        Arguments.of(waiting, buffers, 30_000, Mode.SELECTOR))));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void shouldNotAllocate(AllocationMain.Waiting waiting, String buffers, int length, Mode serverMode)
            throws Exception {
        int port = Ports.free();
        try (ChildJvm server = JvmBuilder.of(Flavour.UCX, EchoServer.class)
                .arguments("127.0.0.1", port, serverMode)
                .start()) {
            server.expect("LISTENING");
            try (ChildJvm client = JvmBuilder.of(Flavour.UCX, AllocationMain.class)
                    .flags("-XX:TieredStopAtLevel=4")
                    .arguments(port, waiting, buffers, length)
                    .start()) {
                List<Long> allocated = new ArrayList<>();
                for (int i = 0; i < AllocationMain.BATCHES; i++) {
                    allocated.add(Long.valueOf(client.expect(AllocationMain.ALLOCATED)));
                }
                Traffic traffic = Traffic.parse(Traffic.PREFIX + client.expect(Traffic.PREFIX));
                System.out.println(waiting + " " + buffers + " " + length + ": bytes allocated in batches of "
                        + AllocationMain.ROUNDS + " round trips: " + allocated);
                assertThat(traffic.ucxSent()).isEqualTo(2L * AllocationMain.BATCHES * AllocationMain.ROUNDS * length);
                // An iterator is the application's wish for an object; one for each selection is what it costs.
                long allowed = waiting == AllocationMain.Waiting.SELECT_AND_ITERATE
                        ? 2 * AllocationMain.ROUNDS * ITERATOR_BYTES
                        : 0;
                assertThat(Collections.min(allocated)).as(allocated.toString()).isLessThanOrEqualTo(allowed);
            }
        }
    }
}
