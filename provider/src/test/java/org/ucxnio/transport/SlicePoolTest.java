package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.ucxnio.ucx.UcxContextOptions;
import org.ucxnio.ucx.fake.FakeUcx;

class SlicePoolTest {
    private static final int SLICES_PER_SLAB = 8;
    private static final int SMALL_SLAB = SlicePool.SMALL_BYTES * SLICES_PER_SLAB;
    private static final int LARGE_SLAB = SlicePool.LARGE_BYTES * SLICES_PER_SLAB;

    private final FakeUcx ucx = new FakeUcx();
    private final SlicePool pool = new SlicePool(ucx.openContext(new UcxContextOptions("pool", Map.of())));

    private List<Slice> take(int count, int bytes) throws IOException {
        List<Slice> slices = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            slices.add(pool.take(bytes));
        }
        return slices;
    }

    @Test
    void shouldHoldNoMemoryBeforeItsFirstUse() {
        assertThat(pool.bytes()).isZero();
        assertThat(ucx.openMemory()).isZero();
    }

    @Test
    void shouldGiveSmallSlicesForWhatFitsAndLargeOnesForTheRest() throws IOException {
        assertThat(pool.take(1).capacity).isEqualTo(SlicePool.SMALL_BYTES);
        assertThat(pool.take(SlicePool.SMALL_BYTES).capacity).isEqualTo(SlicePool.SMALL_BYTES);
        assertThat(pool.take(SlicePool.SMALL_BYTES + 1).capacity).isEqualTo(SlicePool.LARGE_BYTES);
        assertThat(pool.take(10 * SlicePool.LARGE_BYTES).capacity).isEqualTo(SlicePool.LARGE_BYTES);
        assertThat(pool.bytes()).isEqualTo(SMALL_SLAB + LARGE_SLAB);
    }

    @Test
    void shouldGiveSlicesThatDoNotOverlap() throws IOException {
        List<Slice> slices = take(3 * SLICES_PER_SLAB, 100);
        for (Slice slice : slices) {
            for (int i = 0; i < slice.capacity; i++) {
                slice.buffer.put(slice.base + i, (byte) slice.id);
            }
        }
        for (Slice slice : slices) {
            for (int i = 0; i < slice.capacity; i++) {
                assertThat(slice.buffer.get(slice.base + i)).isEqualTo((byte) slice.id);
            }
        }
    }

    @Test
    void shouldFindEachSliceByItsId() throws IOException {
        List<Slice> slices = take(20, 100);
        slices.addAll(take(20, SlicePool.LARGE_BYTES));

        Set<Integer> ids = new HashSet<>();
        for (Slice slice : slices) {
            assertThat(ids.add(slice.id)).isTrue();
            assertThat(pool.byId(slice.id)).isSameAs(slice);
        }
    }

    @Test
    void shouldGiveTheSliceThatCameBackLastFirst() throws IOException {
        Slice first = pool.take(1);
        Slice second = pool.take(1);
        pool.give(first);
        pool.give(second);

        assertThat(pool.take(1)).isSameAs(second);
        assertThat(pool.take(1)).isSameAs(first);
    }

    @Test
    void shouldResetASliceThatIsUsedAgain() throws IOException {
        Slice slice = pool.take(1);
        slice.read = 5;
        slice.write = 9;
        slice.pending = 1;
        slice.detached = true;
        slice.next = pool.take(1);
        pool.give(slice);

        Slice again = pool.take(1);

        assertThat(again).isSameAs(slice);
        assertThat(again.readable()).isZero();
        assertThat(again.space()).isEqualTo(again.capacity);
        assertThat(again.pending).isZero();
        assertThat(again.detached).isFalse();
        assertThat(again.next).isNull();
    }

    @Test
    void shouldKeepSlabsThatAreNeededAgainAndAgain() throws IOException {
        for (int round = 0; round < 5; round++) {
            take(5 * SLICES_PER_SLAB, 1).forEach(pool::give);
            assertThat(ucx.openMemory()).isEqualTo(5);
            pool.trim();
            assertThat(ucx.openMemory()).as("needed since the last trim").isEqualTo(5);
        }
    }

    @Test
    void shouldReleaseSlabsThatWereNotNeededSinceTheLastTrimButForOne() throws IOException {
        take(5 * SLICES_PER_SLAB, 1).forEach(pool::give);
        pool.trim();
        take(2 * SLICES_PER_SLAB, 1).forEach(pool::give);

        pool.trim();
        assertThat(pool.bytes()).isEqualTo(2 * SMALL_SLAB);

        pool.trim();
        assertThat(pool.bytes()).isEqualTo(SMALL_SLAB);
        assertThat(ucx.openMemory()).isEqualTo(1);
    }

    @Test
    void shouldKeepASlabWhileOneOfItsSlicesIsOut() throws IOException {
        List<Slice> slices = take(3 * SLICES_PER_SLAB, 1);
        Slice last = slices.remove(0);
        slices.forEach(pool::give);
        pool.trim();
        pool.trim();

        assertThat(pool.bytes()).isEqualTo(SMALL_SLAB);
        assertThat(pool.byId(last.id)).isSameAs(last);
    }

    @Test
    void shouldUseTheNumbersOfReleasedSlabsAgain() throws IOException {
        for (int round = 0; round < 50; round++) {
            List<Slice> slices = take(4 * SLICES_PER_SLAB, 1);
            assertThat(slices).allMatch(slice -> slice.id < 4 * SLICES_PER_SLAB);
            slices.forEach(pool::give);
            pool.trim();
            pool.trim();
        }
    }

    @Test
    void shouldNotHandOutSlicesOfAReleasedSlab() throws IOException {
        take(3 * SLICES_PER_SLAB, 1).forEach(pool::give);
        pool.trim();
        pool.trim();

        for (Slice slice : take(3 * SLICES_PER_SLAB, 1)) {
            assertThat(pool.byId(slice.id)).isSameAs(slice);
        }
        assertThat(ucx.openMemory()).isEqualTo(3);
    }

    @Test
    void shouldFreeEverythingWhenItIsClosed() throws IOException {
        List<Slice> slices = take(20, 1);
        slices.addAll(take(2, SlicePool.LARGE_BYTES));

        pool.close();

        assertThat(ucx.openMemory()).isZero();
        assertThat(pool.bytes()).isZero();
        slices.forEach(pool::give);
        assertThatThrownBy(() -> pool.take(1)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldHoldNoMoreThanWhatIsOutThroughRandomUse() throws IOException {
        long seed = ThreadLocalRandom.current().nextLong();
        Random random = new Random(seed);
        Map<Integer, Slice> out = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            int limit = random.nextInt(100);
            if (out.size() < limit) {
                Slice slice = pool.take(random.nextInt(2 * SlicePool.SMALL_BYTES));
                assertThat(out.put(slice.id, slice))
                        .as("seed %d: an id that is out", seed)
                        .isNull();
            } else if (!out.isEmpty()) {
                int id = out.keySet().iterator().next();
                assertThat(pool.byId(id)).as("seed %d", seed).isSameAs(out.get(id));
                pool.give(out.remove(id));
            }
            if (random.nextInt(100) == 0) {
                pool.trim();
            }
        }
        out.values().forEach(pool::give);
        pool.trim();
        pool.trim();
        assertThat(pool.bytes()).as("seed %d", seed).isLessThanOrEqualTo(SMALL_SLAB + LARGE_SLAB);
    }
}
