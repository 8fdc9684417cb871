package org.ucxnio.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.link.Bells;
import org.ucxnio.link.Lane;
import org.ucxnio.link.RingLane;
import org.ucxnio.link.TestFutexes;
import org.ucxnio.ring.Block;

/** A peer that says nothing, too much, or what is not so. */
class BadPeerTest extends SessionFixture {
    private static final Lane NOWHERE = lane(new Block(1, 0, ByteBuffer.allocate(4096)));

    private static Lane lane(Block block) {
        return new RingLane(null, block, new Bells(), TestFutexes.none());
    }

    private ServerSocketChannel process;

    private AddressPair addresses(FakeMovable connection) {
        return AddressPair.of(connection);
    }

    private RawSession client() throws IOException {
        if (process == null) {
            listenAsAProcess();
        }
        return RawSession.connect(directory.resolve(listenerName(LISTENER)));
    }

    /** Memory of a process without a socket would be swept. */
    private void listenAsAProcess() throws IOException {
        process = RawSession.listen(directory.resolve("p-" + HexFormat.of().formatHex(RawSession.TOKEN)));
    }

    @AfterEach
    void endProcess() throws IOException {
        if (process != null) {
            process.close();
        }
    }

    private Path slab(int number) {
        return directory.resolve("s-" + HexFormat.of().formatHex(RawSession.TOKEN) + "-" + number);
    }

    private void makeSlab(int number) throws IOException {
        try (FileChannel file = FileChannel.open(slab(number), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(64 << 10));
        }
    }

    // -- at the beginning --------------------------------------------------------------------------------------------

