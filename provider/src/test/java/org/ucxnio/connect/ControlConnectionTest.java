package org.ucxnio.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.config.Config;
import org.ucxnio.jdk.Descriptors;
import org.ucxnio.transport.Connection;
import org.ucxnio.transport.Peer;
import org.ucxnio.transport.Transport;
import org.ucxnio.ucx.fake.FakeUcx;

@Timeout(30)
class ControlConnectionTest {
    private static final int BOUND = 1;
    private static final int DATA = 2;
    private static final int FIN = 3;
    private static final int EXIT = 4;
    private static final int MAX_PAYLOAD = ControlLoop.BUFFER_BYTES - 4;

    private static Transport transport;
    private static ControlLoop loop;

    private SocketChannel ours;
    private SocketChannel theirs;
    private ControlConnection control;
    private Connection connection;

    @BeforeAll
    static void start() throws IOException {
        transport = new Transport(Config.from(Map.of(Config.DRAIN, "200ms")::get), new FakeUcx(), new TestPosix());
        loop = new ControlLoop(new TestPosix());
        loop.start();
    }

    @BeforeEach
    void open() throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            theirs = SocketChannel.open(listener.getLocalAddress());
            ours = listener.accept();
        }
        ours.configureBlocking(false);
        control = new ControlConnection(loop, ours, "peer");
        connection = transport.newConnection(new Peer(UUID.randomUUID(), true, 1 << 18, 1024), "peer", control);
        onLoop(() -> {
            try {
                control.start(connection, null);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @AfterEach
    void close() throws IOException {
        connection.reset();
        theirs.close();
        ours.close();
    }

    /** Runs a task on the loop's thread and waits for it; what the loop had to do before is done. */
    private static void onLoop(Runnable task) throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                task.run();
                done.complete(null);
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        done.get(20, TimeUnit.SECONDS);
    }

    private static ByteBuffer message(int type, int length, byte... payload) {
        return ByteBuffer.allocate(4 + payload.length)
                .putInt(type << 24 | length)
                .put(payload)
                .flip();
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private static byte[] pattern(long seed, int count) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static ConditionFactory soon() {
        return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
    }

    private void say(ByteBuffer message) throws IOException {
        while (message.hasRemaining()) {
            theirs.write(message);
        }
    }

    private void bind() throws IOException {
        connection.bind(transport.blockingGroup());
    }

    private byte[] readAll(int count) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(count);
        soon().until(() -> connection.read(new ByteBuffer[] {all}, 0, 1) < 0 || !all.hasRemaining());
        return all.array();
    }

    private void assertReset() {
        soon().until(() -> (connection.readyOps() & SelectionKey.OP_READ) != 0);
        assertThatThrownBy(() -> connection.read(new ByteBuffer[] {ByteBuffer.allocate(1)}, 0, 1))
                .isInstanceOf(SocketException.class);
    }

    private DataInputStream wire() throws IOException {
        return new DataInputStream(theirs.socket().getInputStream());
    }

    // -- sending -----------------------------------------------------------------------------------------------------

    @Test
    void shouldWriteMessagesAsTypeLengthAndPayload() throws IOException {
        control.sendBound(new byte[] {7, 8, 9}, 0x01020304);
        control.sendData(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}, 1, 3));
        control.sendFin(0x0102030405060708L);
        control.sendExit(9);
        control.close();

        assertThat(wire().readAllBytes())
                .containsExactly(
                        1, 0, 0, 7, 1, 2, 3, 4, 7, 8, 9, //
                        2, 0, 0, 3, 2, 3, 4, //
                        3, 0, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8, //
                        4, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 9);
    }

    @Test
    void shouldSplitDataThatIsTooLongForOneMessage() throws IOException {
        byte[] bytes = pattern(1, 3 * MAX_PAYLOAD + 17);
        CompletableFuture<byte[]> received = CompletableFuture.supplyAsync(() -> {
            try {
                return dataOf(wire(), bytes.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        control.sendData(buffer);

        assertThat(buffer.hasRemaining()).isFalse();
        assertThat(received.join()).isEqualTo(bytes);
    }

    private static byte[] dataOf(DataInputStream in, int count) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(count);
        while (all.hasRemaining()) {
            int header = in.readInt();
            assertThat(header >>> 24).isEqualTo(DATA);
            int length = header & 0xff_ffff;
            assertThat(length).isBetween(1, MAX_PAYLOAD);
            all.put(in.readNBytes(length));
        }
        return all.array();
    }

    @Test
    void shouldNeitherBlockNorLoseWhatThePeerIsSlowToRead() throws IOException {
        int count = 16 << 20;
        byte[] bytes = pattern(2, count);
        control.sendData(ByteBuffer.wrap(bytes));
        control.sendFin(count);
        control.close();
        assertThat(ours.isOpen()).as("what was sent has not left").isTrue();

        DataInputStream in = wire();
        assertThat(dataOf(in, count)).isEqualTo(bytes);
        assertThat(in.readInt()).isEqualTo(FIN << 24 | 8);
        assertThat(in.readLong()).isEqualTo(count);
        assertThat(in.read()).isEqualTo(-1);
        theirs.close();
        soon().until(() -> !ours.isOpen());
    }

    @Test
    void shouldKeepMessagesOfManyThreadsWhole() throws Exception {
        int threads = 4;
        int each = 2000;
        for (int t = 0; t < threads; t++) {
            Thread.ofPlatform().daemon().start(() -> {
                for (int i = 0; i < each; i++) {
                    control.sendExit(i);
                }
            });
        }
        DataInputStream in = wire();
        long sum = 0;
        for (int i = 0; i < threads * each; i++) {
            assertThat(in.readInt()).isEqualTo(EXIT << 24 | 8);
            sum += in.readLong();
        }
        assertThat(sum).isEqualTo((long) threads * each * (each - 1) / 2);
    }

    /** More than the kernel takes at once, and something that was not read before the close: a reset would lose the rest. */
    @Test
    void shouldDeliverDataThoughThePeerSaysSomethingMeanwhile() throws Exception {
        byte[] sent = pattern(5, 6 << 20);
        CompletableFuture<Void> release = new CompletableFuture<>();
        loop.execute(release::join);
        say(message(BOUND, 40, new byte[20]));
        control.sendData(ByteBuffer.wrap(sent));
        control.close();
        release.complete(null);

        ByteBuffer received = ByteBuffer.allocate(sent.length + 1000);
        while (theirs.read(received) >= 0) {
            // until the end of the stream
        }
        int messages = (sent.length + MAX_PAYLOAD - 1) / MAX_PAYLOAD;
        assertThat(received.position()).isEqualTo(sent.length + 4 * messages);
        assertThat(ours.isOpen()).as("the peer has not ended its stream yet").isTrue();
        theirs.close();
        soon().until(() -> !ours.isOpen());
    }

    @Test
    void shouldKnowWhetherThePeerHasWhatWasSent() throws Exception {
        control.sendFin(1);
        soon().until(control::isDelivered);

        byte[] bytes = pattern(6, 16 << 20);
        control.sendData(ByteBuffer.wrap(bytes));
        control.close();
        assertThat(control.isDelivered()).as("more than the kernel takes").isFalse();
        long start = System.nanoTime();
        loop.awaitDelivery(start + TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));

        DataInputStream in = wire();
        in.skipNBytes(12);
        assertThat(dataOf(in, bytes.length)).isEqualTo(bytes);
        loop.awaitDelivery(System.nanoTime() + TimeUnit.HOURS.toNanos(1));
        assertThat(control.isDelivered()).isTrue();
        assertThat(ours.isOpen()).as("nor is it waited for the peer to end").isTrue();
    }

    /** Our kernel has all of it, and the peer's has no room. */
    @Test
    void shouldWaitForWhatThePeersKernelDoesNotHave() throws Exception {
        TestPosix posix = new TestPosix();
        int fd = Descriptors.of(ours);
        int count = 0;
        while (posix.unconfirmedBytes(fd) < 200_000) {
            control.sendData(ByteBuffer.wrap(new byte[16 << 10]));
            count += 16 << 10;
        }
        assertThat(control.isDelivered()).isFalse();
        assertThat(dataOf(wire(), count)).hasSize(count);
        soon().until(control::isDelivered);
    }

    @Test
    void shouldNotWaitForWhatIsLost() throws Exception {
        control.sendData(ByteBuffer.wrap(new byte[16 << 20]));
        assertThat(control.isDelivered()).isFalse();
        control.abort();
        assertThat(control.isDelivered()).isTrue();
    }

    @Test
    void shouldSendNothingOnceItIsClosedOrAborted() throws IOException {
        control.sendFin(1);
        control.abort();
        control.abort();
        control.sendFin(2);
        control.close();
        control.close();
        control.sendFin(3);

        assertThat(wire().readAllBytes()).hasSize(12);
        assertThat(ours.isOpen()).isFalse();
    }

    @Test
    void shouldBreakOffWithoutClosingTheSocket() throws IOException {
        bind();
        control.abort();

        assertThat(wire().readAllBytes())
                .as("the announcement of the binding alone")
                .isNotEmpty();
        assertThat(ours.isOpen()).as("its options can still be asked for").isTrue();
        assertReset();
    }

    @Test
    void shouldDropWhatWaitsWhenBrokenOff() throws IOException {
        control.sendData(ByteBuffer.wrap(new byte[16 << 20]));
        control.abort();

        assertThat(wire().readAllBytes()).hasSizeLessThan(16 << 20);
    }

    @Test
    void shouldBearAPeerThatIsGone() throws IOException {
        bind();
        theirs.close();
        for (int i = 0; i < 100; i++) {
            control.sendData(ByteBuffer.wrap(new byte[10_000]));
        }
        assertReset();
        control.close();
        soon().until(() -> !ours.isOpen());
    }

    // -- receiving ---------------------------------------------------------------------------------------------------

    @Test
    void shouldReadMessagesThatComeByteByByte() throws IOException {
        theirs.socket().setTcpNoDelay(true);
        byte[] bytes = pattern(3, 100);
        ByteBuffer all = ByteBuffer.allocate(1000);
        for (int i = 0; i < 10; i++) {
            all.put(message(DATA, 10, Arrays.copyOfRange(bytes, i * 10, i * 10 + 10)));
        }
        all.put(message(FIN, 8, number(100))).flip();
        while (all.hasRemaining()) {
            theirs.write(all.slice(all.position(), 1));
            all.position(all.position() + 1);
        }
        bind();

        assertThat(readAll(100)).isEqualTo(bytes);
        soon().until(() -> connection.read(new ByteBuffer[] {ByteBuffer.allocate(1)}, 0, 1) == -1);
    }

    @Test
    void shouldReadMessagesCutAnywhere() throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        Random random = new Random(seed);
        int count = 200_000;
        byte[] bytes = pattern(seed, count);
        ByteBuffer all = ByteBuffer.allocate(count * 3);
        for (int at = 0; at < count; ) {
            int length = Math.min(count - at, 1 + random.nextInt(random.nextBoolean() ? 50 : 30_000));
            all.put(message(DATA, length, Arrays.copyOfRange(bytes, at, at + length)));
            at += length;
        }
        all.flip();
        bind();
        ByteBuffer read = ByteBuffer.allocate(count);
        while (all.hasRemaining()) {
            int piece = Math.min(all.remaining(), 1 + random.nextInt(20_000));
            say(all.slice(all.position(), piece));
            all.position(all.position() + piece);
            onLoop(() -> {});
            connection.read(new ByteBuffer[] {read}, 0, 1);
        }
        soon().until(() -> connection.read(new ByteBuffer[] {read}, 0, 1) < 0 || !read.hasRemaining());

        assertThat(read.array()).as("seed %dL", seed).isEqualTo(bytes);
    }

    @Test
    void shouldReadTheLargestMessage() throws IOException {
        bind();
        byte[] bytes = pattern(4, MAX_PAYLOAD);
        say(message(DATA, MAX_PAYLOAD, bytes));

        assertThat(readAll(MAX_PAYLOAD)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0", "0, 8", "1, 0", "1, 4", "1, 4101", "3, 0", "3, 7", "3, 9", "4, 7", "4, 9", "6, 0", "6, 8", "255, 4"
    })
    void shouldBreakOnAMessageThatDoesNotExist(int type, int length) throws IOException {
        bind();
        say(message(type, length, new byte[length]));

        assertReset();
        assertThat(ours.isOpen()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {MAX_PAYLOAD + 1, 0xff_ffff})
    void shouldBreakOnAnOversizedMessageBeforeItHasArrived(int length) throws IOException {
        bind();
        say(message(DATA, length));

        assertReset();
    }

    @Test
    void shouldBreakOnAnAddressThatLeadsNowhere() throws IOException {
        bind();
        say(message(BOUND, 20, new byte[20]));

        assertReset();
    }

    @Test
    void shouldTellOfAPeerThatEndsInTheMiddleOfAMessage() throws IOException {
        bind();
        say(message(DATA, 3, (byte) 1, (byte) 2, (byte) 3));
        say(message(FIN, 8, (byte) 0));
        theirs.close();

        assertThat(readAll(3)).containsExactly(1, 2, 3);
        assertReset();
    }

    /** Whoever comes with a ticket may be greeted before it is seen. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16})
    void shouldPassOverALateGreeting(int firstPiece) throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel server = SocketChannel.open(listener.getLocalAddress())) {
                SocketChannel client = listener.accept();
                client.configureBlocking(false);
                ControlConnection greeted = new ControlConnection(loop, client, "server");
                Connection other =
                        transport.newConnection(new Peer(UUID.randomUUID(), true, 1 << 18, 1024), "server", greeted);
                greeted.start(other, 8080);
                other.bind(transport.blockingGroup());
                ByteBuffer words = ByteBuffer.allocate(100);
                if (firstPiece > 0) {
                    words.put(Greeting.encode(8080));
                }
                words.put(message(DATA, 2, (byte) 5, (byte) 6))
                        .put(message(FIN, 8, number(2)))
                        .flip();
                server.write(words.slice(0, firstPiece));
                onLoop(() -> {});
                server.write(words.position(firstPiece));

                ByteBuffer target = ByteBuffer.allocate(10);
                soon().until(() -> other.read(new ByteBuffer[] {target}, 0, 1) == -1);
                assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(new byte[] {5, 6}));
                other.reset();
            }
        }
    }

    @Test
    void shouldTellOfAnOrderlyEnd() throws IOException {
        bind();
        say(message(DATA, 2, (byte) 5, (byte) 6));
        say(message(FIN, 8, number(2)));
        theirs.close();

        assertThat(readAll(2)).containsExactly(5, 6);
        soon().until(() -> connection.read(new ByteBuffer[] {ByteBuffer.allocate(1)}, 0, 1) == -1);
    }

    @Test
    void shouldTellOfAnExit() throws IOException {
        bind();
        say(message(DATA, 2, (byte) 5, (byte) 6));
        say(message(EXIT, 8, number(2)));
        theirs.close();

        assertThat(readAll(2)).containsExactly(5, 6);
        soon().until(() -> connection.read(new ByteBuffer[] {ByteBuffer.allocate(1)}, 0, 1) == -1);
    }

    @Test
    void shouldTellOfAReset() throws IOException {
        bind();
        theirs.socket().setSoLinger(true, 0);
        theirs.close();

        assertReset();
    }
}
