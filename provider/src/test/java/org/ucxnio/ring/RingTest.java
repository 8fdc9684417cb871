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
        assertThat(reader.position()).isEqualTo((int) position);
        for (int i = 0; i < length; i++) {
            assertThat(memory.get(reader.payload() + i)).isEqualTo((byte) (position + i));
        }
        reader.release();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16, 47, 48, 49, 64, 1000, 32_768})
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
        int read = 0;
        while (!reader.isPublishDue()) {
            read(1000, read++);
        }
        assertThat(read).isLessThan((int) written / 2);
        reader.publish();
        assertThat(write(1000, written)).isTrue();
    }

    @Test
    void shouldWakeTheReaderOnceForEachSleep() throws IOException {
        assertThat(writer.readerSleeps()).isFalse();
        assertThat(reader.sleeps()).isTrue();
        writer.reserve(0);
        writer.commit(1, 1, 1);
        assertThat(writer.readerSleeps()).isTrue();
        assertThat(writer.wake()).isTrue();
        assertThat(writer.readerSleeps()).isFalse();
        assertThat(writer.wake()).isFalse();
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
        memory.putLong(layout.slotAt(0), RingLayout.commit(0, KIND, layout.maxLength() + 1));
        assertThatThrownBy(reader::next).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE})
    void shouldRefuseCountsThatCannotBe(long lie) throws IOException {
        fill();
        RingLayout.LONGS.setVolatile(memory, RingLayout.CONSUMED_SLOTS, lie);
        assertThatThrownBy(() -> writer.reserve(8)).isInstanceOf(IOException.class);
    }

    private void fill() throws IOException {
        while (write(8, 0)) {
            // until there is no room
        }
    }

    @Test
    void shouldWakeTheWriterThatWaitsForRoom() throws IOException {
        fill();
        assertThat(writer.wantRoom()).isFalse();
        int read = 0;
        boolean told = false;
        while (!told) {
            read(8, 0);
            read++;
            told = reader.publish();
        }
        assertThat(read).isLessThanOrEqualTo(layout.slots() / 2);
        assertThat(write(8, 0)).isTrue();
        fill();
        while (reader.next()) {
            reader.release();
            assertThat(reader.publish()).as("nobody asked").isFalse();
        }
    }

    @Test
    void shouldSayWhereRoomWasMadeBeforeItWasWanted() throws IOException {
        fill();
        for (int i = 0; i < layout.slots(); i++) {
            read(8, 0);
        }
        reader.publish();
        assertThat(writer.wantRoom()).isTrue();
    }

    // -- records that grow -------------------------------------------------------------------------------------------

    private boolean add(int length, long position) {
        int at = writer.reserveMore(CONNECTION, length);
        if (at < 0) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            memory.put(at + i, (byte) (position + i));
        }
        writer.commitMore(length);
        return true;
    }

    private void begin(int length, long position) throws IOException {
        int at = writer.reserve(length);
        for (int i = 0; i < length; i++) {
            memory.put(at + i, (byte) (position + i));
        }
        writer.commit(CONNECTION, RingLayout.GROWING_KIND, position);
    }

    private void readPart(int length, long position, boolean first) throws IOException {
        assertThat(reader.isEmpty()).isFalse();
        assertThat(reader.next()).isTrue();
        assertThat(reader.length()).isEqualTo(length);
        assertThat(reader.position()).isEqualTo((int) position);
        assertThat(reader.isFirst()).isEqualTo(first);
        for (int i = 0; i < length; i++) {
            assertThat(memory.get(reader.payload() + i)).isEqualTo((byte) (position + i));
        }
        reader.release();
    }

    @Test
    void shouldReadARecordAsFarAsItHasGrown() throws IOException {
        begin(10, 100);
        readPart(10, 100, true);
        assertThat(reader.isEmpty()).isTrue();
        assertThat(reader.next()).isFalse();
        assertThat(add(7, 110)).isTrue();
        assertThat(add(3, 117)).isTrue();
        readPart(10, 110, false);
        assertThat(reader.next()).isFalse();
        assertThat(add(5, 120)).isTrue();
        begin(8, 125);
        readPart(5, 120, false);
        readPart(8, 125, true);
        assertThat(reader.next()).isFalse();
        assertThat(add(40, 133)).isTrue();
        readPart(40, 133, false);
        assertThat(add(1, 173)).as("the line is full").isFalse();
    }

    @Test
    void shouldReadAGrownRecordAtOnceWhenItComesLate() throws IOException {
        begin(10, 0);
        add(10, 10);
        add(10, 20);
        readPart(30, 0, true);
    }

    @Test
    void shouldLetOnlyTheLastRecordOfTheSameConnectionGrow() throws IOException {
        assertThat(add(1, 0)).as("there is no record").isFalse();
        begin(10, 0);
        assertThat(writer.reserveMore(CONNECTION + 1, 1)).isNegative();
        assertThat(writer.reserveMore(CONNECTION, 39)).isNegative();
        assertThat(writer.reserveMore(CONNECTION, Integer.MAX_VALUE)).isNegative();
        write(10, 10);
        assertThat(add(1, 20)).as("it is of a kind that does not grow").isFalse();
        begin(49, 0);
        assertThat(add(1, 49)).as("its payload lies elsewhere").isFalse();
    }

    @Test
    void shouldHaveRoomForAllSlotsButTheOneThatMayGrow() throws IOException {
        for (int lap = 0; lap < 5; lap++) {
            int written = 0;
            while (writer.reserve(48) >= 0) {
                writer.commit(CONNECTION, RingLayout.GROWING_KIND, 0);
                written++;
            }
            assertThat(written).isGreaterThanOrEqualTo(layout.slots() * 3 / 4 - 1);
            while (reader.next()) {
                reader.release();
            }
            reader.publish();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 0, 49, 1 << 20})
    void shouldRefuseAGrowthThatCannotBe(int length) throws IOException {
        begin(10, 0);
        readPart(10, 0, true);
        memory.putLong(layout.slotAt(0), RingLayout.commit(0, RingLayout.GROWING_KIND, length));
        assertThatThrownBy(reader::next).isInstanceOf(IOException.class);
    }

    @Test
    void shouldNotTakeWhatAnEarlierLapLeftForARecord() throws IOException {
        for (int lap = 0; lap < 3; lap++) {
            for (int i = 0; i < layout.slots(); i++) {
                write(40, -1);
                read(40, -1);
                assertThat(reader.next()).isFalse();
                reader.publish();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 65_535, 65_537, 128 << 20, -1, Integer.MIN_VALUE})
    void shouldHaveNoLayoutOfOtherSizes(int dataBytes) {
        assertThat(RingLayout.isValid(dataBytes)).isFalse();
    }
}
