package org.ucxnio.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingTest {
    private static final int CONNECTION = 0x1234_5678;
    private static final int KIND = 5;

    private final RingLayout layout = RingLayout.of(RingLayout.MIN_DATA_BYTES);
    private final ByteBuffer memory = ByteBuffer.allocateDirect(layout.size()).order(ByteOrder.nativeOrder());
    private final RingWriter writer = new RingWriter(memory, layout);
    private final RingReader reader = new RingReader(memory, layout);

    private boolean write(int length, long position) throws IOException {
        int at = writer.reserve(length);
        if (at < 0) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            memory.put(at + i, (byte) (position + i));
        }
        writer.commit(CONNECTION, KIND, position);
        return true;
    }

    private void read(int length, long position) throws IOException {
        assertThat(reader.next()).isTrue();
        assertThat(reader.connection()).isEqualTo(CONNECTION);
        assertThat(reader.kind()).isEqualTo(KIND);
        assertThat(reader.length()).isEqualTo(length);
        assertThat(reader.position()).isEqualTo(position);
        for (int i = 0; i < length; i++) {
            assertThat(memory.get(reader.payload() + i)).isEqualTo((byte) (position + i));
        }
        reader.release();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16, 39, 40, 41, 64, 1000, 32_768})
    void shouldBringARecordWithItsPayload(int length) throws IOException {
        assertThat(reader.next()).isFalse();
        assertThat(write(length, 77)).isTrue();
        read(length, 77);
        assertThat(reader.next()).isFalse();
    }

    @Test
    void shouldHoldAsManyRecordsAsItHasSlots() throws IOException {
        for (int i = 0; i < layout.slots(); i++) {
            assertThat(write(8, i)).isTrue();
        }
        assertThat(write(8, 0)).isFalse();
        for (int i = 0; i < layout.slots(); i++) {
            read(8, i);
        }
        reader.publish();
        assertThat(write(8, 0)).isTrue();
    }

    @Test
    void shouldTakeTheLongestPayloadWhereverItStandsOnceItIsEmpty() throws IOException {
        for (int length = 41; length < layout.maxLength(); length += 1009) {
            assertThat(write(length, length)).isTrue();
            read(length, length);
            reader.publish();
            assertThat(write(layout.maxLength(), 1)).as("behind %d", length).isTrue();
            read(layout.maxLength(), 1);
            reader.publish();
        }
    }

    @Test
    void shouldHaveRoomAgainWithoutBeingEmptied() throws IOException {
        long written = 0;
        while (write(1000, written)) {
            written++;
        }
        for (int i = 0; i < written / 2; i++) {
            read(1000, i);
        }
        assertThat(write(1000, written)).isTrue();
    }

    @Test
    void shouldWakeTheReaderOnceForEachSleep() throws IOException {
        assertThat(reader.sleeps()).isTrue();
        writer.reserve(0);
        assertThat(writer.commit(1, 1, 1)).isTrue();
        writer.reserve(0);
        assertThat(writer.commit(1, 1, 1)).isFalse();
        assertThat(reader.sleeps()).as("there is something to read").isFalse();
    }

    @Test
    void shouldKeepEveryRecordThroughRandomUse() throws IOException {
        long seed = ThreadLocalRandom.current().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        ArrayDeque<int[]> expected = new ArrayDeque<>();
        int position = 0;
        for (int i = 0; i < 50_000; i++) {
            if (random.nextBoolean()) {
                int length = random.nextInt(4) == 0 ? random.nextInt(layout.maxLength() + 1) : random.nextInt(100);
                if (write(length, position)) {
                    expected.add(new int[] {length, position++});
                }
            } else if (!expected.isEmpty()) {
                int[] next = expected.remove();
                read(next[0], next[1]);
                if (random.nextInt(8) == 0) {
                    reader.publish();
                }
            } else {
                assertThat(reader.next()).as("seed %d", seed).isFalse();
                reader.publish();
            }
        }
    }

    @Test
    void shouldRefuseALengthThatCannotBe() throws IOException {
        write(8, 0);
        int at = layout.slotAt(0);
        memory.putInt(at + RingLayout.KIND_LENGTH, RingLayout.kindAndLength(KIND, layout.maxLength() + 1));
        assertThatThrownBy(reader::next).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE})
    void shouldRefuseCountsThatCannotBe(long lie) throws IOException {
        while (write(8, 0)) {
            // until it looks what was read
        }
        RingLayout.LONGS.setVolatile(memory, RingLayout.CONSUMED_SLOTS, lie);
        assertThatThrownBy(() -> writer.reserve(8)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldNotTakeWhatAnEarlierLapLeftForARecord() throws IOException {
        for (int lap = 0; lap < 3; lap++) {
            for (int i = 0; i < layout.slots(); i++) {
                write(40, -1);
                read(40, -1);
                assertThat(reader.next()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 65_535, 65_537, 128 << 20, -1, Integer.MIN_VALUE})
    void shouldHaveNoLayoutOfOtherSizes(int dataBytes) {
        assertThat(RingLayout.isValid(dataBytes)).isFalse();
    }
}
