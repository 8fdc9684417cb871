package org.ucxnio.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

/** One thread at each end. */
@Timeout(60)
class RingStressTest {
    private static final int RECORDS = 300_000;
    private static final int STREAM_BYTES = 8 << 20;

    private final RingLayout layout = RingLayout.of(RingLayout.MIN_DATA_BYTES);
    private final ByteBuffer memory = ByteBuffer.allocateDirect(layout.size()).order(ByteOrder.nativeOrder());

    /** Both ends draw the same lengths; payloads are the record's number throughout. */
    @RepeatedTest(3)
    void shouldKeepOrderAndBytes() throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        Thread reading = Thread.currentThread();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(seed, reading));
        RingReader reader = new RingReader(memory, layout);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < RECORDS; i++) {
            while (!reader.next()) {
                reader.publish();
                if (reader.sleeps()) {
                    // Without a bound, so that a lost wakeup is a test that never ends.
                    LockSupport.park();
                }
            }
            int length = length(random);
            assertThat(reader.length()).as("seed %d, record %d", seed, i).isEqualTo(length);
            assertThat(reader.position()).as("seed %d, record %d", seed, i).isEqualTo(i);
            for (int at = 0; at < length; at++) {
                if (memory.get(reader.payload() + at) != (byte) i) {
                    throw new AssertionError("seed " + seed + ", record " + i + ", byte " + at);
                }
            }
            reader.release();
        }
        writing.join();
    }

    private void write(long seed, Thread reading) {
        RingWriter writer = new RingWriter(memory, layout);
        SplittableRandom random = new SplittableRandom(seed);
        try {
            for (int i = 0; i < RECORDS; i++) {
                int length = length(random);
                int at = writer.reserve(length);
                while (at < 0) {
                    Thread.yield();
                    at = writer.reserve(length);
                }
                for (int offset = 0; offset < length; offset++) {
                    memory.put(at + offset, (byte) i);
                }
                writer.commit(i, 1, i);
                wakeReader(writer, reading);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void wakeReader(RingWriter writer, Thread reading) {
        VarHandle.fullFence();
        if (writer.readerSleeps() && writer.wake()) {
            LockSupport.unpark(reading);
        }
    }

    /** A stream in pieces that share lines or do not; both ends sleep, the writer for room, without a bound. */
    @RepeatedTest(3)
    void shouldBringAStreamWhoseRecordsGrow() throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        Thread reading = Thread.currentThread();
        AtomicReference<Thread> writing = new AtomicReference<>();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            writing.set(Thread.currentThread());
            writeStream(new SplittableRandom(seed), reading);
        });
        RingReader reader = new RingReader(memory, layout);
        int position = 0;
        while (position < STREAM_BYTES) {
            while (!reader.next()) {
                wakeWriter(reader, writing);
                if (reader.sleeps()) {
                    LockSupport.park();
                }
            }
            assertThat(reader.position()).as("seed %d", seed).isEqualTo(position);
            for (int i = 0; i < reader.length(); i++, position++) {
                if (memory.get(reader.payload() + i) != (byte) (position * 31)) {
                    throw new AssertionError("seed " + seed + ", byte " + position);
                }
            }
            reader.release();
            if (reader.isPublishDue()) {
                wakeWriter(reader, writing);
            }
        }
        writer.join();
    }

    private static void wakeWriter(RingReader reader, AtomicReference<Thread> writing) {
        if (reader.publish()) {
            LockSupport.unpark(writing.get());
        }
    }

    private void writeStream(SplittableRandom random, Thread reading) {
        RingWriter writer = new RingWriter(memory, layout);
        try {
            for (int position = 0; position < STREAM_BYTES; ) {
                int length = Math.min(
                        random.nextInt(100) == 0 ? random.nextInt(5_000) : random.nextInt(1, 40),
                        STREAM_BYTES - position);
                int at = writer.reserveMore(1, length);
                boolean more = at >= 0;
                while (at < 0) {
                    at = writer.reserve(length);
                    if (at < 0 && !writer.wantRoom()) {
                        LockSupport.park();
                    }
                }
                for (int i = 0; i < length; i++) {
                    memory.put(at + i, (byte) ((position + i) * 31));
                }
                if (more) {
                    writer.commitMore(length);
                } else {
                    writer.commit(1, RingLayout.GROWING_KIND, position);
                }
                position += length;
                wakeReader(writer, reading);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static int length(SplittableRandom random) {
        return random.nextInt(50) == 0 ? random.nextInt(10_000) : random.nextInt(100);
    }

    /** A peer that writes anything anywhere: errors at most, and nothing outside of the ring. */
    @RepeatedTest(3)
    void shouldComeToNoHarmWhateverThePeerWrites() throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        AtomicBoolean stop = new AtomicBoolean();
        CompletableFuture<Void> scribbling =
                CompletableFuture.runAsync(() -> scribble(new SplittableRandom(seed), stop));
        int refused = 0;
        int records = 0;
        byte[] target = new byte[layout.maxLength()];
        for (int round = 0; round < 2000 || refused == 0 || records == 0; round++) {
            RingReader reader = new RingReader(memory, layout);
            RingWriter writer = new RingWriter(memory, layout);
            try {
                for (int i = 0; i < 200; i++) {
                    int at = writer.reserve(i * 7);
                    if (at >= 0) {
                        memory.put(at, target, 0, i * 7);
                        writer.commit(i, i & 1, i);
                    }
                    int more = writer.reserveMore(i, 5);
                    if (more >= 0) {
                        memory.put(more, target, 0, 5);
                        writer.commitMore(5);
                    }
                    if (reader.next()) {
                        memory.get(reader.payload(), target, 0, reader.length());
                        reader.release();
                        records++;
                    }
                    reader.publish();
                }
            } catch (IOException e) {
                refused++;
            }
        }
        stop.set(true);
        scribbling.join();
    }

    private void scribble(SplittableRandom random, AtomicBoolean stop) {
        while (!stop.get()) {
            int at = random.nextInt(random.nextBoolean() ? 256 : layout.size() - 8) & ~7;
            memory.putLong(at, random.nextInt(3) == 0 ? random.nextLong() : random.nextInt(300));
        }
    }
}
