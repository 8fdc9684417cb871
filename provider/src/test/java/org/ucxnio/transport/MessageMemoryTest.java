package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.config.Config;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.fake.FakeWorker;

/** An idle connection holds no slice, whatever went over it before, and one that has ended holds nothing at all. */
@Timeout(60)
class MessageMemoryTest {
    private static final int SLAB = 8;

    /** One slab for the worker's scratch slice and a free one of each size. */
    private static final int IDLE_BYTES = SLAB * (2 * SlicePool.LARGE_BYTES + SlicePool.SMALL_BYTES);

    private static final int CONNECTIONS = 50;

    private final List<TwoSides> all = new ArrayList<>();

    private TwoSides open() throws IOException {
        TwoSides first = TwoSides.open(Processes.sharedStepped(Config.WINDOW, "128k"));
        all.add(first.switched());
        while (all.size() < CONNECTIONS) {
            all.add(first.another().switched());
        }
        return first;
    }

    /** What is left once the pool has found twice in a row what is not needed. */
    private static long trimmed(SlicePool slices) {
        slices.trim();
        slices.trim();
        return slices.bytes();
    }

    private static void readAll(TwoSides sides, int count) throws IOException {
        int read = 0;
        while (read < count) {
            byte[] bytes = Pattern.read(sides.right.source, count);
            assertThat(bytes).isEqualTo(Pattern.bytes(read, bytes.length));
            read += bytes.length;
            sides.move();
        }
    }

    @Test
    void shouldHoldNoSliceOfConnectionsThatWereRead() throws IOException {
        try (TwoSides first = open()) {
            for (TwoSides sides : all) {
                Pattern.write(sides.left.sink, 0, 100_000);
                sides.move();
            }
            assertThat(first.right.slices().bytes()).isGreaterThan(CONNECTIONS * 100_000L);

            for (TwoSides sides : all) {
                readAll(sides, 100_000);
            }

            assertThat(trimmed(first.right.slices())).isLessThanOrEqualTo(IDLE_BYTES);
            assertThat(trimmed(first.left.slices())).isLessThanOrEqualTo(IDLE_BYTES);
        }
    }

    @Test
    void shouldHoldNoSliceOfConnectionsWhoseMessagesLeft() throws IOException {
        try (TwoSides first = open()) {
            first.faults.stall();
            for (TwoSides sides : all) {
                Pattern.write(sides.left.sink, 0, 60_000);
                Pattern.write(sides.left.sink, 60_000, 60_000);
                Pattern.write(sides.left.sink, 120_000, 8_000);
            }
            assertThat(first.left.slices().bytes()).isGreaterThan(CONNECTIONS * 100_000L);
            first.faults.clear();

            for (TwoSides sides : all) {
                sides.move();
                readAll(sides, 128_000);
            }

            assertThat(trimmed(first.left.slices())).isLessThanOrEqualTo(IDLE_BYTES);
        }
    }

    /** 16 bytes must not pin 64 KiB. */
    @Test
    void shouldStageAFewBytesInASmallSlice() throws IOException {
        try (TwoSides first = open()) {
            first.faults.stall();
            for (TwoSides sides : all) {
                for (int i = 0; i < 17; i++) {
                    Pattern.write(sides.left.sink, i, 1);
                }
            }

            int slabs = CONNECTIONS / SLAB + 1;
            long scratch = CONNECTIONS * 17L * 24;
            assertThat(first.left.slices().bytes())
                    .isLessThanOrEqualTo(scratch + IDLE_BYTES + (long) slabs * SLAB * SlicePool.SMALL_BYTES);
        }
    }

    @Test
    void shouldHoldAFewUnreadBytesInASmallSlice() throws IOException {
        try (TwoSides first = open()) {
            for (TwoSides sides : all) {
                for (int i = 0; i < 100; i++) {
                    Pattern.write(sides.left.sink, i, 1);
                    sides.move();
                }
            }

            int slabs = CONNECTIONS / SLAB + 1;
            assertThat(first.right.slices().bytes())
                    .isLessThanOrEqualTo(IDLE_BYTES + (long) slabs * SLAB * SlicePool.SMALL_BYTES);
        }
    }

    @Test
    void shouldGiveBackWhatAReaderLeavesUnread() throws IOException {
        try (TwoSides first = open()) {
            for (TwoSides sides : all) {
                Pattern.write(sides.left.sink, 0, 100_000);
                sides.move();
                sides.right.source.leave(false);
            }

            assertThat(trimmed(first.right.slices())).isLessThanOrEqualTo(IDLE_BYTES);
        }
    }

    @Test
    void shouldGiveBackWhatAWriterStagedForAReaderThatLeft() throws IOException {
        try (TwoSides first = open()) {
            first.faults.stall();
            for (TwoSides sides : all) {
                Pattern.write(sides.left.sink, 0, 100_000);
            }
            first.faults.clear();
            first.faults.holdPending = true;
            for (TwoSides sides : all) {
                sides.right.source.leave(false);
            }
            first.faults.clear();
            // No longer than it takes to be rid of what UCX has.
            for (TwoSides sides : all) {
                sides.move();
            }

            assertThat(trimmed(first.left.slices())).isLessThanOrEqualTo(IDLE_BYTES);
        }
    }

