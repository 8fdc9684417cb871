package org.ucxnio.it.footprint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Proc;
import org.ucxnio.it.harness.Traffic;

/** Nothing grows with the number of connections there have been, little with those there are, and idle ones cost no time. */
@Bounded
@Timeout(value = 150, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GrowthTest {
    private static final Duration LONG = Duration.ofSeconds(100);

    /** Longer than workers outlive their last connection. */
    private static final long LINGER_MS = 12_000;

    private static final int MOST_AGAIN = 4;

    /** An object of this size left behind by each cycle is found. */
    private static final long LEAK_BYTES = 100;

    private static final int MORE_MAPPINGS = 2;

    /** Longer than any timer of a closed connection runs. */
    private static final long SETTLE_MS = 8_000;

    /** Which way the connections go. */
    enum Kind {
        RINGS(Flavour.RINGS),
        MESSAGES(Flavour.UCX_MESSAGES),

        /** Through our provider, though over kernel TCP, because nobody uses them enough. */
        PLAIN(Flavour.DEFAULTS, "-Ducxnio.switch.after=1000000000");

        private final Flavour flavour;
        private final String[] flags;

        Kind(Flavour flavour, String... flags) {
            this.flavour = flavour;
            this.flags = flags;
        }
    }

    private static ChildJvm start(Kind kind) throws IOException {
        ChildJvm jvm = JvmBuilder.of(kind.flavour, CycleMain.class)
                .name("cycles")
                .flags(kind.flags)
                // What is only kept until its time is up must be gone before anything is counted.
                .property("ucxnio.drain", "500ms")
                // A heap that is resident from the start, so that growth elsewhere shows.
                .flags("-Xms96m", "-Xmx96m", "-XX:+AlwaysPreTouch")
                .arguments(Ports.free())
                .start();
        jvm.expect("READY");
        return jvm;
    }

    private static ProcessFootprint footprint(ChildJvm jvm) throws IOException {
        long heap = Long.parseLong(jvm.ask("heap", "HEAP "));
        return ProcessFootprint.of(jvm.pid(), heap);
    }

    private static void work(ChildJvm jvm, String command) {
        jvm.send(command);
        jvm.expect("DONE", LONG);
    }

    private static boolean grows(ProcessFootprint before, ProcessFootprint after, int cycles) {
        return after.heapBytes() > before.heapBytes() + LEAK_BYTES * cycles
                || after.sharedMappings() > before.sharedMappings() + MORE_MAPPINGS;
    }

    private static void expectNoGrowth(ProcessFootprint before, ProcessFootprint after, int cycles) {
        String both = before + " -> " + after + " in " + cycles + " cycles";
        System.out.println(both);
        assertThat(after.descriptors()).as(both).isLessThanOrEqualTo(before.descriptors() + 4);
        assertThat(after.threads()).as(both).isLessThanOrEqualTo(before.threads() + 4);
        assertThat(after.sharedMappings()).as(both).isLessThanOrEqualTo(before.sharedMappings() + MORE_MAPPINGS);
        assertThat(after.sharedKib()).as(both).isLessThanOrEqualTo(before.sharedKib() + 8192);
        assertThat(after.heapBytes()).as(both).isLessThanOrEqualTo(before.heapBytes() + LEAK_BYTES * cycles);
        assertThat(after.residentKib() - after.sharedKib())
                .as(both)
                .isLessThanOrEqualTo(before.residentKib() - before.sharedKib() + 24 * 1024);
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @EnumSource
    void shouldLeaveNothingOfClosedConnections(Kind kind) throws Exception {
        int cycles = 4000;
        try (ChildJvm jvm = start(kind)) {
            work(jvm, "cycles 1500");
            Thread.sleep(SETTLE_MS);
            ProcessFootprint before = footprint(jvm);
            work(jvm, "cycles " + cycles);
            Thread.sleep(SETTLE_MS);
            expectNoGrowth(before, footprint(jvm), cycles);
            Traffic traffic = Traffic.parse(Traffic.PREFIX + jvm.ask("traffic", Traffic.PREFIX));
            long bytes = 200L * (cycles + 1500);
            assertThat(traffic.sent()).isEqualTo(bytes);
            // Every connection begins as the kernel's.
            assertThat(traffic.ucxSent() > 0).isEqualTo(kind == Kind.MESSAGES);
            assertThat(traffic.tcpSent()).isGreaterThanOrEqualTo(kind == Kind.PLAIN ? bytes : 0);
            assertThat(traffic.rings() + traffic.accelerated() + traffic.plain())
                    .isZero();
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldLeaveNothingOfClosedSelectors() throws Exception {
        int cycles = 500;
        try (ChildJvm jvm = start(Kind.RINGS)) {
            work(jvm, "selectors 150");
            Thread.sleep(LINGER_MS);
            ProcessFootprint before = footprint(jvm);
            work(jvm, "selectors " + cycles);
            Thread.sleep(LINGER_MS);
            ProcessFootprint after = footprint(jvm);
            for (int again = 0; again < MOST_AGAIN && grows(before, after, cycles); again++) {
                // What is allocated once and for all comes when it comes; what each cycle leaves behind comes again.
                work(jvm, "selectors " + cycles);
                Thread.sleep(LINGER_MS);
                before = after;
                after = footprint(jvm);
            }
            expectNoGrowth(before, after, cycles);
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldNeedLittleForAnIdleConnection() throws Exception {
        int pairs = 1000;
        try (ChildJvm jvm = start(Kind.RINGS)) {
            work(jvm, "pairs 100");
            ProcessFootprint before = footprint(jvm);
            work(jvm, "pairs " + pairs);
            awaitRings(jvm, 2 * (pairs + 100));
            ProcessFootprint after = footprint(jvm);
            String both = before + " -> " + after + " for " + pairs + " pairs";
            System.out.println(both);
            long descriptors = after.descriptors() - before.descriptors();
            assertThat(descriptors).as(both).isLessThanOrEqualTo(2L * pairs + 4);
            assertThat(after.threads()).as(both).isLessThanOrEqualTo(before.threads() + 4);
            // The heap is resident from the start and counted as it is used.
            long heapKib = (after.heapBytes() - before.heapBytes()) / 1024;
            assertThat(after.residentKib() - before.residentKib() + heapKib)
                    .as(both)
                    .isLessThanOrEqualTo(64L * pairs);
        }
    }

    /** Connections move by themselves, though nobody uses them. */
    private static void awaitRings(ChildJvm jvm, int ends) {
        Awaitility.await()
                .atMost(LONG)
                .until(() -> Traffic.parse(Traffic.PREFIX + jvm.ask("traffic", Traffic.PREFIX))
                                .rings()
                        == ends);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldNotSpinWhileNothingHappens() throws Exception {
        try (ChildJvm jvm = start(Kind.RINGS)) {
            work(jvm, "idle 100");
            awaitRings(jvm, 200);
            Thread.sleep(1000);
            long elapsedFrom = System.nanoTime();
            long cpuFrom = Proc.cpuMillis(jvm.pid());
            Thread.sleep(3000);
            long cpu = Proc.cpuMillis(jvm.pid()) - cpuFrom;
            long elapsed = (System.nanoTime() - elapsedFrom) / 1_000_000;
            System.out.println("100 idle connections: " + cpu + " ms of processor time in " + elapsed + " ms");
            // One thread that spins would take all of it.
            assertThat(cpu).isLessThan(elapsed / 5);
        }
    }
}
