package org.ucxnio.it.footprint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Proc;
import org.ucxnio.it.programs.Churn;
import org.ucxnio.it.programs.EchoServer;

/** Thousands of connections come and go and leave nothing behind, at either end. */
@Bounded
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChurnTest {
    /** Until everything is loaded, compiled and pooled. */
    private static final int WARM_UP_BATCHES = 3;

    /** Until connections move, where they do: what rings and foreign functions take comes with that. */
    private static final int MOST_WARM_UP_BATCHES = 30;

    private static final long MOVED_BYTES = 512 << 10;

    private static final int BATCHES = 5;
    private static final long MORE_KIB = 16 << 10;
    private static final long MORE_SHARED_BYTES = 8 << 20;
    private static final int MORE_DESCRIPTORS = 20;
    private static final int MORE_THREADS = 5;

    private static final String[] FIXED_HEAP = {"-Xms48m", "-Xmx48m", "-XX:+AlwaysPreTouch", "-XX:TieredStopAtLevel=1"};

    /** What a process holds. */
    private record Holdings(int descriptors, int threads, long residentKib, long sharedBytes) {
        /**
         * Without what only waits for a collection, as the server has a direct buffer for each connection, and without what is free: the allocator keeps
         * some of it by chance, 20 MiB in some runs, with any provider.
         */
        static Holdings of(ChildJvm jvm) throws IOException {
            jvm.ask("collect", "COLLECTED");
            return new Holdings(
                    Proc.descriptors(jvm.pid()),
                    Proc.threads(jvm.pid()),
                    Proc.residentKib(jvm.pid()),
                    Proc.sharedMemoryBytes(jvm.pid()));
        }

        boolean isNotMuchMoreThan(Holdings before) {
            return descriptors <= before.descriptors + MORE_DESCRIPTORS
                    && threads <= before.threads + MORE_THREADS
                    && residentKib <= before.residentKib + MORE_KIB
                    && sharedBytes <= before.sharedBytes + MORE_SHARED_BYTES;
        }
    }

    @ParameterizedTest
    @CsvSource({"JDK, SELECTOR", "RINGS, BLOCKING", "RINGS, SELECTOR", "UCX_MESSAGES, SELECTOR"})
    void shouldLeaveNothingBehind(Flavour flavour, Mode mode) throws Exception {
        int port = Ports.free();
        try (ChildJvm server = sparing(flavour, EchoServer.class)
                .arguments("127.0.0.1", port, mode)
                .start()) {
            server.expect("LISTENING");
            try (ChildJvm client =
                    sparing(flavour, Churn.class).arguments(port, mode).start()) {
                client.expect("READY");
                warmUp(server, client, flavour);
                Holdings ofServer = Holdings.of(server);
                Holdings ofClient = Holdings.of(client);
                for (int batch = 0; batch < BATCHES; batch++) {
                    churn(client);
                }
                expectNotMuchMore(server, ofServer);
                expectNotMuchMore(client, ofClient);
                assertThat(server.errorLines()).noneMatch(line -> line.contains(" UCX  "));
                assertThat(client.errorLines()).noneMatch(line -> line.contains(" UCX  "));
            }
        }
    }

    /** One whose memory does not grow but for what it holds. */
    private static JvmBuilder sparing(Flavour flavour, Class<?> program) {
        return JvmBuilder.of(flavour, program).flags(FIXED_HEAP).environment("MALLOC_ARENA_MAX", "1");
    }

    private static void warmUp(ChildJvm server, ChildJvm client, Flavour flavour) throws IOException {
        for (int batch = 0; batch < MOST_WARM_UP_BATCHES && flavour.isOurs() && !hasMoved(server); batch++) {
            churn(client);
        }
        for (int batch = 0; batch < WARM_UP_BATCHES; batch++) {
            churn(client);
        }
    }

    private static boolean hasMoved(ChildJvm jvm) throws IOException {
        return Proc.sharedMemoryBytes(jvm.pid()) >= MOVED_BYTES;
    }

    private static void churn(ChildJvm client) {
        client.send("batch");
        client.expect("CHURNED", Duration.ofSeconds(60));
    }

    /** Closing may go on for a moment in the background. */
    private static void expectNotMuchMore(ChildJvm jvm, Holdings before) {
        Awaitility.await().atMost(Duration.ofSeconds(15)).untilAsserted(() -> {
            Holdings now = Holdings.of(jvm);
            assertThat(now.isNotMuchMoreThan(before))
                    .as("%s: %s after %s", jvm, now, before)
                    .isTrue();
        });
    }
}
