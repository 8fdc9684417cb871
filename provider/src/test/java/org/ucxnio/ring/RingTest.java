package org.ucxnio.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RingTest {
    private static final int SMALL = 4 << 10;

    private final ByteBuffer memory = memory(SMALL);
    private final RingOut out = new RingOut(new Block(0, 0, memory));
    private final RingIn in = new RingIn(memory);

    private static ByteBuffer memory(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    private static ByteBuffer bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (seed + i * 31 + (i >> 8));
        }
        return ByteBuffer.wrap(bytes);
    }

    private static long write(RingOut ring, ByteBuffer... sources) throws IOException {
        long count = 0;
        for (ByteBuffer source : sources) {
            count += source.remaining();
        }
        return ring.write(sources, 0, sources.length, count);
    }

    private static byte[] readAll(RingIn ring) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(8 << 20);
        ring.read(new ByteBuffer[] {target}, 0, 1, false);
        byte[] read = new byte[target.position()];
        target.flip().get(read);
        return read;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 55, 56, 57, 63, 64, 65, 100, 255, 256, 257, 700, 704, 705, 1000, 2000})
    void shouldCarryAMessageOfAnyLength(int length) throws IOException {
        for (int round = 0; round < 100; round++) {
            ByteBuffer message = bytes(length, round);
            assertThat(write(out, message)).isEqualTo(length);
            assertThat(in.hasRecord()).isTrue();
            assertThat(readAll(in)).isEqualTo(message.array());
            assertThat(in.hasRecord()).isFalse();
            in.publish();
        }
    }

    /** Files and buffers by turns, of any length, until they have been in all places of the ring, and more of a file is wanted than there is. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldReadFilesToWhereBuffersAreCopied(long seed, @TempDir Path directory) throws IOException {
        ByteBuffer stream = bytes(100_000, (int) seed);
        ByteBuffer read = ByteBuffer.allocate(100_000);
        Random random = new Random(seed);
        int files = 0;
        try (FileChannel file = FileChannel.open(Files.write(directory.resolve("file"), stream.array()))) {
            while (read.hasRemaining()) {
                int most = Math.min(1 + random.nextInt(random.nextBoolean() ? 100 : 3000), stream.remaining());
                if (random.nextBoolean()) {
                    int count = out.writeFile(file, stream.position(), most);
                    assertThat(count).isBetween(0, most);
                    stream.position(stream.position() + count);
                    files += count > 0 ? 1 : 0;
                    assertThat(out.writeFile(file, stream.capacity() - 1, 2)).isZero();
                    assertThat(out.writeFile(file, stream.capacity(), 2)).isZero();
                } else {
                    ByteBuffer part = stream.slice(stream.position(), most);
                    stream.position(stream.position() + (int) write(out, part));
                }
                if (random.nextBoolean()) {
                    in.read(new ByteBuffer[] {read}, 0, 1, false);
                    in.publish();
                }
            }
        }
        assertThat(read.array()).isEqualTo(stream.array());
        assertThat(files).isGreaterThan(10);
    }

    @Test
    void shouldTakeWhatFitsAndGoOnOnceThereIsRoom() throws IOException {
        ByteBuffer message = bytes(100_000, 1);
        ByteBuffer read = ByteBuffer.allocate(100_000);
        int rounds = 0;
        while (read.hasRemaining()) {
            long count = write(out, message);
            assertThat(count > 0 || !message.hasRemaining())
                    .as("round %d", rounds++)
                    .isTrue();
            assertThat(write(out, message)).isZero();
            in.read(new ByteBuffer[] {read}, 0, 1, false);
            in.publish();
        }
        assertThat(read.array()).isEqualTo(message.array());
    }

    @Test
    void shouldWriteAWholeBufferOrNothing() throws IOException {
        Random random = new Random(5);
        ByteBuffer read = ByteBuffer.allocate(SMALL);
        int refused = 0;
        for (int round = 0; round < 10_000; round++) {
            ByteBuffer message = bytes(random.nextInt(900), round);
            int length = message.remaining();
            int written = out.writeWhole(message);
            assertThat(written).isIn(0, length);
            assertThat(message.position()).isEqualTo(written);
            if (written < length) {
                refused++;
                assertThat(write(out, message)).as("round %d", round).isEqualTo(length);
            }
            // In two goes, as a record may be longer than what is left of a buffer.
            read.clear().limit(random.nextInt(length + 1));
            int first = in.read(read, false);
            assertThat(in.read(read.limit(SMALL), false)).isEqualTo(length - first);
            assertThat(read.flip()).isEqualTo(message.flip());
            in.publish();
        }
        assertThat(refused).isBetween(1, 9_999);
    }

    @Test
    void shouldReadIntoOneBufferWhatItReadsIntoSeveral() throws IOException {
        write(out, bytes(10, 1));
        out.writeUrgent((byte) 99);
        write(out, bytes(300, 2));
        out.end(false);
        ByteBuffer read = ByteBuffer.allocate(SMALL);
        assertThat(in.read(read, false)).isEqualTo(310);
        assertThat(in.read(read, false)).isZero();
        assertThat(in.isAtEnd()).isTrue();
        assertThat(read.flip().limit(10)).isEqualTo(bytes(10, 1));
        assertThat(read.limit(310).position(10)).isEqualTo(bytes(300, 2));
    }

    @Test
    void shouldGatherAndScatter() throws IOException {
        ByteBuffer[] sources = {bytes(3, 1), bytes(0, 1), bytes(500, 2), bytes(1, 3), bytes(40, 4)};
        assertThat(write(out, sources)).isEqualTo(544);
        ByteBuffer[] targets = {ByteBuffer.allocate(2), ByteBuffer.allocate(0), ByteBuffer.allocate(542)};
        assertThat(in.read(targets, 0, 3, false)).isEqualTo(544);
        ByteBuffer joined = ByteBuffer.allocate(544);
        for (ByteBuffer source : sources) {
            joined.put(source.flip());
        }
        assertThat(ByteBuffer.allocate(544)
                        .put(targets[0].flip())
                        .put(targets[2].flip())
                        .array())
                .isEqualTo(joined.array());
    }

    @Test
    void shouldKeepRoomForTheLastRecord() throws IOException {
        while (write(out, bytes(1, 0)) == 1) {
            // until it is full
        }
        assertThat(out.hasRoom()).isFalse();
        out.end(false);
        assertThat(readAll(in)).isNotEmpty();
        assertThat(in.isAtEnd()).isTrue();
        assertThat(in.isReadable(false)).isTrue();
    }

    @Test
    void shouldPassOverUrgentBytesUnlessTheyAreWanted() throws IOException {
        assertThat(out.writeUrgent((byte) 7)).isTrue();
        assertThat(in.isReadable(false)).isFalse();
        assertThat(in.isReadable(true)).isTrue();
        write(out, bytes(2, 1));
        assertThat(in.isReadable(false)).isTrue();
        assertThat(in.available(100, false)).isEqualTo(2);
        assertThat(in.available(100, true)).isEqualTo(3);
        assertThat(readAll(in)).isEqualTo(bytes(2, 1).array());
        out.writeUrgent((byte) 7);
        ByteBuffer target = ByteBuffer.allocate(10);
        assertThat(in.read(new ByteBuffer[] {target}, 0, 1, true)).isEqualTo(1);
        assertThat(target.get(0)).isEqualTo((byte) 7);
    }

    @Test
    void shouldSayWhereTheStreamGoesOn() throws IOException {
        ByteBuffer next = memory(16 << 10);
        out.moveTo(new Block(3, 8192, next));
        assertThat(in.isMoved()).isTrue();
        assertThat(in.isReadable(true)).isFalse();
        assertThat(readAll(in)).isEmpty();
        AtomicReference<String> asked = new AtomicReference<>();
        assertThat(in.next(new NoMemory() {
                    @Override
                    public ByteBuffer peerBlock(int slab, int offset, int bytes) {
                        asked.set(slab + " " + offset + " " + bytes);
                        return next;
                    }
                }))
                .isSameAs(next);
        assertThat(asked).hasValue("3 8192 16384");
    }

    @Test
    void shouldWakeWhoeverSaysThatItWaits() throws IOException {
        assertThat(out.takeReaderWait()).isEqualTo(Waits.NOT);
        in.wantRecord(Waits.TOKEN);
        assertThat(out.takeReaderWait()).isEqualTo(Waits.TOKEN);
        assertThat(out.takeReaderWait()).isEqualTo(Waits.NOT);
        out.wantRoom(Waits.FUTEX);
        assertThat(in.publish()).isEqualTo(Waits.FUTEX);
        assertThat(in.publish()).isEqualTo(Waits.NOT);
        out.wantRoom(Waits.TOKEN);
        assertThat(in.leave(RingIn.LEFT_UNREAD)).isEqualTo(Waits.TOKEN);
        assertThat(out.readerLeft()).isEqualTo(RingIn.LEFT_UNREAD);
    }

    @Test
    void shouldBeInTheNativeOrder() {
        ByteBuffer reversed = memory(SMALL).order(ByteOrder.BIG_ENDIAN);
        assertThatIllegalArgumentException().isThrownBy(() -> new RingIn(reversed));
    }

    @Test
    void shouldNotBelieveAWriter() throws IOException {
        write(out, bytes(1, 0));
        memory.putLong(256, RingFormat.commit(0, RingFormat.KIND_DATA, 1 << 20));
        assertThatThrownBy(() -> readAll(in)).isInstanceOf(IOException.class);
        memory.putLong(256, RingFormat.commit(0, RingFormat.KIND_DATA, 0));
        assertThatThrownBy(() -> readAll(in)).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 16, Long.MAX_VALUE, Long.MIN_VALUE})
    void shouldNotBelieveAReader(long consumed) throws IOException {
        memory.putLong(RingFormat.CONSUMED_SLOTS, consumed);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        write(out, bytes(1, 0));
                    }
                })
                .isInstanceOf(IOException.class);
    }

    @Test
    void shouldNeverReadOutsideOfTheRingWhateverThePeerWrites() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++) {
            byte[] garbage = new byte[SMALL];
            random.nextBytes(garbage);
            ByteBuffer scribbled = memory(SMALL).put(0, garbage);
            RingIn reader = new RingIn(scribbled);
            for (int slot = 0; slot < 16; slot++) {
                int kind = random.nextInt(16);
                scribbled.putLong(256 + slot * 64, RingFormat.commit(slot, kind, random.nextInt(1 << 28)));
            }
            try {
                reader.isReadable(false);
                reader.available(1_000_000, true);
                readAll(reader);
                reader.publish();
            } catch (IOException e) {
                assertThat(e).as("seed %d", seed).hasMessageContaining("A record of");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4 << 10, 64 << 10})
    void shouldKeepEveryByteInOrderBetweenThreads(int size) throws Exception {
        long seed = System.nanoTime();
        ByteBuffer shared = memory(size);
        RingOut writer = new RingOut(new Block(0, 0, shared));
        RingIn reader = new RingIn(shared);
        long total = 8L << 20;
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                writeAll(writer, total, new Random(seed));
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        thread.start();
        Random random = new Random(seed + 1);
        ByteBuffer target = ByteBuffer.allocate(40_000);
        long position = 0;
        while (position < total && failure.get() == null) {
            target.clear().limit(1 + random.nextInt(random.nextBoolean() ? 80 : 40_000));
            long count = reader.read(new ByteBuffer[] {target}, 0, 1, false);
            if (reader.isPublishDue()) {
                reader.publish();
            }
            if (count == 0) {
                Thread.yield();
            }
            for (int i = 0; i < count; i++, position++) {
                if (target.get(i) != (byte) (position * 7 + (position >> 8))) {
                    throw new AssertionError("byte " + position + ", seed " + seed);
                }
            }
        }
        thread.join();
        assertThat(failure).hasValue(null);
        assertThat(reader.hasRecord()).isFalse();
    }

    private static void writeAll(RingOut writer, long total, Random random) throws IOException {
        long position = 0;
        while (position < total) {
            int length = (int) Math.min(total - position, 1 + random.nextInt(random.nextBoolean() ? 100 : 50_000));
            ByteBuffer source = ByteBuffer.allocate(length);
            for (int i = 0; i < length; i++, position++) {
                source.put((byte) (position * 7 + (position >> 8)));
            }
            source.flip();
            while (source.hasRemaining()) {
                if (write(writer, source) == 0) {
                    Thread.yield();
                }
            }
        }
    }

    /** No memory. */
    private static class NoMemory implements RingMemory {
        @Override
        public Block allocate(int bytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void retire(Block block) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void free(Block block) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ByteBuffer peerBlock(int slab, int offset, int bytes) throws IOException {
            throw new IOException("none");
        }

        @Override
        public boolean isAlive() {
            return true;
        }
    }
}
