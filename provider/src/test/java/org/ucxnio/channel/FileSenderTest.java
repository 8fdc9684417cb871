package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.counters.Counter;
import org.ucxnio.jdk.TransferHook;

/** Files that the kernel copies, where {@code FileChannel.transferTo} asks first. */
@Timeout(30)
class FileSenderTest {
    private static final int BYTES = 1 << 20;
    private static final int SMALL = 100;

    /** What goes into a ring before it has to grow. */
    private static final int FIRST_RING = 4 << 10;

    @TempDir
    private Path directory;

    private final byte[] content = new byte[BYTES];
    private FileChannel file;

    @BeforeEach
    void open() throws IOException {
        new Random(BYTES).nextBytes(content);
        file = FileChannel.open(Files.write(directory.resolve("file"), content));
    }

    @AfterEach
    void close() throws IOException {
        file.close();
    }

    private void expect(SocketChannel from, int position, int count) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(count);
        while (target.hasRemaining()) {
            assertThat(from.read(target)).isPositive();
        }
        assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(content, position, count));
    }

    private void write(SocketChannel to, int position, int count) throws IOException {
        assertThat(to.write(ByteBuffer.wrap(content, position, count))).isEqualTo(count);
    }

    private void expectDeclined(UcxSocketChannel to) throws IOException {
        assertThat(to.transfer(file, 0, BYTES)).isEqualTo(TransferHook.DECLINED);
    }

    /** What the switch tells the peer would be wrong otherwise, and bytes of the file taken for tokens. */
    @Test
    void shouldCountAsWritten() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            write(pair.client, 0, 7);
            assertThat(pair.client.transfer(file, 7, 5000)).isEqualTo(5000);
            pair.pair();
            write(pair.client, 5007, 100);
            expect(pair.server, 0, 5107);
            assertThat(pair.client.stream.writesKernelAlone()).isFalse();
        }
    }

    @Test
    void shouldTellWhatAFileLacks() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            pair.client.configureBlocking(false);
            assertThat(pair.client.transfer(file, BYTES, 10)).isZero();
            assertThat(pair.client.transfer(file, BYTES - 10, BYTES)).isEqualTo(10);
            assertThatThrownBy(() -> pair.client.transfer(file, -1, 10)).isInstanceOf(IllegalArgumentException.class);
            file.close();
            assertThatThrownBy(() -> pair.client.transfer(file, 0, 10)).isInstanceOf(ClosedChannelException.class);
            assertThat(pair.client.isOpen()).isTrue();
            expect(pair.server, BYTES - 10, 10);
        }
    }

    @Test
    void shouldLeaveToWritesWhatTheyTellBetter() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            synchronized (pair.client.blockingLock()) {
                expectDeclined(pair.client);
            }
            pair.client.shutdownOutput();
            expectDeclined(pair.client);
            pair.server.close();
            expectDeclined(pair.server);
        }
    }

    /** Else they would go in a loop of calls that move nothing, or wait with their carriers. */
    @Test
    void shouldHaveVirtualThreadsWaitInWrites() throws Exception {
        try (ChannelPair pair = new ChannelPair()) {
            FutureTask<Long> filled = new FutureTask<>(() -> {
                long sent = 0;
                long more;
                while ((more = pair.client.transfer(file, 0, BYTES)) > 0) {
                    sent += more;
                }
                assertThat(more).isEqualTo(TransferHook.DECLINED);
                return sent;
            });
            Thread.startVirtualThread(filled);
            assertThat(filled.get(10, TimeUnit.SECONDS)).isPositive();
        }
    }

    @Test
    void shouldKeepShortSegmentsBackAgain() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            pair.client.write(ByteBuffer.allocate(FilePieces.BYTES));
            assertThat(pair.client.kernel.channel().getOption(StandardSocketOptions.TCP_NODELAY))
                    .isTrue();
            pair.client.transfer(file, 0, SMALL);
            assertThat(pair.client.kernel.channel().getOption(StandardSocketOptions.TCP_NODELAY))
                    .isFalse();
        }
    }

    // -- over a link -------------------------------------------------------------------------------------------------

    private static ChannelPair linked(boolean messages) throws IOException {
        ChannelPair pair = new ChannelPair(messages ? TestMessages.instance() : null);
        pair.pair();
        return pair;
    }

    /** Receives the file so many times. */
    private FutureTask<Void> receiving(SocketChannel from, int times) {
        FutureTask<Void> task = new FutureTask<>(() -> {
            for (int i = 0; i < times; i++) {
                expect(from, 0, BYTES);
            }
            return null;
        });
        new Thread(task).start();
        return task;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGoToALink(boolean messages) throws Exception {
        try (ChannelPair pair = linked(messages)) {
            FutureTask<Void> received = receiving(pair.server, 1);
            write(pair.client, 0, SMALL);
            assertThat(pair.client.stream.out.isLinked()).isTrue();
            long copied = Counter.FILE_BYTES_SENT.get();
            assertThat(pair.client.transfer(file, SMALL, Long.MAX_VALUE)).isEqualTo(BYTES - SMALL);
            assertThat(Counter.FILE_BYTES_SENT.get() > copied)
                    .as("copied by the kernel")
                    .isNotEqualTo(messages);
            received.get(20, TimeUnit.SECONDS);
            assertThat(pair.client.transfer(file, BYTES, BYTES)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGoToALinkAsFarAsThereIsRoom(boolean messages) throws Exception {
        try (ChannelPair pair = linked(messages)) {
            write(pair.client, 0, 1);
            pair.client.configureBlocking(false);
            // More than either takes.
            int rounds = 16;
            FutureTask<Void> received = null;
            int stops = 0;
            for (int round = 0; round < rounds; round++) {
                long sent = 1;
                while (sent < BYTES) {
                    long more = pair.client.transfer(file, sent, BYTES - sent);
                    if (more == TransferHook.DECLINED) {
                        more = pair.client.write(ByteBuffer.wrap(content, (int) sent, (int) (BYTES - sent)));
                    }
                    assertThat(more).isNotNegative();
                    sent += more;
                    if (more == 0) {
                        stops++;
                        received = received == null ? receiving(pair.server, rounds) : received;
                        Thread.yield();
                    }
                }
                if (round < rounds - 1) {
                    while (pair.client.write(ByteBuffer.wrap(content, 0, 1)) == 0) {
                        Thread.yield();
                    }
                }
            }
            assertThat(stops).isPositive();
            received.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldSendNoMoreThanIsWanted() throws Exception {
        try (ChannelPair pair = linked(false)) {
            pair.client.configureBlocking(false);
            write(pair.client, 0, 1);
            int count = BYTES / 10;
            assertThat(pair.client.transfer(file, 1, count)).isEqualTo(count);
            write(pair.client, 1 + count, SMALL);
            expect(pair.server, 0, 1 + count + SMALL);
        }
    }

    @Test
    void shouldLeaveShortAndOddOnesToWrites() throws IOException {
        try (ChannelPair pair = linked(false)) {
            write(pair.client, 0, 1);
            assertThat(pair.client.transfer(file, 0, FilePieces.BYTES)).isEqualTo(TransferHook.DECLINED);
            assertThat(pair.client.transfer(file, 0, -1)).isEqualTo(TransferHook.DECLINED);
            assertThat(pair.client.transfer(file, -1, BYTES)).isEqualTo(TransferHook.DECLINED);
            file.close();
            assertThatThrownBy(() -> pair.client.transfer(file, 0, BYTES)).isInstanceOf(ClosedChannelException.class);
            assertThat(pair.client.isOpen()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCloseBothWhereTheThreadIsInterrupted(boolean linked) throws Exception {
        try (ChannelPair pair = linked ? linked(false) : new ChannelPair()) {
            write(pair.client, 0, 1);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> pair.client.transfer(file, 0, BYTES))
                    .isInstanceOf(ClosedByInterruptException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(file.isOpen() || pair.client.isOpen()).isFalse();
        }
    }

    @Test
    void shouldCloseBothWhereAThreadThatWaitsIsInterrupted() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (ChannelPair pair = linked(false)) {
            write(pair.client, 0, 1);
            pair.client.configureBlocking(false);
            while (pair.client.transfer(file, 0, BYTES) > 0) {
                // until the ring is full
            }
            pair.client.configureBlocking(true);
            AtomicReference<Thread> sender = new AtomicReference<>();
            Future<Long> sent = WaitingCall.start(threads, () -> {
                sender.set(Thread.currentThread());
                return pair.client.transfer(file, 0, BYTES);
            });
            sender.get().interrupt();
            assertThatThrownBy(() -> sent.get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(ClosedByInterruptException.class);
            assertThat(file.isOpen() || pair.client.isOpen()).isFalse();
        } finally {
            threads.shutdownNow();
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Though there is room. */
    @Test
    void shouldEndWhereTheChannelIsClosed() throws Exception {
        try (ChannelPair pair = linked(false)) {
            write(pair.client, 0, 1);
            Runnable close = () -> assertThat(CompletableFuture.runAsync(() -> close(pair.client)))
                    .succeedsWithin(10, TimeUnit.SECONDS);
            try (FileChannel endless = new EndlessFile(close)) {
                assertThat(pair.client.transfer(endless, 0, BYTES)).isBetween(1L, (long) FIRST_RING);
            }
        }
    }

    @Test
    void shouldGoToTheKernelBehindTheWayBack() throws Exception {
        try (ChannelPair pair = linked(false)) {
            pair.memory.full = true;
            int written = 0;
            while (!pair.client.stream.out.isBack()) {
                write(pair.client, written, SMALL);
                written += SMALL;
            }
            int rest = BYTES - written;
            FutureTask<Void> received = receiving(pair.server, 1);
            assertThat(pair.client.transfer(file, written, rest)).isEqualTo(rest);
            received.get(20, TimeUnit.SECONDS);
        }
    }
}
