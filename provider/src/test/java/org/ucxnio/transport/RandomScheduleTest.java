package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.config.Config;
import org.ucxnio.ucx.UcsStatus;

/**
 * Several connections between two workers, both directions of each, with every step - writing, reading, progress, control
 * messages, full queues, late completions - taken in random order. What is read must be what was written.
 */
@Timeout(120)
class RandomScheduleTest {
    private static final int CONNECTIONS = 3;
    private static final int MAX_STEPS = 400_000;
    private static final int SMALL_FRAMES = 0;
    private static final int LARGE_FRAMES = 1;
    private static final int FEW_MESSAGES = 2;

    /** One direction of a connection. */
    private static final class Stream {
        final TwoSides.Side from;
        final TwoSides.Side to;
        final long length;
        long written;
        long read;
        boolean ended;
        boolean endSeen;

        Stream(TwoSides.Side from, TwoSides.Side to, long length) {
            this.from = from;
            this.to = to;
            this.length = length;
        }
    }

    private final long firstSeed = ThreadLocalRandom.current().nextLong();

    private static TwoSides open(int variant) {
        return switch (variant) {
            case SMALL_FRAMES -> TwoSides.open(Config.WINDOW, "16k", Config.FRAME, "1k", Config.WINDOW_MESSAGES, "64");
            case LARGE_FRAMES -> TwoSides.open(Config.WINDOW, "200001", Config.FRAME, "64k");
            default -> TwoSides.open(Config.WINDOW, "16385", Config.WINDOW_MESSAGES, "17");
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {SMALL_FRAMES, LARGE_FRAMES, FEW_MESSAGES})
    void shouldDeliverWhatWasWrittenWhateverTheSchedule(int variant) {
        for (long seed = firstSeed; seed < firstSeed + 40; seed++) {
            try {
                runSchedule(variant, new Random(seed));
            } catch (IOException | RuntimeException | AssertionError e) {
                fail("seed " + seed + "L, variant " + variant + ": " + e, e);
            }
        }
    }

    private static void runSchedule(int variant, Random random) throws IOException {
        try (TwoSides first = open(variant)) {
            List<TwoSides> connections = new ArrayList<>(List.of(first));
            while (connections.size() < CONNECTIONS) {
                connections.add(first.another());
            }
            List<Stream> streams = new ArrayList<>();
            for (TwoSides connection : connections) {
                streams.add(new Stream(connection.left, connection.right, random.nextInt(300_000)));
                streams.add(new Stream(connection.right, connection.left, random.nextInt(300_000)));
            }
            // Locked, so that the schedule is this thread's alone.
            first.left.bind().lock();
            first.right.bind().lock();
            try {
                schedule(random, first.faults, streams);
            } finally {
                first.faults.clear();
                first.right.worker().unlock();
                first.left.worker().unlock();
                connections.forEach(TwoSides::close);
            }
        }
    }

    private static void schedule(Random random, TestFaults faults, List<Stream> streams) throws IOException {
        faults.sendStatus = () -> random.nextInt(8) == 0 ? UcsStatus.INPROGRESS : UcsStatus.OK;
        for (int step = 0; streams.stream().anyMatch(stream -> !stream.endSeen); step++) {
            assertThat(step).as("steps; the streams are stuck").isLessThan(MAX_STEPS);
            Stream stream = streams.get(random.nextInt(streams.size()));
            switch (random.nextInt(16)) {
                case 0, 1, 2, 3 -> write(random, stream);
                case 4, 5, 6, 7 -> read(random, stream);
                case 8, 9, 10 -> TwoSides.progress(stream.to);
                case 11 -> TwoSides.progress(stream.from);
                case 12, 13 -> TwoSides.deliverOneFrom(stream.from, stream.to);
                case 14 -> hold(random, faults);
                default -> end(stream);
            }
        }
    }

    private static void hold(Random random, TestFaults faults) {
        faults.holdPending = random.nextInt(4) == 0;
        faults.holdDelivery = random.nextInt(4) == 0;
        faults.holdCompletions = random.nextInt(4) == 0;
    }

    private static void write(Random random, Stream stream) throws IOException {
        if (stream.ended) {
            return;
        }
        stream.from.bind();
        ByteBuffer[] buffers = new ByteBuffer[1 + random.nextInt(4)];
        long position = stream.written;
        for (int i = 0; i < buffers.length; i++) {
            int most = random.nextInt(3) == 0 ? 60_000 : 40;
            int count = (int) Math.min(stream.length - position, random.nextInt(most));
            buffers[i] = buffer(random, Pattern.bytes(position, count));
            position += count;
        }
        boolean writable = (stream.from.connection.readyOps() & SelectionKey.OP_WRITE) != 0;
        int count = Pattern.write(stream.from.connection, buffers);
        if (!writable && count > 0) {
            // The write has taken a confirmation in; that is what it may do.
            assertThat(stream.from.connection.readyOps() & SelectionKey.OP_WRITE | 1)
                    .isPositive();
        }
        stream.written += count;
        long left = 0;
        for (ByteBuffer buffer : buffers) {
            left += buffer.remaining();
        }
        assertThat(stream.written + left).as("buffers moved by what was taken").isEqualTo(position);
    }

    private static ByteBuffer buffer(Random random, byte[] bytes) {
        ByteBuffer heap = ByteBuffer.wrap(bytes);
        return switch (random.nextInt(3)) {
            case 0 -> heap;
            case 1 -> heap.asReadOnlyBuffer();
            default ->
                ByteBuffer.allocateDirect(bytes.length + 5)
                        .position(5)
                        .put(bytes)
                        .position(5);
        };
    }

    private static void read(Random random, Stream stream) throws IOException {
        stream.to.bind();
        ByteBuffer[] buffers = new ByteBuffer[1 + random.nextInt(3)];
        for (int i = 0; i < buffers.length; i++) {
            int size = 1 + random.nextInt(random.nextBoolean() ? 50 : 50_000);
            buffers[i] = random.nextBoolean() ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
        }
        long count = stream.to.connection.read(buffers, 0, buffers.length);
        if (count < 0) {
            assertThat(stream.read).as("bytes before the end").isEqualTo(stream.length);
            stream.endSeen = true;
            return;
        }
        long read = 0;
        for (ByteBuffer buffer : buffers) {
            buffer.flip();
            while (buffer.hasRemaining()) {
                if (buffer.get() != Pattern.at(stream.read + read)) {
                    fail("another byte at " + (stream.read + read));
                }
                read++;
            }
        }
        assertThat(read).isEqualTo(count);
        stream.read += count;
        assertThat(stream.read).isLessThanOrEqualTo(stream.written);
    }

    private static void end(Stream stream) throws IOException {
        if (stream.written == stream.length && !stream.ended) {
            stream.ended = true;
            stream.from.connection.shutdownOutput();
        }
    }
}
