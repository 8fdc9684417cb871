package org.ucxnio.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.config.Config;
import org.ucxnio.link.Bells;
import org.ucxnio.link.Carrier;
import org.ucxnio.link.Home;
import org.ucxnio.link.Lane;
import org.ucxnio.link.RingLane;
import org.ucxnio.link.TestFutexes;
import org.ucxnio.ring.Block;

/** Processes of different hosts, as the one at 127.0.0.1 and the one at 127.0.0.2 take each other for. */
class CompanionTest extends SessionFixture {
    private static final int OFFSET = 10_000;

    private final List<Pairings> processes = new ArrayList<>();
    private int lastPort = 50_000;

    @AfterEach
    void killThem() throws IOException {
        for (Pairings process : processes) {
            process.kill();
        }
    }

    /** Carries connections in memory that nobody else sees. */
    private static final class Heap implements Carrier {
        @Override
        public int kind() {
            return KIND_UCX;
        }

        @Override
        public void introduce(ByteBuffer hello) {
            hello.putInt(4711);
        }

        @Override
        public Bond join(ByteBuffer hello, boolean onThisHost, IntConsumer notes) throws IOException {
            if (onThisHost || hello.getInt() != 4711) {
                throw new IOException("no such peer");
            }
            return new Bond() {
                @Override
                public boolean isDraining() {
                    return false;
                }

                @Override
                public Lane open(Home home) {
                    return new RingLane(
                            new HeapMemory(),
                            new Block(1, 0, ByteBuffer.allocateDirect(4096)),
                            new Bells(),
                            TestFutexes.none());
                }

                @Override
                public void onNote(int number) throws IOException {
                    throw new IOException("a note");
                }

                @Override
                public void end() {
                    // Nothing was shared.
                }
            };
        }
    }

    private Pairings host(String trust) {
        Network network = new Network(
                new Heap(),
                Config.from(name -> name.equals(Config.TRUST) ? trust : null).trust(),
                OFFSET,
                TimeUnit.SECONDS.toNanos(1),
                TimeUnit.SECONDS.toNanos(1),
                address -> false);
        Pairings process = new Pairings(
                new Pairings.Means(sun(), null, MEMORY, () -> {}, null, network), new AcceptedTable(), QUICK);
        processes.add(process);
        return process;
    }

    private static InetSocketAddress freeListener() throws IOException {
        while (true) {
            try (ServerSocketChannel plain = ServerSocketChannel.open();
                    ServerSocketChannel companion = ServerSocketChannel.open()) {
                plain.bind(new InetSocketAddress("127.0.0.2", 0));
                InetSocketAddress address = (InetSocketAddress) plain.getLocalAddress();
                if (address.getPort() + OFFSET <= 65_535) {
                    companion.bind(new InetSocketAddress("127.0.0.2", address.getPort() + OFFSET));
                    return address;
                }
            } catch (IOException e) {
                // Somebody has it: another one.
            }
        }
    }

    private FakeMovable connectionTo(InetSocketAddress listener) {
        return new FakeMovable(new InetSocketAddress("127.0.0.1", ++lastPort), listener);
    }

    private void expectPairing(Pairings client, Pairings server, InetSocketAddress listener) {
        FakeMovable end = connectionTo(listener);
        FakeMovable other = end.mirrored();
        server.accepted(other);
        client.request(end, Pace.AT_ONCE);
        expectEvents(end, "hear", "speak");
        expectEvents(other, "hear", "speak");
    }

    private static SocketChannel dial(InetSocketAddress listener) {
        try {
            return SocketChannel.open(new InetSocketAddress(listener.getAddress(), listener.getPort() + OFFSET));
        } catch (IOException e) {
            return null;
        }
    }

    private static SocketChannel await(InetSocketAddress listener) {
        SocketChannel[] dialled = new SocketChannel[1];
        eventually().until(() -> (dialled[0] = dial(listener)) != null);
        return dialled[0];
    }

    @Test
    void shouldPairConnectionsOfTrustedHosts() throws IOException {
        InetSocketAddress listener = freeListener();
        Pairings server = host("127.0.0.0/8");
        server.listening(listener);
        expectPairing(host("127.0.0.0/8"), server, listener);
    }

    @Test
    void shouldSayNothingToAHostThatIsNotTrusted() throws IOException {
        InetSocketAddress listener = freeListener();
        host("127.0.0.9/32").listening(listener);
        try (SocketChannel stranger = await(listener)) {
            assertThat(stranger.read(ByteBuffer.allocate(10))).isNegative();
        }
        FakeMovable end = connectionTo(listener);
        host("127.0.0.0/8").request(end, Pace.AT_ONCE);
        expectPlain(end, "the peer has ended");
    }

