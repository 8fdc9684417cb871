package org.ucxnio.it.moving;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChannelIo;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.Seeds;

/**
 * A stream goes over from TCP to a ring at a byte that the test knows, or at one that nobody knows. A connection cannot move before it
 * is accepted, and moves soon after: what is written before goes over TCP.
 */
@Bounded
@ParameterizedClass
@EnumSource(names = {"JDK", "RINGS"})
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SwitchTest {
    @Parameter
    private Flavour flavour;

    /** Bytes before the switch. */
    private static final int[] POSITIONS = {0, 1, 2, 3, 7, 8, 55, 56, 57, 63, 64, 65, 255, 4095, 4096, 4097, 60_000};

    private static final int BEHIND = 700;
    private static final int ROUNDS = Integer.getInteger("ucxnio.it.switches", 12);
    private static final int LONGEST_STREAM = 4 << 20;
    private static final int SLEEP_MS = 30;
    private static final int LONGEST_DELAY_US = 8_000;

    private static java.util.stream.Stream<Arguments> writersAndReaders() {
        return Arrays.stream(Style.values())
                .flatMap(writer -> Arrays.stream(Style.values()).map(reader -> Arguments.of(writer, reader)));
    }

    // -- at a known byte ---------------------------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("writersAndReaders")
    void shouldKeepTheStreamOfAClient(Style writer, Style reader) throws Exception {
        Seeds.withSeed(seed -> {
            for (int position : POSITIONS) {
                switchAt(true, writer, reader, position, seed + position);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("writersAndReaders")
    void shouldKeepTheStreamOfAServer(Style writer, Style reader) throws Exception {
        Seeds.withSeed(seed -> {
            for (int position : POSITIONS) {
                switchAt(false, writer, reader, position, seed + position);
            }
        });
    }

    /** Half of the readers sleep already, the others come when all is done. */
    private void switchAt(boolean fromClient, Style writer, Style reader, int position, long seed) throws Exception {
        try (Pair pair = Pair.connect(flavour)) {
            Stream stream = new Stream(seed);
            if (fromClient) {
                stream.write(writer.open(pair.client()), position);
            }
            pair.accept();
            try (ChannelIo from = writer.open(pair.end(fromClient));
                    ChannelIo to = reader.open(pair.end(!fromClient))) {
                boolean isEarly = (seed & 1) == 0;
                Attempt<Long> early = isEarly ? reader.start(() -> stream.readToEnd(to)) : null;
                if (!fromClient) {
                    stream.write(from, position);
                }
                pair.awaitMoved();
                // The writer of the accepted end may have come too late for TCP.
                pair.expectOverTcp(fromClient ? position : 0, position);
                Attempt<Long> late = isEarly ? early : reader.start(() -> stream.readToEnd(to));
                stream.write(from, BEHIND);
                pair.end(fromClient).shutdownOutput();
                assertThat(late.result()).isEqualTo(position + BEHIND);
                pair.expectOverRings(BEHIND);
            }
        }
    }

    /** Each end reads a byte at a time, so that every read is at the edge of something. */
    @ParameterizedTest
    @EnumSource
    void shouldTakeByteAfterByte(Style reader) throws Exception {
        for (int position = 0; position < 12; position++) {
            try (Pair pair = Pair.connect(flavour)) {
                pair.client().write(ByteBuffer.wrap(new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 0, position));
                ChannelIo to = reader.open(pair.accept());
                pair.awaitMoved();
                pair.client().write(ByteBuffer.wrap(new byte[] {12, 13, 14}));
                ByteBuffer one = ByteBuffer.allocate(1);
                for (int i = 0; i < position + 3; i++) {
                    assertThat(to.readSome(one.clear())).isEqualTo(1);
                    assertThat(one.get(0)).isEqualTo((byte) (i < position ? i : 12 + i - position));
                }
                to.close();
            }
        }
    }

    // -- at any byte -------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void shouldKeepBothStreamsOfAConnectionInUse(Style style) throws Exception {
        Seeds.withSeed(seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            long overRings = 0;
            for (int round = 0; round < ROUNDS; round++) {
                overRings += exchange(style, random.split(), round % 3 == 0 ? LONGEST_STREAM : 0);
            }
            // On a busy machine streams may have ended before they could move.
            for (int longer = 2; flavour.isOurs() && overRings == 0 && longer <= 64; longer *= 2) {
                overRings = exchange(style, random.split(), longer * LONGEST_STREAM);
            }
            assertThat(overRings > 0).isEqualTo(flavour.isOurs());
        });
    }

    /** Both ends read and write at once, at least so many bytes; returns those that went over rings. */
    private long exchange(Style style, SplittableRandom random, int least) throws Exception {
        try (Pair pair = Pair.connect(flavour)) {
            if (random.nextBoolean()) {
                // What the kernel takes is little, and writes are cut off at any byte.
                pair.client().setOption(StandardSocketOptions.SO_SNDBUF, 20_000);
            }
            Stream up = new Stream(random.nextLong());
            Stream down = new Stream(random.nextLong());
            long upBytes = least + random.nextLong(1L << random.nextInt(1, 23)) % LONGEST_STREAM;
            long downBytes = least + random.nextLong(1L << random.nextInt(1, 23)) % LONGEST_STREAM;
            ChannelIo client = style.open(pair.client());
            Attempt<Long> writing = style.start(() -> writeAndEnd(client, up, upBytes));
            Attempt<Long> reading = style.start(() -> down.readToEnd(client));
            pause(random);
            ChannelIo server = style.open(pair.accept());
            pause(random);
            Attempt<Long> answering = style.start(() -> writeAndEnd(server, down, downBytes));
            Attempt<Long> listening = style.start(() -> up.readToEnd(server));
            assertThat(writing.result()).isEqualTo(upBytes);
            assertThat(answering.result()).isEqualTo(downBytes);
            assertThat(listening.result()).isEqualTo(upBytes);
            assertThat(reading.result()).isEqualTo(downBytes);
            client.close();
            server.close();
            return pair.bytesOverRings();
        }
    }

    private static long writeAndEnd(ChannelIo io, Stream stream, long count) throws Exception {
        long written = stream.write(io, count);
        io.channel().shutdownOutput();
        return written;
    }

    private static void pause(SplittableRandom random) throws InterruptedException {
        TimeUnit.MICROSECONDS.sleep(random.nextInt(LONGEST_DELAY_US));
    }

    // -- full buffers ------------------------------------------------------------------------------------------------

    /** The kernel takes no byte more, not even the one that wakes the reader, when the writer goes over. */
    @ParameterizedTest
    @EnumSource
    void shouldGoOverWithFullBuffers(Style reader) throws Exception {
        Seeds.withSeed(seed -> {
            try (Pair pair = Pair.connect(flavour)) {
                Stream stream = new Stream(seed);
                ChannelIo from = Style.POLLING.open(pair.client());
                long filled = fill(pair.client());
                pair.accept();
                pair.awaitMoved();
                pair.expectOverTcp(filled, filled);
                Attempt<Long> writing = Attempt.start(() -> writeAndEnd(from, stream, 1 << 20));
                TimeUnit.MILLISECONDS.sleep(SLEEP_MS);
                ChannelIo to = reader.open(pair.server());
                Attempt<Long> reading = reader.start(() -> {
                    skip(to, filled);
                    return stream.readToEnd(to);
                });
                assertThat(writing.result()).isEqualTo(1 << 20);
                assertThat(reading.result()).isEqualTo(1 << 20);
                to.close();
                from.close();
            }
        });
    }

    /** Writes until nothing more is taken; returns the bytes. */
    private static long fill(SocketChannel channel) throws Exception {
        long total = 0;
        int refused = 0;
        while (refused < 5) {
            int count = channel.write(ByteBuffer.allocate(50_001));
            total += count;
            refused = count == 0 ? refused + 1 : 0;
            TimeUnit.MILLISECONDS.sleep(count == 0 ? 10 : 0);
        }
        return total;
    }

    private static void skip(ChannelIo io, long count) throws Exception {
        long left = count;
        while (left > 0) {
            ByteBuffer some = ByteBuffer.allocate((int) Math.min(left, 40_000));
            assertThat(io.readSome(some)).isPositive();
            for (int i = 0; i < some.position(); i++) {
                if (some.get(i) != 0) {
                    throw new AssertionError("Byte " + some.get(i) + ", " + (left - i) + " bytes before the last zero");
                }
            }
            left -= some.position();
        }
    }

    /** A thread waits in a blocking write for the kernel to take more, with the channel's lock, when the connection is paired. */
    @ParameterizedTest
    @EnumSource(names = {"BLOCKING", "BLOCKING_VIRTUAL"})
    void shouldGoOverBehindAWriteThatWaits(Style writer) throws Exception {
        Seeds.withSeed(seed -> {
            long large = 16 << 20;
            try (Pair pair = Pair.connect(flavour)) {
                Stream stream = new Stream(seed);
                ByteBuffer bytes = ByteBuffer.allocate((int) large);
                ChannelIo from = writer.open(pair.client());
                Attempt<Boolean> waiting = writer.start(() -> {
                    from.writeFully(bytes);
                    return true;
                });
                waiting.awaitInside("write");
                ChannelIo to = Style.BLOCKING.open(pair.accept());
                TimeUnit.MILLISECONDS.sleep(10 * SLEEP_MS);
                Attempt<Long> reading = Attempt.start(() -> {
                    skip(to, large);
                    return stream.readToEnd(to);
                });
                assertThat(waiting.result()).isTrue();
                stream.write(from, BEHIND);
                pair.awaitMoved();
                stream.write(from, BEHIND);
                pair.client().shutdownOutput();
                assertThat(reading.result()).isEqualTo(2 * BEHIND);
            }
        });
    }

    // -- sleepers ----------------------------------------------------------------------------------------------------

    /** A reader that fell asleep before the switch, or behind it, hears of the next byte. */
    @ParameterizedTest
    @EnumSource
    void shouldWakeWhoSleeps(Style reader) throws Exception {
        for (boolean isClient : new boolean[] {true, false}) {
            for (int writes = 0; writes < 4; writes++) {
                try (Pair pair = Pair.connect(flavour)) {
                    ChannelIo sleeper = isClient ? reader.open(pair.client()) : null;
                    ByteBuffer target = ByteBuffer.allocate(10);
                    Attempt<Integer> early = isClient ? reader.start(() -> sleeper.readSome(target)) : null;
                    pair.accept();
                    ChannelIo io = isClient ? sleeper : reader.open(pair.server());
                    Attempt<Integer> reading = isClient ? early : reader.start(() -> io.readSome(target));
                    pair.awaitMoved();
                    TimeUnit.MILLISECONDS.sleep(SLEEP_MS);
                    assertThat(reading.isDone()).isFalse();
                    pair.end(!isClient).write(ByteBuffer.wrap(new byte[] {42}));
                    assertThat(reading.result()).isEqualTo(1);
                    assertThat(target.get(0)).isEqualTo((byte) 42);
                    io.close();
                }
            }
        }
    }

    /** Several threads want the bytes of one channel: each byte goes to one of them. */
    @Test
    void shouldServeSeveralReadersOfAChannel() throws Exception {
        try (Pair pair = Pair.connect(flavour)) {
            List<Attempt<Integer>> readers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                readers.add(Attempt.start(() -> pair.client().read(ByteBuffer.allocate(1))));
            }
            pair.accept();
            pair.awaitMoved();
            TimeUnit.MILLISECONDS.sleep(SLEEP_MS);
            for (int i = 0; i < readers.size(); i++) {
                pair.server().write(ByteBuffer.allocate(1));
            }
            for (Attempt<Integer> reader : readers) {
                assertThat(reader.result()).isEqualTo(1);
            }
        }
    }

    /** A writer waits for room in a ring, and its reader comes late. */
    @ParameterizedTest
    @MethodSource("writersAndReaders")
    void shouldWakeAWriterThatWaitsForRoom(Style writer, Style reader) throws Exception {
        Seeds.withSeed(seed -> {
            long count = 20 << 20;
            try (Pair pair = Pair.moved(flavour)) {
                Stream stream = new Stream(seed);
                ChannelIo from = writer.open(pair.server());
                ChannelIo to = reader.open(pair.client());
                Attempt<Long> writing = writer.start(() -> writeAndEnd(from, stream, count));
                TimeUnit.MILLISECONDS.sleep(10 * SLEEP_MS);
                assertThat(writing.isDone()).isFalse();
                Attempt<Long> reading = reader.start(() -> stream.readToEnd(to));
                assertThat(writing.result()).isEqualTo(count);
                assertThat(reading.result()).isEqualTo(count);
                from.close();
                to.close();
            }
        });
    }

    /** The mode of both channels changes all the time. */
    @Test
    void shouldGoOverWhileModesChange() throws Exception {
        Seeds.withSeed(seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            for (int round = 0; round < ROUNDS; round++) {
                try (Pair pair = Pair.connect(flavour)) {
                    Stream stream = new Stream(random.nextLong());
                    SplittableRandom own = random.split();
                    Attempt<Long> writing = Attempt.start(() -> {
                        for (int i = 0; i < 50; i++) {
                            stream.write(any(own).open(pair.client()), own.nextInt(5000));
                            pause(own);
                        }
                        pair.client().shutdownOutput();
                        return stream.written();
                    });
                    pair.accept();
                    while (!writing.isDone() || stream.read() < writing.result()) {
                        ChannelIo to = any(random).open(pair.server());
                        long there = stream.written() - stream.read();
                        stream.read(to, there == 0 ? 0 : random.nextLong(there) + 1);
                    }
                    assertThat(stream.readToEnd(Style.BLOCKING.open(pair.server())))
                            .isEqualTo(writing.result());
                }
            }
        });
    }

    private static Style any(SplittableRandom random) {
        return random.nextBoolean() ? Style.BLOCKING : Style.POLLING;
    }
}
