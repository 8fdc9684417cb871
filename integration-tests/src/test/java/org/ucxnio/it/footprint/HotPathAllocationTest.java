package org.ucxnio.it.footprint;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.footprint.AllocationMain.Waiting;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.EchoServer;

/**
 * Every way to wait, over rings. What is measured are all bytes the JVM allocates on the heap for the thread
 * that reads, writes and selects over {@value AllocationMain#ROUNDS} round trips, the frames of the application included. The
 * best of up to {@value AllocationMain#BATCHES} batches counts: the JVM itself allocates for a thread now and then, while it compiles
 * or links; a call that allocates does so in every batch.
 */
@Bounded
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HotPathAllocationTest {
    /** An iterator; the compiler may or may not do without it. */
    private static final long ITERATOR_BYTES = 48;

    /** What the JDK's own locks allocate where two of them are contended in each round trip. */
    private static final long WHEN_SLEEPING_BYTES = 64;

    /** A batch takes a second or so on a machine that has nothing else to do. */
    private static final Duration BATCH_PATIENCE = Duration.ofSeconds(60);

    private static Stream<Arguments> settings() {
        return Stream.of(Waiting.values())
                .flatMap(waiting -> Stream.of(
                        Arguments.of(waiting, "direct", 64, Mode.BLOCKING),
                        Arguments.of(waiting, "heap", 30_000, Mode.SELECTOR)));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void shouldAllocateNothingWhileItNeedNotSleep(Waiting waiting, String buffers, int length, Mode server)
            throws Exception {
        // An iterator is the application's wish for an object; one for each selection is what it costs.
        long allowed = waiting == Waiting.SELECT_AND_ITERATE ? ITERATOR_BYTES : 0;
        expectNoMoreThan(allowed * AllocationMain.ROUNDS, "spin", waiting, buffers, length, server);
    }

    private static Stream<Arguments> sleepingSettings() {
        List<Waiting> sleeping = List.of(Waiting.BLOCKING_READ, Waiting.SELECT, Waiting.SELECT_WITH_TIMEOUT);
        return settings().filter(arguments -> sleeping.contains(arguments.get()[0]));
    }

    @ParameterizedTest
    @MethodSource("sleepingSettings")
    void shouldAllocateNoMoreThanContendedLocksDoWhenItSleeps(Waiting waiting, String buffers, int length, Mode server)
            throws Exception {
        expectNoMoreThan(WHEN_SLEEPING_BYTES * AllocationMain.ROUNDS, "adaptive", waiting, buffers, length, server);
    }

    /** Bytes in a batch. */
    private static void expectNoMoreThan(
            long allowed, String wait, Waiting waiting, String buffers, int length, Mode serverMode) throws Exception {
        int port = Ports.free();
        try (ChildJvm server = JvmBuilder.of(Flavour.RINGS, EchoServer.class)
                .arguments("127.0.0.1", port, serverMode)
                .start()) {
            server.expect("LISTENING");
            // The optimising compiler, as users run it.
            try (ChildJvm client = JvmBuilder.of(Flavour.RINGS, AllocationMain.class)
                    .flags("-XX:TieredStopAtLevel=4")
                    .property("ucxnio.wait", wait)
                    .arguments(port, waiting, buffers, length, allowed)
                    .start()) {
                List<Long> allocated = new ArrayList<>();
                do {
                    allocated.add(Long.valueOf(client.expect(AllocationMain.ALLOCATED, BATCH_PATIENCE)));
                } while (allocated.size() < AllocationMain.BATCHES && Collections.min(allocated) > allowed);
                Traffic traffic = Traffic.parse(Traffic.PREFIX + client.expect(Traffic.PREFIX));
                System.out.println(wait + " " + waiting + " " + buffers + " " + length
                        + ": bytes allocated in batches of " + AllocationMain.ROUNDS + " round trips: " + allocated);
                long bytes = (long) (AllocationMain.WARM_UP + allocated.size()) * AllocationMain.ROUNDS * length;
                assertThat(traffic.sent()).isGreaterThanOrEqualTo(bytes);
                assertThat(traffic.ringSent()).isGreaterThanOrEqualTo(bytes / 2);
                assertThat(Collections.min(allocated)).as(allocated.toString()).isLessThanOrEqualTo(allowed);
            }
        }
    }
}