    @Test
    void shouldSpeakFirstAndEndWithWhoSaysNothing() throws IOException {
        InetSocketAddress listener = freeListener();
        Pairings server = host("127.0.0.0/8");
        server.listening(listener);
        try (SocketChannel silent = await(listener)) {
            ByteBuffer hello = ByteBuffer.allocate(1000);
            assertThat(silent.read(hello)).isPositive();
            assertThat(hello.get(2)).isEqualTo((byte) Protocol.HELLO);
            assertThat(silent.read(hello)).isNegative();
        }
        expectPairing(host("127.0.0.0/8"), server, listener);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GET / HTTP/1.1\r\n\r\n", "\0\0", "\u0040\u0001and much more of it"})
    void shouldSurviveNonsense(String words) throws IOException {
        InetSocketAddress listener = freeListener();
        Pairings server = host("127.0.0.0/8");
        server.listening(listener);
        try (SocketChannel stranger = await(listener)) {
            stranger.write(ByteBuffer.wrap(words.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1)));
            stranger.shutdownOutput();
            ByteBuffer rest = ByteBuffer.allocate(1000);
            while (stranger.read(rest) >= 0) {
                rest.clear();
            }
        } catch (IOException e) {
            // It had not read all of it.
        }
        expectPairing(host("127.0.0.0/8"), server, listener);
    }

    /** A program that waits for its clients to speak never hears a byte. */
    @Test
    void shouldSayNothingToWhoDoesNotGreet() throws IOException {
        InetSocketAddress listener = freeListener();
        try (ServerSocketChannel other = ServerSocketChannel.open()) {
            other.bind(new InetSocketAddress(listener.getAddress(), listener.getPort() + OFFSET));
            FakeMovable end = connectionTo(listener);
            host("127.0.0.0/8").request(end, Pace.AT_ONCE);
            try (SocketChannel caller = other.accept()) {
                assertThat(caller.read(ByteBuffer.allocate(10))).isNegative();
            }
            expectPlain(end, "silent");
        }
    }

    @Test
    void shouldNotTakeTheCompanionOfAnotherPort() throws IOException {
        InetSocketAddress listener = freeListener();
        try (ServerSocketChannel other = ServerSocketChannel.open()) {
            other.bind(new InetSocketAddress(listener.getAddress(), listener.getPort() + OFFSET));
            FakeMovable end = connectionTo(listener);
            host("127.0.0.0/8").request(end, Pace.AT_ONCE);
            try (SocketChannel caller = other.accept()) {
                caller.write(Protocol.hello(listener.getPort() + 1, new Heap()));
                assertThat(caller.read(ByteBuffer.allocate(10))).isNegative();
            }
            expectPlain(end, "no session with the peer");
        }
    }

    /** The client's address is not the one that it says. */
    @Test
    void shouldRefuseWhatIsTranslatedOnTheWay() throws IOException {
        InetSocketAddress listener = freeListener();
        Pairings server = host("127.0.0.0/8");
        server.listening(listener);
        FakeMovable claimed = new FakeMovable(new InetSocketAddress("127.0.0.7", 5000), listener);
        server.accepted(claimed.mirrored());
        try (SocketChannel channel = await(listener)) {
            ByteBuffer in = ByteBuffer.allocate(1000);
            channel.read(in);
            channel.write(Protocol.hello(listener.getPort(), new Heap()));
            Lane lane = new RingLane(null, new Block(1, 0, ByteBuffer.allocate(4096)), new Bells(), TestFutexes.none());
            channel.write(Protocol.pair(1, 0, AddressPair.of(claimed), lane));
            in.clear();
            channel.read(in);
            assertThat(in.get(2)).isEqualTo((byte) Protocol.REFUSED);
        }
    }

    @Test
    void shouldTakeThePortOnceItIsFree() throws IOException {
        InetSocketAddress listener = freeListener();
        Pairings server = host("127.0.0.0/8");
        try (ServerSocketChannel other = ServerSocketChannel.open()) {
            other.bind(new InetSocketAddress(listener.getAddress(), listener.getPort() + OFFSET));
            server.listening(listener);
            server.request(connectionTo(listener), Pace.AT_ONCE);
        }
        await(listener).close();
        expectPairing(host("127.0.0.0/8"), server, listener);
    }

    @Test
    void shouldGiveItsPortToTheApplication() throws IOException {
        InetSocketAddress listener = freeListener();
        Pairings server = host("127.0.0.0/8");
        server.listening(listener);
        await(listener).close();
        int port = listener.getPort() + OFFSET;
        assertThat(server.yieldPort(port + 1)).isFalse();
        assertThat(server.yieldPort(port)).isTrue();
        try (ServerSocketChannel own = ServerSocketChannel.open()) {
            own.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.2"), port));
        }
        assertThat(server.yieldPort(port)).isFalse();
    }

    @Test
    void shouldFreeThePortWithTheListener() throws Exception {
        InetSocketAddress listener = freeListener();
        Pairings server = host("127.0.0.0/8");
        AutoCloseable open = server.listening(listener);
        await(listener).close();
        open.close();
        eventually().until(() -> dial(listener) == null);
    }
}
