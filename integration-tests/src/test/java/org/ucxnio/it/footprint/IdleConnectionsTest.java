package org.ucxnio.it.footprint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Proc;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.IdleEnds;

/**
 * What many idle connections between two processes cost both of them together. {@code -Ducxnio.it.idle=10000} opens as many; that takes
 * 10,100 descriptors a process.
 */
@Bounded
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IdleConnectionsTest {
    private static final int CONNECTIONS = Integer.getInteger("ucxnio.it.idle", 1000);

    /** 256 MiB for 10,000. */
    private static final long KIB_EACH = 26;

    /** Code that is compiled, classes that are loaded, stacks that deepen while connections are opened. */
    private static final long MORE_KIB = 12 << 10;

    /**
     * Memory of workers that grows; five for a further worker in each process, for a connection that moves before it is registered with the
     * selector; and three for a report's socket and selector that a busy machine has come to late.
     */
    private static final int MORE_DESCRIPTORS = 4 + 2 * (5 + 3);

    /** The heap is resident from the start and counted as it is used. */
    private static final String[] FIXED_HEAP = {"-Xms160m", "-Xmx160m", "-XX:+AlwaysPreTouch"};

    /** What the two processes hold together; shared memory is counted once. */
    private record Holdings(long residentKib, long heapKib, int descriptors) {
        static Holdings of(List<ChildJvm> jvms) throws IOException {
            long resident = 0;
            long heap = 0;
            int descriptors = 0;
            for (ChildJvm jvm : jvms) {
                heap += Long.parseLong(jvm.ask("heap", "HEAP ")) >> 10;
                resident += proportionalKib(jvm.pid());
                descriptors += Proc.descriptors(jvm.pid());
            }
            return new Holdings(resident, heap, descriptors);
        }

        long kib() {
            return residentKib + heapKib;
        }
    }

    private static long proportionalKib(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "smaps_rollup"))) {
            if (line.startsWith("Pss:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new IOException("No Pss for process " + pid);
    }

    @ParameterizedTest
    @EnumSource(names = {"RINGS", "UCX_MESSAGES"})
    void shouldCostLittle(Flavour flavour) throws Exception {
        int port = Ports.free();
        try (ChildJvm server = start(flavour, "server", port);
                ChildJvm client = start(flavour, "client", port)) {
            List<ChildJvm> both = List.of(server, client);
            client.ask("open 1", "OPENED");
            // What the first one brings with it, such as a worker.
            awaitMoved(both, 1);
            Holdings before = Holdings.of(both);
            client.send("open");
            client.expect("OPENED", Duration.ofSeconds(150));
            awaitMoved(both, CONNECTIONS + 1);
            Holdings after = Holdings.of(both);
            String text = flavour + ": " + before + " -> " + after + " for " + CONNECTIONS + " connections, "
                    + (after.kib() - before.kib()) / 1024 + " MiB";
            System.out.println(text);
            assertThat(after.kib() - before.kib()).as(text).isLessThanOrEqualTo(KIB_EACH * CONNECTIONS + MORE_KIB);
            assertThat(after.descriptors() - before.descriptors())
                    .as(text)
                    .isBetween(2 * CONNECTIONS, 2 * CONNECTIONS + MORE_DESCRIPTORS);
        }
    }

    private static void awaitMoved(List<ChildJvm> jvms, int connections) {
        for (ChildJvm jvm : jvms) {
            Awaitility.await().atMost(ChildJvm.PATIENCE).until(() -> moved(jvm) == connections);
        }
    }

    /** Connections that are not over TCP any more. */
    private static int moved(ChildJvm jvm) {
        Traffic traffic = Traffic.parse(Traffic.PREFIX + jvm.ask("traffic", Traffic.PREFIX));
        return traffic.rings() + traffic.accelerated();
    }

    private static ChildJvm start(Flavour flavour, String role, int port) throws IOException {
        ChildJvm jvm = JvmBuilder.of(flavour, IdleEnds.class)
                .name(role)
                .flags(FIXED_HEAP)
                .arguments(role, port, CONNECTIONS)
                .start();
        jvm.expect("READY");
        return jvm;
    }
}
