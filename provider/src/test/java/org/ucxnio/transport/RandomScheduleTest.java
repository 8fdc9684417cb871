package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
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
 * Several connections between two workers, both directions of each, with every step - switching, writing, reading, progress, the pollers'
 * rounds, full queues, late completions, ends - taken in random order. What is read must be what was written.
 */
@Timeout(120)
class RandomScheduleTest {
    private static final int CONNECTIONS = 3;
    private static final int SCHEDULES = 25;
    private static final int MAX_STEPS = 400_000;
    private static final int SMALL_FRAMES = 0;
    private static final int LARGE_FRAMES = 1;
    private static final int FEW_MESSAGES = 2;

    /** One direction of a connection. */
    private static final class Stream {
        final TwoSides.Side from;
        final TwoSides.Side to;
        final long length;
        final long switchAt;
        boolean switched;
        long written;
        long read;
        boolean ended;
        boolean reset;

        /** The reader has seen the end, or has left. */
        boolean done;

        boolean left;

        Stream(TwoSides.Side from, TwoSides.Side to, Random random) {
            this.from = from;
            this.to = to;
            this.length = random.nextInt(300_000);
            this.switchAt = random.nextInt(1000);
        }
    }

    private final long firstSeed = ThreadLocalRandom.current().nextLong();

    private static Processes processes(int variant) {
        return switch (variant) {
            case SMALL_FRAMES ->
                Processes.sharedStepped(Config.WINDOW, "16k", Config.FRAME, "1k", Config.WINDOW_MESSAGES, "64");
            case LARGE_FRAMES -> Processes.sharedStepped(Config.WINDOW, "200001", Config.FRAME, "64k");
            default -> Processes.sharedStepped(Config.WINDOW, "16385", Config.WINDOW_MESSAGES, "17");
        };
    }

    /** Nobody closes before everything was read. */
    @ParameterizedTest
    @ValueSource(ints = {SMALL_FRAMES, LARGE_FRAMES, FEW_MESSAGES})
    void shouldDeliverWhatWasWrittenWhateverTheSchedule(int variant) {
        runSchedules(variant, false);
    }

    /** Readers leave, and writers reset, at any time: what is read is a beginning of what was written. */
    @ParameterizedTest
    @ValueSource(ints = {SMALL_FRAMES, LARGE_FRAMES, FEW_MESSAGES})
    void shouldDeliverNothingElseWhoeverLeavesAndResets(int variant) {
        runSchedules(variant, true);
    }

    private void runSchedules(int variant, boolean rude) {
        for (long seed = firstSeed; seed < firstSeed + SCHEDULES; seed++) {
            try (TwoSides first = TwoSides.open(processes(variant))) {
                new Schedule(first, new Random(seed), rude).run();
            } catch (IOException | RuntimeException | AssertionError e) {
                fail("seed " + seed + "L, variant " + variant + ", rude " + rude + ": " + e, e);
            }
        }
    }

    private static final class Schedule {
        private final TwoSides first;
        private final TestFaults faults;
        private final Random random;
        private final boolean rude;
        private final List<TwoSides> connections = new ArrayList<>();
        private final List<Stream> streams = new ArrayList<>();

        Schedule(TwoSides first, Random random, boolean rude) throws IOException {
            this.first = first;
            this.faults = first.faults;
            this.random = random;
            this.rude = rude;
            connections.add(first);
            while (connections.size() < CONNECTIONS) {
                connections.add(first.another());
            }
            for (TwoSides connection : connections) {
                connection.paired();
                connection.left.source.urgentInline(true);
                connection.right.source.urgentInline(true);
                streams.add(new Stream(connection.left, connection.right, random));
                streams.add(new Stream(connection.right, connection.left, random));
            }
        }

        void run() throws IOException {
            faults.sendStatus = () -> random.nextInt(8) == 0 ? UcsStatus.INPROGRESS : UcsStatus.OK;
            for (int step = 0; streams.stream().anyMatch(stream -> !stream.done); step++) {
                assertThat(step).as("steps; the streams are stuck").isLessThan(MAX_STEPS);
                step(streams.get(random.nextInt(streams.size())));
            }
            faults.clear();
            finish();
        }

        private void step(Stream stream) throws IOException {
            switch (random.nextInt(20)) {
                case 0, 1, 2, 3 -> write(stream);
                case 4, 5, 6, 7 -> read(stream);
                case 8, 9, 10, 11 -> stream.to.progress();
                case 12, 13 -> stream.from.progress();
                case 14, 15 -> hold();
                case 16 -> urgent(stream);
                case 17 -> stepPollers();
                case 18 -> rude(stream);
                default -> end(stream);
            }
        }

        private void stepPollers() {
            if (random.nextInt(8) == 0) {
                first.processes.step();
            }
        }

        private void hold() {
            faults.holdPending = random.nextInt(4) == 0;
            faults.holdDelivery = random.nextInt(4) == 0;
            faults.holdCompletions = random.nextInt(4) == 0;
        }