    static Stream<ByteBuffer> badBeginnings() {
        byte[] noise = new byte[4096];
        new Random(1).nextBytes(noise);
        return Stream.of(
                ByteBuffer.wrap(new byte[100]),
                ByteBuffer.wrap(noise),
                ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes()),
                ByteBuffer.wrap(new byte[] {0, 1, Protocol.HELLO}),
                ByteBuffer.wrap(new byte[] {32, 0, Protocol.HELLO}),
                ByteBuffer.wrap(new byte[] {-1, -1, Protocol.HELLO}),
                Protocol.about(Protocol.CONFIRM, 1),
                Protocol.note(1),
                RawSession.hello(1, RawSession.TOKEN),
                RawSession.hello(Protocol.VERSION, new byte[15]),
                RawSession.hello(Protocol.VERSION, new byte[17]));
    }

    @ParameterizedTest
    @MethodSource("badBeginnings")
    void shouldEndASessionThatBeginsWithGarbage(ByteBuffer bytes) throws IOException {
        Pairings server = listening(LISTENER);
        try (RawSession bad = client()) {
            bad.send(bytes);
            bad.expectEnd();
        }
        eventually().until(() -> server.openSessions() == 0);
        expectStillWorking(process(), server);
    }

    @Test
    void shouldNotWaitForASilentClient() throws IOException {
        Pairings server = listening(LISTENER);
        try (RawSession silent = client();
                RawSession slow = client()) {
            slow.send(RawSession.hello(Protocol.VERSION, RawSession.TOKEN).limit(5));
            silent.expectEnd();
            slow.expectEnd();
        }
        expectStillWorking(process(), server);
    }

    /** As it has many other sessions to look after, on a busy machine. */
    @Test
    void shouldHearWhoSpokeInTimeThoughItComesLateItself() throws Exception {
        Pairings server = listening(LISTENER);
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        FakeMovable end = connection(LISTENER);
        FakeMovable other = end.mirrored();
        other.atHear = () -> {
            busy.countDown();
            awaitQuietly(goesOn);
        };
        server.accepted(other);
        try (RawSession waiting = client()) {
            waiting.expect(Protocol.HELLO);
            process().request(end, Pace.AT_ONCE);
            awaitQuietly(busy);
            waiting.send(RawSession.hello(Protocol.VERSION, RawSession.TOKEN));
            TimeUnit.NANOSECONDS.sleep(2 * QUICK.helloNanos());
            goesOn.countDown();
            eventually().until(() -> server.openSessions() == 2);
        }
        expectStillWorking(process(), server);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldNotWaitForASilentServer() throws IOException {
        try (ServerSocketChannel silent = fakeServer()) {
            assertThat(silent.isOpen()).isTrue();
            Pairings client = process();
            FakeMovable end = connection(LISTENER);
            client.request(end, Pace.AT_ONCE);
            expectPlain(end, "the peer is silent");
        }
    }

    @Test
    void shouldSayThatTheServerSpeaksAnotherVersion() throws IOException {
        try (ServerSocketChannel old = fakeServer()) {
            Pairings client = process();
            FakeMovable end = connection(LISTENER);
            client.request(end, Pace.AT_ONCE);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (!end.events.contains("plain") && System.nanoTime() < deadline) {
                answerVersion(old);
            }
            expectPlain(
                    end,
                    "the peer speaks version " + (Protocol.VERSION + 1) + " of the protocol, this process "
                            + Protocol.VERSION);
        }
    }

    private static void answerVersion(ServerSocketChannel old) throws IOException {
        old.configureBlocking(false);
        try (java.nio.channels.SocketChannel peer = old.accept()) {
            if (peer != null) {
                peer.write(RawSession.hello(Protocol.VERSION + 1, RawSession.TOKEN));
                // Not read to the end before it is closed, this would be a reset.
                peer.read(ByteBuffer.allocate(100));
            }
        } catch (IOException e) {
            // That one only looked whether somebody is there.
        }
    }

    // -- a bad client ------------------------------------------------------------------------------------------------

    static Stream<ByteBuffer> badWords() {
        FakeMovable end = new FakeMovable(new InetSocketAddress("127.0.0.1", 1), LISTENER);
        ByteBuffer badAddress = Protocol.pair(1, 1, AddressPair.of(end), NOWHERE);
        badAddress.put(2 + 1 + 8 + 8, (byte) 5);
        ByteBuffer tooShort = ByteBuffer.allocate(6).putShort((short) 4).put((byte) Protocol.PAIR);
        return Stream.of(
                RawSession.hello(Protocol.VERSION, RawSession.TOKEN),
                Protocol.about(Protocol.CONFIRM, 1),
                Protocol.about(Protocol.CANCEL, 1),
                Protocol.about(Protocol.RELEASED, 1),
                Protocol.paired(1, NOWHERE),
                Protocol.refused(1, true, "no"),
                Protocol.about(0, 1),
                Protocol.about(99, 1),
                Protocol.about(-1, 1),
                tooShort.rewind(),
                badAddress);
    }

    @ParameterizedTest
    @MethodSource("badWords")
    void shouldEndTheSessionOfAClientThatSaysGarbage(ByteBuffer bytes) throws IOException {
        Pairings server = listening(LISTENER);
        try (RawSession bad = client().greet()) {
            eventually().until(() -> server.openSessions() == 1);
            bad.send(bytes);
            bad.expectEnd();
        }
        eventually().until(() -> server.openSessions() == 0);
        expectStillWorking(process(), server);
    }

    @Test
    void shouldSurviveNoise() throws IOException {
        Pairings server = listening(LISTENER);
        Random random = new Random(4);
        for (int i = 0; i < 200; i++) {
            byte[] noise = new byte[random.nextInt(40)];
            random.nextBytes(noise);
            ByteBuffer message = ByteBuffer.allocate(3 + noise.length)
                    .putShort((short) (1 + noise.length))
                    .put((byte) (1 + random.nextInt(8)))
                    .put(noise)
                    .flip();
            try (RawSession bad = client().greet()) {
                bad.send(message);
            }
        }
        expectStillWorking(process(), server);
    }

    static Stream<Block> badBlocks() {
        ByteBuffer page = ByteBuffer.allocate(4096);
        return Stream.of(
                new Block(1, 64 << 10, page),
                new Block(1, -4096, page),
                new Block(1, Integer.MAX_VALUE, page),
                new Block(1, 8, page),
                new Block(1, 0, ByteBuffer.allocate(0)),
                new Block(1, 0, ByteBuffer.allocate(8192)),
                new Block(1, 0, ByteBuffer.allocate(256 << 10)),
                new Block(2, 0, page),
                new Block(Integer.MAX_VALUE, 0, page),
                new Block(-1, 0, page),
                new Block(Integer.MIN_VALUE, 0, page));
    }

    @ParameterizedTest
    @MethodSource("badBlocks")
    void shouldRefuseBlocksThatThereAreNot(Block block) throws IOException {
        Pairings server = listening(LISTENER);
        listenAsAProcess();
        makeSlab(1);
        FakeMovable end = connection(LISTENER);
        FakeMovable other = end.mirrored();
        server.accepted(other);
        try (RawSession bad = client().greet()) {
            bad.send(Protocol.pair(3, namespace, addresses(end), lane(block)));
            ByteBuffer answer = bad.expect(Protocol.REFUSED);
            assertThat(answer.getLong()).isEqualTo(3);
            assertThat(answer.get()).isZero();
            assertThat(other.events).isEmpty();
            // And goes on.
            bad.send(Protocol.pair(4, namespace, addresses(end), lane(new Block(1, 4096, ByteBuffer.allocate(4096)))));
            bad.expect(Protocol.PAIRED);
            bad.send(Protocol.about(Protocol.CONFIRM, 4));
            expectEvents(other, "hear", "speak");
        }
        expectEvents(other, "hear", "speak", "ended");
    }

    @Test
    void shouldRefuseASlabThatIsALink() throws IOException {
        Pairings server = listening(LISTENER);
        listenAsAProcess();
        Path target = Files.write(directory.resolve("target"), new byte[64 << 10]);
        Files.createSymbolicLink(slab(1), target);
        FakeMovable end = connection(LISTENER);
        server.accepted(end.mirrored());
        try (RawSession bad = client().greet()) {
            bad.send(Protocol.note(1));
            bad.send(Protocol.pair(3, namespace, addresses(end), NOWHERE));
            bad.expect(Protocol.REFUSED);
        }
        assertThat(target).exists();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1})
    void shouldRefuseAnotherNetworkNamespace(long other) throws IOException {
        Pairings server = listening(LISTENER);
        FakeMovable end = connection(LISTENER);
        FakeMovable accepted = end.mirrored();
        server.accepted(accepted);
        listenAsAProcess();
        makeSlab(1);
        try (RawSession bad = client().greet()) {
            bad.send(Protocol.pair(3, other, addresses(end), NOWHERE));
            assertThat(bad.expect(Protocol.REFUSED).position(10).get()).isEqualTo((byte) 't');
        }
        assertThat(accepted.events).isEmpty();
    }

    @Test
    void shouldNotTakeANumberTwice() throws IOException {
        Pairings server = listening(LISTENER);
        listenAsAProcess();
        makeSlab(1);
        FakeMovable end = connection(LISTENER);
        FakeMovable other = end.mirrored();
        server.accepted(other);
        try (RawSession bad = client().greet()) {
            bad.send(Protocol.pair(3, namespace, addresses(end), NOWHERE));
            bad.expect(Protocol.PAIRED);
            bad.send(Protocol.pair(3, namespace, addresses(end), NOWHERE));
            bad.expectEnd();
        }
        expectEvents(other, "hear", "ended");
    }

    /** It asks, and takes no answer: then it is not asked by it any further, and others are served. */
    @Test
    void shouldNotBeHeldUpByAClientThatDoesNotRead() throws Exception {
        Pairings server = listening(LISTENER);
        FakeMovable unknown = connection(LISTENER);
        try (RawSession bad = client().greet()) {
            Thread writer = Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < 1_000_000; i++) {
                        bad.send(Protocol.pair(i, namespace, addresses(unknown), NOWHERE));
                    }
                } catch (IOException e) {
                    // Closed by the test.
                }
            });
            Pairings client = process();
            for (int i = 0; i < 20; i++) {
                expectStillWorking(client, server);
                Thread.sleep(10);
            }
            assertThat(writer.isAlive()).isTrue();
        }
    }

    // -- a bad server ------------------------------------------------------------------------------------------------

    private RawSession served(ServerSocketChannel fake, Pairings client, FakeMovable end) throws IOException {
        client.request(end, Pace.AT_ONCE);
        RawSession session = RawSession.accept(fake).greet();
        return session;
    }

    @Test
    void shouldTakeBackWhatABadServerAnswers() throws IOException {
        try (ServerSocketChannel fake = fakeServer()) {
            Pairings client = process();
            FakeMovable end = connection(LISTENER);
            try (RawSession bad = served(fake, client, end)) {
                long id = bad.expect(Protocol.PAIR).getLong();
                bad.send(Protocol.paired(id, NOWHERE));
                assertThat(bad.expect(Protocol.CANCEL).getLong()).isEqualTo(id);
                expectPlain(end, "the peer has no slab");
                // It stops only now to look at the block: until then it is not used again.
                FakeMovable next = connection(LISTENER);
                client.request(next, Pace.AT_ONCE);
                ByteBuffer second = bad.expect(Protocol.PAIR);
                assertThat(second.getInt(second.limit() - 8)).isEqualTo(4096);
                bad.send(Protocol.about(Protocol.RELEASED, id));
                FakeMovable third = connection(LISTENER);
                eventually()
                        .untilAsserted(() -> assertThat(client.openSessions()).isEqualTo(1));
                client.request(third, Pace.AT_ONCE);
                ByteBuffer reused = bad.expect(Protocol.PAIR);
                assertThat(reused.getInt(reused.limit() - 8)).isZero();
            }
        }
    }

    @Test
    void shouldSayWhyAServerRefused() throws IOException {
        try (ServerSocketChannel fake = fakeServer()) {
            Pairings client = process();
            FakeMovable end = connection(LISTENER);
            try (RawSession bad = served(fake, client, end)) {
                long id = bad.expect(Protocol.PAIR).getLong();
                bad.send(Protocol.refused(id, false, "because\n\u001b[31m" + "x".repeat(1000)));
                expectPlain(end, "because??[31mxxx");
                assertThat(end.plainReason).hasSizeLessThan(300);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Protocol.PAIR, Protocol.CONFIRM, Protocol.CANCEL, Protocol.RELEASED, 0, 77})
    void shouldEndTheSessionOfAServerThatSaysGarbage(int type) throws IOException {
        try (ServerSocketChannel fake = fakeServer()) {
            Pairings client = process();
            FakeMovable end = connection(LISTENER);
            try (RawSession bad = served(fake, client, end)) {
                bad.send(Protocol.about(type, bad.expect(Protocol.PAIR).getLong()));
                bad.expectEnd();
            }
            expectPlain(end, "the session with the peer is over");
        }
    }

    /** The peer's directory entry is all that can be believed, and what it names is never larger than a slab. */
    @Test
    void shouldStayPlainWithAServerThatEndsAtOnce() throws IOException {
        try (ServerSocketChannel fake = fakeServer()) {
            Pairings client = process();
            FakeMovable end = connection(LISTENER);
            client.request(end, Pace.AT_ONCE);
            RawSession.accept(fake).close();
            RawSession.accept(fake).close();
            RawSession again = RawSession.accept(fake).greet();
            again.send(Protocol.refused(again.expect(Protocol.PAIR).getLong(), false, "enough"));
            expectPlain(end, "enough");
            again.close();
        }
    }
}