    @Test
    void shouldGiveBackWhatBrokenConnectionsHeld() throws IOException {
        try (TwoSides first = open()) {
            first.faults.stall();
            for (TwoSides sides : all) {
                Pattern.write(sides.left.sink, 0, 60_000);
            }
            first.left.fake().endpoints().forEach(endpoint -> endpoint.fail(UcsStatus.ERR_CONNECTION_RESET));
            first.faults.clear();
            first.move();

            assertThat(trimmed(first.left.slices())).isLessThanOrEqualTo(IDLE_BYTES);
        }
    }

    @Test
    void shouldLeakNothingOverManyConnections() throws IOException {
        Processes processes = Processes.freshStepped();
        try (TwoSides first = TwoSides.open(processes).switched()) {
            for (int i = 0; i < 1_000; i++) {
                TwoSides next = first.another().switched();
                assertThat(next.left.id & 0xfffff).as("cycle %d", i).isEqualTo(1);
                assertThat(next.right.id & 0xfffff).as("cycle %d", i).isEqualTo(1);
                Pattern.write(next.left.sink, 0, 20_000);
                if (i % 2 == 0) {
                    next.move();
                }
                for (TwoSides.Side side : new TwoSides.Side[] {next.left, next.right}) {
                    side.sink.end(false);
                    side.source.leave(false);
                }
                next.move();
            }
        }
        assertNothingLeft(processes);
    }

    private static void assertNothingLeft(Processes processes) {
        await().until(() -> {
            processes.step();
            return processes.ucx.workers().isEmpty() && processes.ucx.openMemory() == 0;
        });
    }

    // -- a peer that dies --------------------------------------------------------------------------------------------

    /** Steps of a connection's life, one after the other. */
    private static void live(TwoSides sides, int steps) throws IOException {
        int step = 0;
        if (step++ < steps) {
            sides.joined();
        }
        if (step++ < steps) {
            sides.left.source = sides.left.lane.source(sides.left.carried);
            sides.right.source = sides.right.lane.source(sides.right.carried);
        }
        if (step++ < steps) {
            sides.left.sink = sides.left.lane.sink(sides.left.carried);
            sides.right.sink = sides.right.lane.sink(sides.right.carried);
        }
        if (step++ < steps) {
            sides.left.sink.switchAt(0);
            sides.right.sink.switchAt(0);
        }
        if (step++ < steps) {
            sides.settle();
        }
        if (step++ < steps) {
            Pattern.write(sides.right.sink, 0, 50_000);
            Pattern.write(sides.left.sink, 0, 50_000);
        }
        if (step++ < steps) {
            sides.settle();
        }
        if (step++ < steps) {
            sides.faults.stall();
            Pattern.write(sides.left.sink, 50_000, 30_000);
            Pattern.write(sides.left.sink, 80_000, 30_000);
        }
        if (step++ < steps) {
            sides.left.sink.end(false);
        }
        if (step < steps) {
            sides.left.source.leave(false);
        }
    }

    /**
     * @param steps how far the connection has come when its peer dies; its process is told by UCX, or, as between processes of one host,
     *     by the end of the socket and of the session alone
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void shouldGiveEverythingBackWheneverThePeerDies(int steps) throws IOException {
        for (boolean told : new boolean[] {false, true}) {
            Processes processes = Processes.freshStepped(Config.DRAIN, "1ms", Config.WINDOW, "256k");
            TwoSides sides = TwoSides.open(processes);
            live(sides, steps);
            FakeWorker dead = sides.right.fake();
            if (told) {
                dead.die(UcsStatus.ERR_CONNECTION_RESET);
            } else {
                // What it had received and not taken in is lost with it.
                dead.close();
            }
            sides.left.carried.tokens().end();
            sides.left.bond.end();
            sides.left.progress();
            close(sides.left, steps);
            sides.left.group.close();

            byte[] address = sides.left.worker.address();
            await().until(() -> {
                processes.step();
                return processes.ucx.workers().stream().noneMatch(worker -> Arrays.equals(worker.address(), address));
            });
            assertThat(sides.left.worker.isClosed()).isTrue();
            assertThat(sides.left.slices().bytes()).as("told %s", told).isZero();
        }
    }

    /** As a closed channel does it. */
    private static void close(TwoSides.Side side, int steps) throws IOException {
        if (side.source == null || side.sink == null) {
            side.lane.free();
            return;
        }
        if (steps < 4) {
            side.sink.retire();
        } else {
            try {
                Pattern.read(side.source, 100_000);
            } catch (SocketException e) {
                // That is how it hears of it.
            }
            if (steps < 9) {
                side.sink.end(false);
            }
        }
        if (steps < 10) {
            side.source.leave(false);
        }
    }
}
