package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.counters.Counter;

/** Where a ring is full and there is no memory for a larger one, its stream goes back to TCP at any byte, and nobody notices. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WayBackTest {
    private enum Style {
        BLOCKING,
        VIRTUAL,
        POLLING,
        SELECTING
    }

    /** Records that a ring of the smallest size takes. */
    private static final int RECORDS = 11;

    private static final int MUCH = 400_000;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void end() {
        threads.shutdownNow();
        virtual.shutdownNow();
    }

    private <T> Future<T> start(Style style, Callable<T> task) {
        return (style == Style.VIRTUAL ? virtual : threads).submit(task);
    }

    private static <T> T outcome(Future<T> future) throws Exception {
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private static boolean waits(Style style) {
        return style == Style.BLOCKING || style == Style.VIRTUAL;
    }

    /** The bytes of a stream, told by their positions alone; tokens look like some of them. */
    private static byte at(long position) {
        return (byte) (position % 3 == 0 ? position * 7 + (position >> 8) : position % 3 - 1);
    }

    private static ByteBuffer bytes(long from, int count) {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        for (int i = 0; i < count; i++) {
            bytes.put(at(from + i));
        }
        return bytes.flip();
    }

    private static void send(SocketChannel channel, long from, int count) throws IOException {
        ByteBuffer source = bytes(from, count);
        while (source.hasRemaining()) {
            channel.write(source);
        }
    }

    private static long check(ByteBuffer target, long from) {
        long position = from;
        target.flip();
        while (target.hasRemaining()) {
            if (target.get() != at(position)) {
                throw new AssertionError("byte " + position);
            }
            position++;
        }
        return position;
    }

    /** Reads until that many were read, or to the end of the stream where there is one first; returns the position behind. */
    private static long receive(ChannelPair pair, SocketChannel channel, Style style, long from, long to, int piece)
            throws IOException {
        long position = from;
        try (Selector selector = style == Style.SELECTING ? pair.openSelector() : null) {
            if (selector != null) {
                channel.register(selector, SelectionKey.OP_READ);
            }
            while (position < to) {
                int most = (int) Math.min(piece, to - position);
                ByteBuffer[] targets = {ByteBuffer.allocate(most / 2), ByteBuffer.allocate(most - most / 2)};
                long count = channel.read(targets);
                if (count < 0) {
                    return position;
                }
                if (count == 0 && selector != null) {
                    assertThat(selector.select(60_000)).isEqualTo(1);
                    selector.selectedKeys().clear();
                } else if (count == 0) {
                    Thread.yield();
                }
                position = check(targets[1], check(targets[0], position));
            }
        }
        return position;
    }

    /** Fills a ring, and writes behind it until the stream has gone back; returns how much was written. */
    private static int goBack(ChannelPair pair, SocketChannel channel, int from, int first, int behind)
            throws IOException {
        pair.memory.full = true;
        send(channel, from, first);
        int position = from + first;
        long before = Counter.RINGS_LEFT.get();
        while (Counter.RINGS_LEFT.get() == before) {
            send(channel, position, 1 + position % 40);
            position += 1 + position % 40;
        }
        send(channel, position, behind);
        return position + behind;
    }

    /** The stream goes back behind every length of what is in the ring, whatever the reader has read by then. */
    @ParameterizedTest
    @EnumSource(Style.class)
    void shouldGoBackBehindEveryByte(Style style) throws Exception {
        for (int first = 1; first <= 60; first++) {
            for (int taken = 0; taken <= RECORDS; taken += 5) {
                try (ChannelPair pair = new ChannelPair()) {
                    pair.server.configureBlocking(waits(style));
                    int inKernel = first % 4;
                    send(pair.client, 0, inKernel);
                    pair.pair();
                    int length = first;
                    int before = taken;
                    int piece = 1 + first * 7 % 90;
                    Future<Long> read = start(style, () -> {
                        long position = receive(pair, pair.server, style, 0, inKernel + before, piece);
                        return receive(pair, pair.server, style, position, Long.MAX_VALUE, piece);
                    });
                    if (before > 0) {
                        send(pair.client, inKernel, before);
                    }
                    int all = goBack(pair, pair.client, inKernel + before, length, first % 5 * 50);
                    pair.client.shutdownOutput();
                    assertThat(outcome(read)).isEqualTo(all);
                    // The other direction has its ring still.
                    pair.server.configureBlocking(true);
                    send(pair.server, 0, 10);
                    assertThat(receive(pair, pair.client, Style.BLOCKING, 0, 10, 10))
                            .isEqualTo(10);
                }
            }
        }
    }

    /** Everything is in the socket by the time of the first read: bytes before the switch, tokens, and bytes behind the way back. */
    @ParameterizedTest
    @EnumSource(Style.class)
    void shouldTakeApartWhatOneReadBrings(Style style) throws Exception {
        for (int inKernel = 0; inKernel < 12; inKernel++) {
            for (int piece : new int[] {1, 2, 7, 50, 200, 100_000}) {
                try (ChannelPair pair = new ChannelPair()) {
                    pair.server.configureBlocking(waits(style));
                    send(pair.client, 0, inKernel);
                    pair.pair();
                    int all = goBack(pair, pair.client, inKernel, 3, 20_000);
                    pair.client.shutdownOutput();
                    Future<Long> read = start(style, () -> receive(pair, pair.server, style, 0, Long.MAX_VALUE, piece));
                    assertThat(outcome(read)).isEqualTo(all);
                }
            }
        }
    }

    /** Both write more than any ring takes that can be had, before they read. */
    @ParameterizedTest
    @CsvSource({"4096", "16384", "65536", "262144"})
    void shouldTakeWhatTcpTakesWhereNobodyReads(int ring) throws Exception {
        for (Style style : Style.values()) {
            try (ChannelPair pair = new ChannelPair()) {
                pair.memory.maxBytes = ring;
                pair.client.configureBlocking(waits(style));
                pair.server.configureBlocking(waits(style));
                pair.pair();
                CyclicBarrier written = new CyclicBarrier(2);
                Future<Long> one = start(style, () -> writeThenRead(pair, pair.client, style, written));
                Future<Long> other = start(style, () -> writeThenRead(pair, pair.server, style, written));
                assertThat(outcome(one)).as("%s", style).isEqualTo(MUCH);
                assertThat(outcome(other)).as("%s", style).isEqualTo(MUCH);
            }
        }
    }

    private static long writeThenRead(ChannelPair pair, SocketChannel channel, Style style, CyclicBarrier written)
            throws Exception {
        ByteBuffer source = bytes(0, MUCH);
        try (Selector selector = style == Style.SELECTING ? pair.openSelector() : null) {
            if (selector != null) {
                channel.register(selector, SelectionKey.OP_WRITE);
            }
            while (source.hasRemaining()) {
                if (selector != null) {
                    assertThat(selector.select(60_000)).isEqualTo(1);
                    selector.selectedKeys().clear();
                }
                channel.write(source);
            }
        }
        written.await(60, TimeUnit.SECONDS);
        return receive(pair, channel, style, 0, MUCH, 10_000);
    }

    @ParameterizedTest
    @CsvSource({
        "BLOCKING, BLOCKING",
        "BLOCKING, SELECTING",
        "VIRTUAL, POLLING",
        "POLLING, VIRTUAL",
        "SELECTING, BLOCKING",
        "SELECTING, SELECTING",
        "POLLING, SELECTING",
        "SELECTING, VIRTUAL"
    })
    void shouldGoBackUnderTrafficInBothDirections(Style ofClient, Style ofServer) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 30; round++) {
            int total = 1 << 12 + random.nextInt(9);
            try (ChannelPair pair = new ChannelPair()) {
                pair.client.configureBlocking(waits(ofClient));
                pair.server.configureBlocking(waits(ofServer));
                pair.memory.maxBytes = 4 << 10 << 2 * random.nextInt(4);
                Future<?> there = start(ofClient, writing(pair, pair.client, ofClient, total, random.nextLong()));
                Future<Long> thereRead = start(
                        ofServer, () -> receive(pair, pair.server, ofServer, 0, Long.MAX_VALUE, 1 + total % 9_000));
                Future<?> back = start(ofServer, writing(pair, pair.server, ofServer, total, random.nextLong()));
                Future<Long> backRead =
                        start(ofClient, () -> receive(pair, pair.client, ofClient, 0, Long.MAX_VALUE, 1 + total % 700));
                TimeUnit.MICROSECONDS.sleep(random.nextInt(2_000));
                pair.pair();
                outcome(there);
                outcome(back);
                assertThat(outcome(thereRead)).as("seed %d", seed).isEqualTo(total);
                assertThat(outcome(backRead)).as("seed %d", seed).isEqualTo(total);
            }
        }
    }

    private static Callable<Void> writing(ChannelPair pair, SocketChannel channel, Style style, int total, long seed) {
        return () -> {
            Random random = new Random(seed);
            try (Selector selector = style == Style.SELECTING ? pair.openSelector() : null) {
                SelectionKey key = selector == null ? null : channel.register(selector, 0);
                int position = 0;
                while (position < total) {
                    int most = random.nextInt(4) == 0 ? 20_000 : 60;
                    ByteBuffer source = bytes(position, Math.min(total - position, 1 + random.nextInt(most)));
                    position += source.remaining();
                    while (source.hasRemaining()) {
                        if (channel.write(source) == 0 && key != null) {
                            key.interestOps(SelectionKey.OP_WRITE);
                            assertThat(selector.select(60_000)).isEqualTo(1);
                            selector.selectedKeys().clear();
                            key.interestOps(0);
                        }
                    }
                }
            }
            channel.shutdownOutput();
            return null;
        };
    }

    @ParameterizedTest
    @EnumSource(Style.class)
    void shouldReadAllThatWasWrittenBeforeTheClose(Style style) throws Exception {
        for (int behind = 0; behind < 200; behind += 9) {
            try (ChannelPair pair = new ChannelPair()) {
                pair.server.configureBlocking(waits(style));
                pair.pair();
                Future<Long> read = start(style, () -> receive(pair, pair.server, style, 0, Long.MAX_VALUE, 37));
                int all = goBack(pair, pair.client, 0, 1 + behind % 50, behind);
                pair.client.close();
                assertThat(outcome(read)).isEqualTo(all);
            }
        }
    }

    /** Whether unread bytes are in the ring, with the last token, or in the kernel. */
    @Test
    void shouldResetAPeerWhoseBytesAreLeftUnread() throws Exception {
        for (int read = 0; read < 700; read += 30) {
            try (ChannelPair pair = new ChannelPair()) {
                pair.pair();
                int all = goBack(pair, pair.client, 0, 5, 100);
                receive(pair, pair.server, Style.BLOCKING, 0, Math.min(read, all - 1), 30);
                pair.server.close();
                assertThatThrownBy(() -> pair.client.read(ByteBuffer.allocate(1)))
                        .as("behind %d of %d", read, all)
                        .isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void shouldEndInOrderForAPeerWhoseBytesWereRead() throws Exception {
        try (ChannelPair pair = new ChannelPair()) {
            pair.pair();
            int all = goBack(pair, pair.client, 0, 5, 100);
            receive(pair, pair.server, Style.BLOCKING, 0, all, 30);
            send(pair.server, 0, 5);
            pair.server.close();
            assertThat(receive(pair, pair.client, Style.BLOCKING, 0, Long.MAX_VALUE, 30))
                    .isEqualTo(5);
        }
    }

    @Test
    void shouldResetBehindTheWayBack() throws Exception {
        try (ChannelPair pair = new ChannelPair()) {
            pair.pair();
            goBack(pair, pair.client, 0, 5, 100);
            pair.client.setOption(StandardSocketOptions.SO_LINGER, 0);
            pair.client.close();
            assertThatThrownBy(() -> receive(pair, pair.server, Style.BLOCKING, 0, Long.MAX_VALUE, 30))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldEndAWriteThatWaitsInTheKernelWhenTheChannelIsClosed() throws Exception {
        try (ChannelPair pair = new ChannelPair()) {
            pair.memory.maxBytes = 4 << 10;
            pair.pair();
            ByteBuffer bytes = ByteBuffer.allocate(64 << 20);
            Future<Integer> read = WaitingCall.start(threads, () -> pair.server.read(ByteBuffer.allocate(10)));
            Future<Integer> write = WaitingCall.start(threads, () -> pair.server.write(bytes));
            // It fills the ring first, and the socket behind that.
            TimeUnit.MILLISECONDS.sleep(200);
            assertThat(read.isDone() || write.isDone()).isFalse();
            pair.server.close();
            assertThatThrownBy(() -> outcome(read)).isInstanceOf(AsynchronousCloseException.class);
            assertThat(outcome(write)).isPositive();
        }
    }

    /** The peer, whose stream went back, cannot send tokens any more; its reading makes room all the same. */
    @Test
    void shouldWaitForRoomInARingWhosePeerHasGoneBack() throws Exception {
        try (ChannelPair pair = new ChannelPair();
                Selector selector = pair.openSelector()) {
            pair.pair();
            pair.server.configureBlocking(false);
            pair.server.register(selector, SelectionKey.OP_WRITE);
            int written = 0;
            int count = 1;
            while (count > 0) {
                count = pair.server.write(ByteBuffer.allocate(1 << 20));
                written += count;
            }
            assertThat(selector.selectNow()).isZero();
            Future<Integer> selected = threads.submit(() -> selector.select());
            goBack(pair, pair.client, 0, 5, 100);
            TimeUnit.MILLISECONDS.sleep(50);
            assertThat(selected.isDone()).isFalse();
            ByteBuffer all = ByteBuffer.allocate(written);
            while (all.hasRemaining()) {
                pair.client.read(all);
            }
            assertThat(outcome(selected)).isEqualTo(1);
            pair.server.keyFor(selector).interestOps(SelectionKey.OP_READ);
            selector.selectedKeys().clear();
            assertThat(selector.select()).isEqualTo(1);
        }
    }

    @Test
    void shouldCountWhatCanBeRead() throws Exception {
        try (ChannelPair pair = new ChannelPair()) {
            pair.pair();
            int all = goBack(pair, pair.client, 0, 5, 100);
            assertThat(pair.server.socket().getInputStream().available()).isPositive();
            long position = 0;
            while (position < all) {
                int available = pair.server.socket().getInputStream().available();
                assertThat(available).as("behind %d of %d", position, all).isPositive();
                position = receive(pair, pair.server, Style.BLOCKING, position, position + available, available);
            }
            assertThat(position).isEqualTo(all);
            assertThat(pair.server.socket().getInputStream().available()).isZero();
        }
    }

    @Test
    void shouldCarryUrgentBytesBehindTheWayBack() throws Exception {
        try (ChannelPair pair = new ChannelPair()) {
            pair.server.socket().setOOBInline(true);
            pair.pair();
            int all = goBack(pair, pair.client, 0, 5, 100);
            pair.client.socket().sendUrgentData(at(all));
            send(pair.client, all + 1, 10);
            pair.client.shutdownOutput();
            assertThat(receive(pair, pair.server, Style.BLOCKING, 0, Long.MAX_VALUE, 7))
                    .isEqualTo(all + 11);
        }
    }

    @Test
    void shouldCountConnectionsInRingsNoMoreOnceBothDirectionsAreBack() throws Exception {
        long rings = Counter.RINGS_OPEN.get();
        ChannelPair pair = new ChannelPair();
        try (pair) {
            pair.pair();
            assertThat(pair.plainConnections.open()).isZero();
            send(pair.server, 0, 1);
            receive(pair, pair.client, Style.BLOCKING, 0, 1, 1);
            int there = goBack(pair, pair.client, 0, 5, 0);
            receive(pair, pair.server, Style.BLOCKING, 0, there, 100);
            assertThat(Counter.RINGS_OPEN.get()).isEqualTo(rings + 2);
            int back = goBack(pair, pair.server, 1, 5, 0);
            receive(pair, pair.client, Style.BLOCKING, 1, back, 100);
            assertThat(Counter.RINGS_OPEN.get()).isEqualTo(rings);
            assertThat(pair.plainConnections.open()).isEqualTo(2);
        }
        assertThat(pair.plainConnections.open()).isZero();
        assertThat(pair.plainConnections.total()).isEqualTo(2);
    }

    /** The option is the application's, and the socket's own answer would be ours. */
    @Test
    void shouldAnswerForOptionsAsBefore() throws Exception {
        try (ChannelPair pair = new ChannelPair()) {
            pair.pair();
            goBack(pair, pair.client, 0, 5, 0);
            assertThat(pair.client.getOption(StandardSocketOptions.TCP_NODELAY)).isFalse();
        }
    }
}
