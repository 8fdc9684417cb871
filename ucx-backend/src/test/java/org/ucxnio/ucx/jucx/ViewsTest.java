package org.ucxnio.ucx.jucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.posix.ffm.LibC;
import org.ucxnio.posix.ffm.Raw;

class ViewsTest {
    private static final long GIGABYTE = 1L << 30;
    private static final long FIRST_PAGE = 4096;

    /** Buffers that are remembered by a view; one more takes the place of another. */
    private static final int CACHED = 16;

    /** What was asked for, in place of buffers over it. */
    private static final class Asked implements Views.Maker {
        private final List<Long> starts = new ArrayList<>();
        private final List<Long> sizes = new ArrayList<>();

        @Override
        public ByteBuffer make(long address, long sizeBytes) {
            starts.add(address);
            sizes.add(sizeBytes);
            return ByteBuffer.allocate(0);
        }

        long lastStart() {
            return starts.get(starts.size() - 1);
        }
    }

    private final Asked asked = new Asked();
    private final Views views = new Views(asked);

    static LongStream addresses() {
        return LongStream.of(
                FIRST_PAGE,
                FIRST_PAGE + 1,
                GIGABYTE - 1,
                GIGABYTE,
                GIGABYTE + 1,
                2 * GIGABYTE - 1,
                2 * GIGABYTE,
                5 * GIGABYTE + 12_345,
                // Above what an int holds of gigabytes, and the last byte of a process.
                (1L << 62) + 7,
                0x7fff_ffff_ffffL);
    }

    @ParameterizedTest
    @MethodSource("addresses")
    void shouldBeginAtTheGigabyteThatAnAddressLiesIn(long address) {
        ByteBuffer buffer = views.at(address);
        assertThat(buffer).isNotNull();
        assertThat(buffer.order()).isEqualTo(ByteOrder.nativeOrder());
        assertThat(asked.lastStart()).isEqualTo(Math.max(FIRST_PAGE, address / GIGABYTE * GIGABYTE));
        assertThat(asked.lastStart() + Views.index(address)).isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 1000})
    void shouldHoldTheLongestMessageWhereverItBegins(long gigabytes) {
        for (long address : new long[] {gigabytes * GIGABYTE - 1, gigabytes * GIGABYTE}) {
            views.at(address);
            long size = asked.sizes.get(asked.sizes.size() - 1);
            assertThat((long) Views.index(address) + Views.LONGEST).isLessThanOrEqualTo(size);
        }
    }

    @Test
    void shouldReadAMessageThatCrossesAGigabyte() {
        int around = 64;
        long size = GIGABYTE + 2 * around;
        long memory = LibC.map(size);
        assumeTrue(memory != 0, "no address space of a gigabyte");
        try {
            // Nothing but the two pages beside the boundary is ever touched.
            long boundary = (memory + around + GIGABYTE - 1) / GIGABYTE * GIGABYTE;
            for (int i = -around; i < around; i++) {
                Raw.putByte(boundary + i, (byte) (i * 3));
            }
            // Java itself makes no buffer of the very largest size, as JNI does.
            Views real = new Views((address, length) -> Raw.buffer(address, (int) length - 8));
            for (int before = 0; before <= around; before++) {
                byte[] expected = Raw.bytes(boundary - before, around);
                byte[] read = new byte[around];
                real.at(boundary - before).get(Views.index(boundary - before), read);
                assertThat(read).as(before + " bytes before the boundary").isEqualTo(expected);
            }
        } finally {
            LibC.unmap(memory, size);
        }
    }

    @Test
    void shouldMakeABufferOnceForAGigabyte() {
        ByteBuffer first = views.at(3 * GIGABYTE);
        assertThat(views.at(3 * GIGABYTE + 1)).isSameAs(first);
        assertThat(views.at(4 * GIGABYTE - 1)).isSameAs(first);
        assertThat(views.at(4 * GIGABYTE)).isNotSameAs(first);
        assertThat(views.at(3 * GIGABYTE)).isSameAs(first);
        assertThat(asked.starts).containsExactly(3 * GIGABYTE, 4 * GIGABYTE);
    }

    @Test
    void shouldKeepTheBuffersOfNeighbours() {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < CACHED; i++) {
                views.at((100 + i) * GIGABYTE);
            }
        }
        assertThat(asked.starts).hasSize(CACHED);
    }

    @Test
    void shouldReplaceTheBufferOfAGigabyteInTheSamePlace() {
        ByteBuffer near = views.at(GIGABYTE);
        ByteBuffer far = views.at((1 + CACHED) * GIGABYTE);
        assertThat(far).isNotSameAs(near);
        assertThat(views.at((1 + CACHED) * GIGABYTE + 5)).isSameAs(far);
        assertThat(views.at(GIGABYTE + 5)).isNotSameAs(far);
        assertThat(asked.starts).containsExactly(GIGABYTE, (1 + CACHED) * GIGABYTE, GIGABYTE);
    }
}
