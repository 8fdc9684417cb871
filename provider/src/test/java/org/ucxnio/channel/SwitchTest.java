package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A connection moves to rings at any byte of its streams, and nobody notices. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SwitchTest {
    private enum Style {
        BLOCKING,
        POLLING,
        SELECTING
    }

    private final ExecutorService threads = Executors.newCachedThreadPool();

    ChannelPair newPair() throws IOException {
        return new ChannelPair();
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    /** The bytes of a stream, told by their positions alone. */
    private static byte at(long position) {
        return (byte) (position * 7 + (position >> 8) + (position >> 16));
    }

    private void prepare(ChannelPair pair, SocketChannel channel, Style style) throws IOException {
        channel.configureBlocking(style == Style.BLOCKING);
    }

    /** Waits until the channel may be ready. */
    private static void await(Selector selector, SocketChannel channel, Style style, int op) throws IOException {
        if (style == Style.POLLING) {
            Thread.yield();
        } else if (style == Style.SELECTING) {
            SelectionKey key = channel.keyFor(selector);
            key.interestOpsOr(op);
            assertThat(selector.select(60_000)).as("ready for %d", op).isEqualTo(1);
            selector.selectedKeys().clear();
            key.interestOpsAnd(~op);
        }
    }

    private Selector selectorFor(ChannelPair pair, SocketChannel channel, Style style) throws IOException {
        if (style != Style.SELECTING) {
            return null;
        }
        Selector selector = pair.openSelector();
        channel.register(selector, 0);
        return selector;
    }

    private Callable<Void> writing(ChannelPair pair, SocketChannel channel, Style style, long total, long seed) {
        return () -> {
            Random random = new Random(seed);
            try (Selector selector = selectorFor(pair, channel, style)) {
                long position = 0;
                while (position < total) {
                    ByteBuffer[] sources = new ByteBuffer[1 + random.nextInt(3)];
                    for (int i = 0; i < sources.length; i++) {
                        int most = random.nextInt(4) == 0 ? 20_000 : 40;
                        byte[] bytes = new byte[(int) Math.min(total - position, random.nextInt(most) + 1)];
                        for (int b = 0; b < bytes.length; b++) {
                            bytes[b] = at(position++);
                        }
                        sources[i] = ByteBuffer.wrap(bytes);
                    }
                    while (Arrays.stream(sources).anyMatch(ByteBuffer::hasRemaining)) {
                        if (channel.write(sources) == 0) {
                            await(selector, channel, style, SelectionKey.OP_WRITE);
                        }
                    }
                }
            }
            channel.shutdownOutput();
            return null;
        };
    }

    private Callable<Void> reading(ChannelPair pair, SocketChannel channel, Style style, long total, long seed) {
        return () -> {
            Random random = new Random(seed + 1);
            try (Selector selector = selectorFor(pair, channel, style)) {
                long position = 0;
                while (true) {
                    ByteBuffer[] targets = new ByteBuffer[1 + random.nextInt(3)];
                    for (int i = 0; i < targets.length; i++) {
                        targets[i] = ByteBuffer.allocate(1 + random.nextInt(random.nextInt(4) == 0 ? 30_000 : 50));
                    }
                    long count = channel.read(targets);
                    if (count < 0) {
                        assertThat(position).as("seed %d", seed).isEqualTo(total);
                        return null;
                    }
                    if (count == 0) {
                        await(selector, channel, style, SelectionKey.OP_READ);
                    }
                    position = check(targets, count, position, seed);
                }
            }
        };
    }

    private static long check(ByteBuffer[] targets, long count, long from, long seed) {
        long position = from;
        for (ByteBuffer target : targets) {
            target.flip();
            while (target.hasRemaining()) {
                if (target.get() != at(position)) {
                    throw new AssertionError("byte " + position + ", seed " + seed);
                }
                position++;
            }
        }
        assertThat(position - from).isEqualTo(count);
        return position;
    }

    private static <T> T outcome(Future<T> future) throws Exception {
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BLOCKING, BLOCKING",
        "BLOCKING, POLLING",
        "BLOCKING, SELECTING",
        "POLLING, BLOCKING",
        "SELECTING, BLOCKING",
        "SELECTING, SELECTING",
        "POLLING, SELECTING",
        "SELECTING, POLLING"
    })
    void shouldMoveUnderTrafficInBothDirections(Style ofClient, Style ofServer) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 30; round++) {
            long total = 1 << 10 + random.nextInt(11);
            try (ChannelPair pair = newPair()) {
                prepare(pair, pair.client, ofClient);
                prepare(pair, pair.server, ofServer);
                pair.memory.maxBytes = random.nextBoolean() ? 4 << 10 : 4 << 20;
                Future<Void> there = threads.submit(writing(pair, pair.client, ofClient, total, seed));
                Future<Void> thereRead = threads.submit(reading(pair, pair.server, ofServer, total, seed));
                Future<Void> back = threads.submit(writing(pair, pair.server, ofServer, total, seed + 7));
                Future<Void> backRead = threads.submit(reading(pair, pair.client, ofClient, total, seed + 7));
                TimeUnit.MICROSECONDS.sleep(random.nextInt(2_000));
                pair.pair();
                outcome(there);
                outcome(thereRead);
                outcome(back);
                outcome(backRead);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Style.class)
    void shouldSwitchBehindEveryByte(Style style) throws Exception {
        for (int before = 0; before < 40; before++) {
            for (int taken = 0; taken <= before; taken += 1 + before / 4) {
                try (ChannelPair pair = newPair()) {
                    prepare(pair, pair.server, style);
                    send(pair.client, 0, before);
                    receive(pair, pair.server, style, 0, taken, taken);
                    pair.pair();
                    send(pair.client, before, 20);
                    receive(pair, pair.server, style, taken, before + 20 - taken, 7);
                    send(pair.server, 0, 10);
                    receive(pair, pair.client, Style.BLOCKING, 0, 10, 3);
                }
            }
        }
    }

    private static void send(SocketChannel channel, int from, int count) throws IOException {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = at(from + i);
        }
        ByteBuffer source = ByteBuffer.wrap(bytes);
        while (source.hasRemaining()) {
            channel.write(source);
        }
    }

    private void receive(ChannelPair pair, SocketChannel channel, Style style, long from, int count, int piece)
            throws IOException {
        try (Selector selector = selectorFor(pair, channel, style)) {
            long position = from;
            while (position < from + count) {
                int most = (int) Math.min(Math.max(1, piece), from + count - position);
                ByteBuffer[] targets = {ByteBuffer.allocate(most / 2), ByteBuffer.allocate(most - most / 2)};
                long read = channel.read(targets);
                assertThat(read).isNotNegative();
                if (read == 0) {
                    await(selector, channel, style, SelectionKey.OP_READ);
                }
                position = check(targets, read, position, 0);
            }
        }
        if (style == Style.SELECTING) {
            channel.configureBlocking(false);
        }
    }

    @Test
    void shouldWakeAReaderThatSleepsInTheKernel() throws Exception {
        try (ChannelPair pair = newPair()) {
            Future<Integer> read = threads.submit(() -> pair.server.read(ByteBuffer.allocate(10)));
            TimeUnit.MILLISECONDS.sleep(100);
            pair.pair();
            TimeUnit.MILLISECONDS.sleep(100);
            assertThat(read.isDone()).isFalse();
            send(pair.client, 0, 4);
            assertThat(outcome(read)).isEqualTo(4);
        }
    }

    @Test
    void shouldWakeASelectorThatSleepsInTheKernel() throws Exception {
        try (ChannelPair pair = newPair();
                Selector selector = pair.openSelector()) {
            pair.server.configureBlocking(false);
            pair.server.register(selector, SelectionKey.OP_READ);
            Future<Integer> selected = threads.submit(() -> selector.select());
            TimeUnit.MILLISECONDS.sleep(100);
            pair.pair();
            TimeUnit.MILLISECONDS.sleep(100);
            assertThat(selected.isDone()).isFalse();
            send(pair.client, 0, 4);
            assertThat(outcome(selected)).isEqualTo(1);
        }
    }

    @Test
    void shouldReadTheEndBehindTheSwitch() throws Exception {
        try (ChannelPair pair = newPair()) {
            send(pair.client, 0, 5);
            pair.pair();
            send(pair.client, 5, 5);
            pair.client.shutdownOutput();
            receive(pair, pair.server, Style.BLOCKING, 0, 10, 10);
            assertThat(pair.server.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            send(pair.server, 0, 10);
            receive(pair, pair.client, Style.BLOCKING, 0, 10, 10);
            pair.server.close();
            assertThat(pair.client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
    }

    @Test
    void shouldReadAllThatWasWrittenBeforeTheClose() throws Exception {
        try (ChannelPair pair = newPair()) {
            send(pair.client, 0, 50_000);
            pair.pair();
            send(pair.client, 50_000, 50_000);
            pair.client.close();
            receive(pair, pair.server, Style.BLOCKING, 0, 100_000, 1_000);
            assertThat(pair.server.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
    }

    @Test
    void shouldEndAWaitingReadWhenThePeerCloses() throws Exception {
        try (ChannelPair pair = newPair()) {
            pair.pair();
            Future<Integer> read = threads.submit(() -> pair.server.read(ByteBuffer.allocate(10)));
            TimeUnit.MILLISECONDS.sleep(50);
            pair.client.close();
            assertThat(outcome(read)).isEqualTo(-1);
        }
    }

    @Test
    void shouldEndAWaitingReadAndAWaitingWriteWhenTheChannelIsClosed() throws Exception {
        try (ChannelPair pair = newPair()) {
            pair.pair();
            ByteBuffer much = ByteBuffer.allocate(16 << 20);
            Future<Integer> read = WaitingCall.start(threads, () -> pair.server.read(ByteBuffer.allocate(10)));
            Future<Integer> write = WaitingCall.start(threads, () -> pair.server.write(much));
            assertThat(read.isDone() || write.isDone()).isFalse();
            pair.server.close();
            assertThatThrownBy(() -> outcome(read)).isInstanceOf(AsynchronousCloseException.class);
            assertThat(outcome(write)).isPositive();
            assertThat(pair.client.read(ByteBuffer.allocate(1 << 20))).isPositive();
        }
    }

    /** The end that the reader finds in the socket is its own, and not the peer's: the other direction goes on. */
    @RepeatedTest(10)
    void shouldGoOnWritingWhereItsInputIsShutDownAtTheSwitch() throws Exception {
        try (ChannelPair pair = newPair()) {
            Future<Integer> read = WaitingCall.start(threads, () -> pair.server.read(ByteBuffer.allocate(10)));
            pair.pair();
            pair.server.shutdownInput();
            assertThat(outcome(read)).isEqualTo(-1);
            send(pair.server, 0, 100);
            receive(pair, pair.client, Style.BLOCKING, 0, 100, 1);
            send(pair.server, 100, 100);
            receive(pair, pair.client, Style.BLOCKING, 100, 100, 1);
        }
    }

    @Test
    void shouldResetAPeerThatIsReadNoMore() throws Exception {
        try (ChannelPair pair = newPair()) {
            pair.pair();
            send(pair.client, 0, 10);
            pair.server.close();
            assertThatThrownBy(() -> send(pair.client, 0, 10)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldBreakOffWhereThePeersProcessIsGone() throws Exception {
        try (ChannelPair pair = newPair()) {
            pair.pair();
            Future<Integer> read = threads.submit(() -> pair.server.read(ByteBuffer.allocate(10)));
            TimeUnit.MILLISECONDS.sleep(50);
            pair.end();
            TimeUnit.MILLISECONDS.sleep(50);
            assertThat(read.isDone()).isFalse();
            // A connection whose session has ended goes on as long as both its ends live.
            send(pair.client, 0, 3);
            assertThat(outcome(read)).isEqualTo(3);
        }
    }

    /** Else a selector that waits for room alone, on a link without a session, would not hear that the peer is gone. */
    @Test
    void shouldNotSwitchOnceTheSessionIsOver() throws Exception {
        try (ChannelPair pair = newPair()) {
            pair.client.configureBlocking(false);
            long inTcp = writeUntilFull(pair.client);
            // Not before TCP has delivered everything.
            pair.pair();
            pair.end();
            readAll(pair.server, inTcp);

            send(pair.client, 0, 10);
            assertThat(((KernelStream) pair.clientEnd).hasSwitched()).isFalse();
            receive(pair, pair.server, Style.BLOCKING, 0, 10, 1);
        }
    }

    private static long writeUntilFull(SocketChannel channel) throws IOException {
        long written = 0;
        long count = 1;
        while (count > 0) {
            count = channel.write(ByteBuffer.allocate(1_000));
            written += count;
        }
        return written;
    }

    private static void readAll(SocketChannel channel, long count) throws IOException {
        ByteBuffer all = ByteBuffer.allocate((int) count);
        while (all.hasRemaining()) {
            channel.read(all);
        }
    }

    @Test
    void shouldWaitForRoomWithASelector() throws Exception {
        try (ChannelPair pair = newPair();
                Selector selector = pair.openSelector()) {
            pair.pair();
            pair.client.configureBlocking(false);
            pair.client.register(selector, SelectionKey.OP_WRITE);
            long written = writeUntilFull(pair.client);
            assertThat(selector.selectNow()).isZero();
            Future<Integer> selected = threads.submit(() -> selector.select());
            TimeUnit.MILLISECONDS.sleep(50);
            assertThat(selected.isDone()).isFalse();
            readAll(pair.server, written);
            assertThat(outcome(selected)).isEqualTo(1);
        }
    }
}
