package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.config.Config;

/** An idle connection holds no slice, whatever went over it before. */
@Timeout(60)
class MemoryTest {
    private static final int SLAB = 8;

    /** One slab for the worker's scratch slice and a free one of each size. */
    private static final int IDLE_BYTES = SLAB * (2 * SlicePool.LARGE_BYTES + SlicePool.SMALL_BYTES);

    private static final int CONNECTIONS = 50;

    private final List<TwoSides> all = new ArrayList<>();

    private void open(int count) throws IOException {
        TwoSides first = TwoSides.open(Config.WINDOW, "128k").bound();
        all.add(first);
        while (all.size() < count) {
            all.add(first.another().bound());
        }
        first.left.worker().lock();
        first.right.worker().lock();
    }

    private void close() {
        TwoSides first = all.get(0);
        first.faults.clear();
        first.right.worker().unlock();
        first.left.worker().unlock();
        all.forEach(TwoSides::close);
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
            byte[] bytes = Pattern.read(sides.right.connection, count);
            assertThat(bytes).isEqualTo(Pattern.bytes(read, bytes.length));
            read += bytes.length;
            sides.settle();
        }
    }

    @Test
    void shouldHoldNoSliceOfConnectionsThatWereRead() throws IOException {
        open(CONNECTIONS);
        try {
            for (TwoSides sides : all) {
                Pattern.write(sides.left.connection, 0, 100_000);
                sides.settle();
            }
            assertThat(all.get(0).right.slices().bytes()).isGreaterThan(CONNECTIONS * 100_000L);

            for (TwoSides sides : all) {
                readAll(sides, 100_000);
            }

            assertThat(trimmed(all.get(0).right.slices())).isLessThanOrEqualTo(IDLE_BYTES);
            assertThat(trimmed(all.get(0).left.slices())).isLessThanOrEqualTo(IDLE_BYTES);
        } finally {
            close();
        }
    }

    @Test
    void shouldHoldNoSliceOfConnectionsWhoseMessagesLeft() throws IOException {
        open(CONNECTIONS);
        try {
            all.get(0).faults.stall();
            for (TwoSides sides : all) {
                Pattern.write(sides.left.connection, 0, 60_000);
                Pattern.write(sides.left.connection, 60_000, 60_000);
                Pattern.write(sides.left.connection, 120_000, 8_000);
            }
            assertThat(all.get(0).left.slices().bytes()).isGreaterThan(CONNECTIONS * 100_000L);
            all.get(0).faults.clear();

            for (TwoSides sides : all) {
                sides.settle();
                readAll(sides, 128_000);
            }

            assertThat(trimmed(all.get(0).left.slices())).isLessThanOrEqualTo(IDLE_BYTES);
        } finally {
            close();
        }
    }

    /** 16 bytes must not pin 64 KiB. */
    @Test
    void shouldStageAFewBytesInASmallSlice() throws IOException {
        open(CONNECTIONS);
        try {
            all.get(0).faults.stall();
            for (TwoSides sides : all) {
                for (int i = 0; i < 17; i++) {
                    Pattern.write(sides.left.connection, i, 1);
                }
            }

            int slabs = CONNECTIONS / SLAB + 1;
            long scratch = CONNECTIONS * 17L * 24;
            assertThat(all.get(0).left.slices().bytes())
                    .isLessThanOrEqualTo(scratch + IDLE_BYTES + (long) slabs * SLAB * SlicePool.SMALL_BYTES);
        } finally {
            close();
        }
    }

    @Test
    void shouldHoldAFewUnreadBytesInASmallSlice() throws IOException {
        open(CONNECTIONS);
        try {
            for (TwoSides sides : all) {
                for (int i = 0; i < 100; i++) {
                    Pattern.write(sides.left.connection, i, 1);
                    sides.settle();
                }
            }

            int slabs = CONNECTIONS / SLAB + 1;
            assertThat(all.get(0).right.slices().bytes())
                    .isLessThanOrEqualTo(IDLE_BYTES + (long) slabs * SLAB * SlicePool.SMALL_BYTES);
        } finally {
            close();
        }
    }

    @Test
    void shouldGiveBackTheSlicesOfBrokenConnections() throws IOException {
        open(CONNECTIONS);
        try {
            all.get(0).faults.stall();
            for (TwoSides sides : all) {
                Pattern.write(sides.left.connection, 0, 60_000);
            }
            for (TwoSides sides : all) {
                sides.left.connection.reset();
            }
            all.get(0).faults.clear();
            for (int i = 0; i < 20; i++) {
                // What was written before the reset is still delivered.
                all.get(0).progress();
            }

            assertThat(trimmed(all.get(0).left.slices())).isLessThanOrEqualTo(IDLE_BYTES);
        } finally {
            close();
        }
    }

    @Test
    void shouldLeakNothingOverManyConnections() throws IOException {
        Processes processes = Processes.fresh();
        try (TwoSides first = TwoSides.open(processes).bound()) {
            for (int i = 0; i < 2_000; i++) {
                try (TwoSides next = first.another().bound()) {
                    Pattern.write(next.left.connection, 0, 20_000);
                    if (i % 2 == 0) {
                        next.right.connection.close();
                    }
                    next.left.connection.close();
                    next.settle();
                    next.right.connection.close();
                    next.settle();
                    assertThat(next.left.control.isClosed()).as("cycle %d", i).isTrue();
                    assertThat(next.right.control.isClosed()).as("cycle %d", i).isTrue();
                }
            }
        }
        await().until(() -> processes.ucx.workers().isEmpty() && processes.ucx.openMemory() == 0);
    }
}