        private boolean mayWrite(Stream stream) {
            if (!stream.switched) {
                stream.switched = true;
                stream.from.sink.switchAt(stream.switchAt);
            }
            return !stream.ended;
        }

        private void write(Stream stream) throws IOException {
            if (!mayWrite(stream)) {
                return;
            }
            ByteBuffer[] buffers = new ByteBuffer[1 + random.nextInt(4)];
            long position = stream.written;
            for (int i = 0; i < buffers.length; i++) {
                int most = random.nextInt(3) == 0 ? 60_000 : 40;
                int count = (int) Math.min(stream.length - position, random.nextInt(most));
                buffers[i] = buffer(Pattern.bytes(position, count));
                position += count;
            }
            try {
                int count = Pattern.write(stream.from.sink, buffers);
                stream.written += count;
                assertThat(stream.written < position && stream.from.sink.isWritable())
                        .as("writable, though a write has just found no room")
                        .isFalse();
            } catch (SocketException e) {
                assertThat(stream.left).as("the reader has left, " + e).isTrue();
                assertThat(stream.from.sink.isWritable()).isTrue();
                return;
            }
            long left = 0;
            for (ByteBuffer buffer : buffers) {
                left += buffer.remaining();
            }
            assertThat(stream.written + left)
                    .as("buffers moved by what was taken")
                    .isEqualTo(position);
        }

        private ByteBuffer buffer(byte[] bytes) {
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

        private void urgent(Stream stream) throws IOException {
            if (stream.written < stream.length && mayWrite(stream)) {
                try {
                    stream.written += stream.from.sink.writeUrgent(Pattern.at(stream.written)) ? 1 : 0;
                } catch (SocketException e) {
                    assertThat(stream.left).as("the reader has left, " + e).isTrue();
                }
            }
        }

        private void read(Stream stream) throws IOException {
            if (stream.done) {
                return;
            }
            ByteBuffer[] buffers = new ByteBuffer[1 + random.nextInt(3)];
            for (int i = 0; i < buffers.length; i++) {
                int size = 1 + random.nextInt(random.nextBoolean() ? 50 : 50_000);
                buffers[i] = random.nextBoolean() ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
            }
            boolean readable = stream.to.source.isReadable();
            long count;
            try {
                count = stream.to.source.read(buffers, 0, buffers.length);
            } catch (SocketException e) {
                assertThat(stream.reset).as("the writer has reset it, " + e).isTrue();
                assertThat(stream.read).as("bytes before the reset").isEqualTo(stream.written);
                stream.done = true;
                return;
            }
            assertThat(count != 0 || !readable)
                    .as("a readable stream has something")
                    .isTrue();
            if (count < 0) {
                assertThat(stream.ended && !stream.reset).isTrue();
                assertThat(stream.read).as("bytes before the end").isEqualTo(stream.written);
                stream.done = true;
                return;
            }
            assertThat(compare(stream, buffers)).isEqualTo(count);
            stream.read += count;
            assertThat(stream.read).isLessThanOrEqualTo(stream.written);
            if (count > 0) {
                assertThat(stream.to.source.switchedAt())
                        .as("known before the first byte")
                        .isEqualTo(stream.switchAt);
            }
        }

        private static long compare(Stream stream, ByteBuffer[] buffers) {
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
            return read;
        }

        private void end(Stream stream) {
            if (stream.written == stream.length && !stream.ended) {
                mayWrite(stream);
                stream.ended = true;
                stream.from.sink.end(false);
            }
        }

        private void rude(Stream stream) {
            if (!rude || random.nextInt(30) != 0) {
                return;
            }
            if (random.nextBoolean() && !stream.ended) {
                mayWrite(stream);
                stream.ended = true;
                stream.reset = true;
                stream.from.sink.end(true);
            } else if (!stream.left) {
                stream.left = true;
                stream.done = true;
                stream.to.source.leave(random.nextBoolean());
            }
        }

        /** What has not ended so far does, and nothing is left of it. */
        private void finish() {
            for (Stream stream : streams) {
                if (!stream.switched) {
                    stream.from.sink.retire();
                } else if (!stream.ended) {
                    stream.from.sink.end(false);
                }
                if (!stream.left) {
                    stream.to.source.leave(false);
                }
            }
            first.settle();
            first.settle();
            for (TwoSides connection : connections) {
                assertThat(connection.left.carried.broken).hasValue(0);
                assertThat(connection.right.carried.broken).hasValue(0);
            }
            assertNothingLeft(first.left);
            assertNothingLeft(first.right);
        }

        private static void assertNothingLeft(TwoSides.Side side) {
            for (int i = 0; i < 2; i++) {
                side.slices().trim();
            }
            int most = 8 * (SlicePool.LARGE_BYTES + SlicePool.SMALL_BYTES);
            assertThat(side.slices().bytes()).as("memory held").isLessThanOrEqualTo(most);
        }
    }
}
