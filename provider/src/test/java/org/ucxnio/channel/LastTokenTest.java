package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.counters.Counter;

/** The last token of a stream that goes back to TCP finds no room, or comes where it should not. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LastTokenTest {
    private static final int MANY = 64 << 10;

    private final ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private static SocketChannel socket(UcxSocketChannel of) {
        return (SocketChannel) of.kernelChannel();
    }

    /** The writing end of a socket that has no room left for a token. */
    private static void fill(UcxSocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        ByteBuffer tokens = ByteBuffer.allocate(MANY);
        while (socket(channel).write(tokens.clear()) > 0) {
            // until there is no room
        }
        tokens.limit(1);
        while (socket(channel).write(tokens.rewind()) > 0) {
            // until there is none for a single one
        }
    }

    /** Writes until the stream has gone back; returns how many bytes that were. */
    private static int goBack(ChannelPair pair, UcxSocketChannel channel) throws IOException {
        pair.memory.full = true;
        long before = Counter.RINGS_LEFT.get();
        int count = 0;
        while (Counter.RINGS_LEFT.get() == before) {
            count += channel.write(ByteBuffer.allocate(30));
        }
        return count;
    }

    private static int readToEnd(SocketChannel channel) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(1000);
        int count = 0;
        for (int read = channel.read(target); read >= 0; read = channel.read(target.clear())) {
            count += read;
        }
        return count;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldBeSentOnceThereIsRoomThoughNobodyWritesAgain(boolean blocking) throws Exception {
        try (ChannelPair pair = new ChannelPair()) {
            pair.pair();
            fill(pair.client);
            int written = goBack(pair, pair.client);
            pair.server.configureBlocking(blocking);
            ByteBuffer target = ByteBuffer.allocate(written);
            while (target.hasRemaining()) {
                pair.server.read(target);
            }
            Future<Integer> read = threads.submit(() -> {
                int count = 0;
                while (count == 0) {
                    count = pair.server.read(ByteBuffer.allocate(10));
                }
                return count;
            });
            while (pair.memory.retired() == 0) {
                Thread.yield();
            }
            while (pair.client.write(ByteBuffer.allocate(5)) == 0) {
                Thread.yield();
            }
            assertThat(read.get(30, TimeUnit.SECONDS)).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotBeMissedWhereTheStreamEndsBeforeIt(boolean closed) throws Exception {
        try (ChannelPair pair = new ChannelPair()) {
            pair.pair();
            fill(pair.client);
            int written = goBack(pair, pair.client);
            if (closed) {
                pair.client.close();
            } else {
                pair.client.shutdownOutput();
            }
            assertThat(readToEnd(pair.server)).isEqualTo(written);
        }
    }

    @Test
    void shouldResetAPeerThatSendsItWithoutHavingGoneBack() throws Exception {
        try (ChannelPair pair = new ChannelPair()) {
            pair.pair();
            Future<Integer> read = threads.submit(() -> pair.server.read(ByteBuffer.allocate(10)));
            TimeUnit.MILLISECONDS.sleep(50);
            socket(pair.client).write(ByteBuffer.wrap(new byte[] {1, 9, 9}));
            assertThatThrownBy(() -> read.get(30, TimeUnit.SECONDS)).hasRootCauseInstanceOf(SocketException.class);
        }
    }

    /** A selector sleeps although the socket has bytes that nobody may read. */
    @Test
    void shouldNotKeepASelectorAwakeWhereItCameWithoutAWayBack() throws Exception {
        try (ChannelPair pair = new ChannelPair();
                Selector selector = pair.openSelector()) {
            pair.pair();
            pair.server.configureBlocking(false);
            pair.server.register(selector, SelectionKey.OP_READ);
            assertThat(selector.selectNow()).isZero();
            socket(pair.client).write(ByteBuffer.wrap(new byte[] {1, 9, 9}));
            long before = clock.getCurrentThreadCpuTime();
            assertThat(selector.select(1_000)).isZero();
            assertThat(clock.getCurrentThreadCpuTime() - before).isLessThan(TimeUnit.MILLISECONDS.toNanos(500));
            assertThatThrownBy(() -> pair.server.read(ByteBuffer.allocate(10))).isInstanceOf(IOException.class);
        }
    }
}
