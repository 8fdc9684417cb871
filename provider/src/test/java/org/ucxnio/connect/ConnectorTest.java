package org.ucxnio.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.config.Config;
import org.ucxnio.testing.ChildJvm;
import org.ucxnio.transport.Transport;
import org.ucxnio.ucx.fake.FakeUcx;

/** Two processes that find each other, or do not, over real sockets. */
@Timeout(60)
class ConnectorTest {
    /** How an attempt ended: an accelerated connection, a plain socket, or why it failed. */
    private record Outcome(Accepted accelerated, SocketChannel plain, String reason, IOException failure) {}

    private static final class Accepting implements AcceptQueue {
        final BlockingQueue<Accepted> accepted = new LinkedBlockingQueue<>();
        volatile boolean room = true;
        volatile boolean open = true;

        @Override
        public void takeEarlier() {
            // Nobody comes but through the connector.
        }

        /** How often asking for room ends in an error. */
        final AtomicInteger failures = new AtomicInteger();

        @Override
        public boolean hasRoom() {
            if (failures.get() > 0) {
                failures.decrementAndGet();
                throw new OutOfMemoryError("on purpose");
            }
            return room;
        }

        @Override
        public boolean offer(Accepted connection) {
            return open && accepted.add(connection);
        }
    }

    private final FakeUcx ucx = new FakeUcx();
    private final TestPosix posix = new TestPosix();
    private final List<AutoCloseable> toClose = new ArrayList<>();
    private final Accepting queue = new Accepting();
    private Companion companion;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : toClose) {
            closeable.close();
        }
    }

    private Connector connector(String... properties) throws IOException {
        Map<String, String> values = new HashMap<>(Map.of(Config.HOST, "ucx"));
        for (int i = 0; i < properties.length; i += 2) {
            values.put(properties[i], properties[i + 1]);
        }
        Transport transport = new Transport(Config.from(values::get), ucx, posix);
        return new Connector(transport, SelectorProvider.provider(), posix, true);
    }

    private ServerSocketChannel listen(int port) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        toClose.add(listener);
        return listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** A listener whose companion port nobody has, as far as can be told. */
    private ServerSocketChannel listenBesideFreePort(Connector server) throws IOException {
        while (true) {
            ServerSocketChannel plain = listen(0);
            try {
                listen(server.companionPort(address(plain).getPort())).close();
                return plain;
            } catch (BindException e) {
                // the next one
            }
        }
    }

    /** A listener with a companion; another program may hold the port that one would need. */
    private ServerSocketChannel accelerated(Connector server, int backlog) throws IOException {
        do {
            ServerSocketChannel plain = listen(0);
            companion = server.openCompanion(address(plain), backlog, null, queue);
            toClose.add(companion::close);
            if (companion.isOpen()) {
                return plain;
            }
        } while (true);
    }

    private static InetSocketAddress address(ServerSocketChannel listener) throws IOException {
        return (InetSocketAddress) listener.getLocalAddress();
    }

    private Outcome connect(Connector client, InetSocketAddress target) throws Exception {
        BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
        SocketChannel first = SocketChannel.open();
        client.connect(target, first, SocketChannel::open, new ConnectAttempt.Listener() {
            @Override
            public void onAccelerated(Accepted connection) {
                toClose.add(connection.connection()::reset);
                outcomes.add(new Outcome(connection, null, null, null));
            }

            @Override
            public void onPlain(SocketChannel connected, String reason) {
                toClose.add(connected);
                outcomes.add(new Outcome(null, connected, reason, null));
            }

            @Override
            public void onFailed(IOException cause) {
                outcomes.add(new Outcome(null, null, null, cause));
            }
        });
        Outcome outcome = outcomes.poll(20, TimeUnit.SECONDS);
        assertThat(outcome).as("the attempt ends").isNotNull();
        assertThat(outcomes).as("and ends once").isEmpty();
        return outcome;
    }

    // -- ports -------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({
        "10000, 1, 10001",
        "10000, 8080, 18080",
        "10000, 55535, 65535",
        "10000, 55536, 45536",
        "10000, 65535, 55535",
        "1, 65534, 65535",
        "1, 65535, 65534",
        "32767, 1, 32768",
        "32767, 32768, 65535",
        "32767, 32769, 2",
        "32767, 65535, 32768"
    })
    void shouldFindTheCompanionAboveOrBelow(String offset, int port, int companion) throws IOException {
        assertThat(connector(Config.COMPANION_OFFSET, offset).companionPort(port))
                .isEqualTo(companion);
    }

    @Test
    void shouldFindACompanionForEveryPort() throws IOException {
        for (String offset : new String[] {"1", "10000", "32767"}) {
            Connector connector = connector(Config.COMPANION_OFFSET, offset);
            for (int port = 1; port <= 65_535; port++) {
                assertThat(connector.companionPort(port)).isBetween(1, 65_535).isNotEqualTo(port);
            }
        }
    }

    @Test
    void shouldDoWithoutACompanionWhosePortIsTaken() throws Exception {
        Connector server = connector();
        ServerSocketChannel plain = listenBesideFreePort(server);
        listen(server.companionPort(address(plain).getPort()));

        companion = server.openCompanion(address(plain), 10, null, queue);
        toClose.add(companion::close);

        assertThat(companion.isOpen()).isFalse();
        assertThat(server.yieldPort(companion.port())).as("it has none").isFalse();
        assertThat(connect(connector(), address(plain)).plain()).isNotNull();
    }

    @Test
    void shouldTakeTheCompanionPortOnceItIsFree() throws Exception {
        Connector server = connector();
        ServerSocketChannel plain = listenBesideFreePort(server);
        ServerSocketChannel other = listen(server.companionPort(address(plain).getPort()));
        companion = server.openCompanion(address(plain), 10, null, queue);
        toClose.add(companion::close);
        companion.receiveBuffer(20_000);
        companion.resume();

        other.close();

        await().until(companion::isOpen);
        assertThat(connect(connector(), address(plain)).accelerated()).isNotNull();
        assertThat(server.yieldPort(companion.port())).isTrue();
    }

    /** An ordinary client has the companion port for its own end, while it is connected and a minute after. */
    @Test
    void shouldTakeTheCompanionPortOfAClientThatIsGone() throws Exception {
        Connector server = connector();
        ServerSocketChannel plain = listenBesideFreePort(server);
        int port = server.companionPort(address(plain).getPort());
        SocketChannel client = SocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        client.connect(address(listen(0)));
        companion = server.openCompanion(address(plain), 10, null, queue);
        toClose.add(companion::close);
        assertThat(companion.isOpen()).isFalse();

        // Without TIME-WAIT, so that the test is short.
        client.setOption(StandardSocketOptions.SO_LINGER, 0);
        client.close();

        await().until(companion::isOpen);
    }

    @Test
    void shouldTryNoMoreOnceItIsClosed() throws Exception {
        Connector server = connector();
        ServerSocketChannel plain = listenBesideFreePort(server);
        int port = server.companionPort(address(plain).getPort());
        ServerSocketChannel other = listen(port);
        companion = server.openCompanion(address(plain), 10, null, queue);

        companion.close();
        other.close();

        Thread.sleep(1500);
        assertThat(companion.isOpen()).isFalse();
        assertThat(listen(port).isOpen()).isTrue();
    }

    /** Whatever befalls the thread that serves it. */
    @Test
    void shouldOpenAgainWhenItLosesItsListener() throws Exception {
        Connector server = connector();
        ServerSocketChannel plain = accelerated(server, 10);
        queue.failures.set(1);

        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), companion.port()))
                .close();

        await().until(() -> queue.failures.get() == 0 && companion.isOpen());
        assertThat(connect(connector(), address(plain)).accelerated()).isNotNull();
    }

    @Test
    void shouldYieldACompanionPortTheApplicationWants() throws IOException {
        Connector server = connector();
        ServerSocketChannel plain = accelerated(server, 10);

        assertThat(server.yieldPort(address(plain).getPort())).isFalse();
        assertThat(server.yieldPort(companion.port())).isTrue();
        assertThat(server.yieldPort(companion.port())).isFalse();
        await().ignoreExceptions().until(() -> listen(companion.port()).isOpen());
    }

    /** The companion stays, and its clients wait in the kernel meanwhile. */
    @Test
    void shouldAcceptAgainOnceThereAreDescriptorsAgain() throws Exception {
        InetAddress host = InetAddress.getLoopbackAddress();
        try (ChildJvm child = ChildJvm.start(DescriptorsMain.class)) {
            int port = Integer.parseInt(child.expect("port "));
            // The first client has the child load its classes, which takes descriptors.
            try (Socket first = new Socket(host, port)) {
                expectGreeting(first);
                child.send("take");
                child.expect("taken");
                try (Socket second = new Socket(host, port)) {
                    second.setSoTimeout(300);
                    assertThatThrownBy(() -> second.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
                    child.send("give");
                    second.setSoTimeout(20_000);
                    expectGreeting(second);
                }
            }
        }
    }

    private static void expectGreeting(Socket client) throws IOException {
        assertThat(client.getInputStream().readNBytes(Greeting.LENGTH)).hasSize(Greeting.LENGTH);
    }

    // -- handshakes --------------------------------------------------------------------------------------------------

    @Test
    void shouldMeetAnAcceleratedServer() throws Exception {
        Connector server = connector();
        Connector client = connector();
        ServerSocketChannel plain = accelerated(server, 10);

        Accepted near = connect(client, address(plain)).accelerated();

        assertThat(near).isNotNull();
        Accepted far = queue.accepted.poll(20, TimeUnit.SECONDS);
        assertThat(far).isNotNull();
        toClose.add(far.connection()::reset);
        assertThat(near.remote()).isEqualTo(address(plain));
        assertThat(far.local()).isEqualTo(address(plain));
        assertThat(far.remote()).isEqualTo(near.local());

        near.connection().bind(client.transport().blockingGroup());
        far.connection().bind(server.transport().blockingGroup());
        near.connection().write(new ByteBuffer[] {ByteBuffer.wrap(new byte[] {1, 2, 3})}, 0, 1);
        assertThat(far.connection().awaitReadable(20_000_000_000L)).isTrue();
        ByteBuffer target = ByteBuffer.allocate(10);
        assertThat(far.connection().read(new ByteBuffer[] {target}, 0, 1)).isEqualTo(3);
    }

    @Test
    void shouldConnectPlainlyToAPlainServerAndRememberIt() throws Exception {
        Connector client = connector();
        ServerSocketChannel plain = listen(0);
        assertThat(client.plainReason(address(plain))).isNull();

        Outcome outcome = connect(client, address(plain));

        assertThat(outcome.plain()).isNotNull();
        assertThat(outcome.reason()).isEqualTo("peer not accelerated");
        assertThat(client.plainReason(address(plain))).isEqualTo("peer not accelerated");
    }

    @Test
    void shouldFailWhereNobodyListens() throws Exception {
        Connector client = connector();
        ServerSocketChannel gone = listen(0);
        InetSocketAddress target = address(gone);
        gone.close();

        assertThat(connect(client, target).failure()).isInstanceOf(ConnectException.class);
        assertThat(client.plainReason(target)).as("nothing to remember").isNull();
    }

    /** Another program's port happens to be where a companion would be: it must not receive a single byte. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SSH-2.0-OpenSSH_9.6p1 Debian\r\n",
                "UCXNIO",
                "UCXNIO\r\n\0\2xxxxxxxx",
                "0123456789abcdef0123"
            })
    void shouldSendNothingToAnotherProgram(String greeting) throws Exception {
        Connector client = connector(Config.COMPANION_TIMEOUT, "200ms");
        ServerSocketChannel plain = listen(0);
        ServerSocketChannel stranger =
                listen(client.companionPort(address(plain).getPort()));
        List<Integer> received = new ArrayList<>();
        Thread speaking = Thread.ofVirtual().start(() -> {
            try (SocketChannel socket = stranger.accept()) {
                socket.write(ByteBuffer.wrap(greeting.getBytes(StandardCharsets.ISO_8859_1)));
                ByteBuffer buffer = ByteBuffer.allocate(100);
                while (socket.read(buffer) > 0) {
                    received.add(buffer.position());
                }
            } catch (IOException e) {
                // the client resets it
            }
        });

        Outcome outcome = connect(client, address(plain));

        assertThat(outcome.plain()).isNotNull();
        assertThat(speaking.join(Duration.ofSeconds(20))).isTrue();
        assertThat(received).isEmpty();
    }

    @Test
    void shouldNotTrustAnotherUsersProcess() throws Exception {
        Connector server = connector();
        Connector client = connector();
        ServerSocketChannel plain = accelerated(server, 10);
        posix.owner = TestPosix.OWN_USER + 1;

        Outcome outcome = connect(client, address(plain));

        assertThat(outcome.plain()).isNotNull();
        assertThat(queue.accepted).isEmpty();
    }

    @Test
    void shouldConnectPlainlyWhereTheParametersDiffer() throws Exception {
        Connector server = connector(Config.HOST_TLS, "sysv");
        Connector client = connector();
        ServerSocketChannel plain = accelerated(server, 10);

        Outcome outcome = connect(client, address(plain));

        assertThat(outcome.reason()).isEqualTo("peer with other shared-memory parameters");
        assertThat(queue.accepted).isEmpty();
    }

    @Test
    void shouldGoOnServingAfterClientsThatTalkNonsense() throws Exception {
        Connector server = connector();
        Connector client = connector();
        ServerSocketChannel plain = accelerated(server, 2);
        InetSocketAddress there = new InetSocketAddress(InetAddress.getLoopbackAddress(), companion.port());
        for (int i = 0; i < 20; i++) {
            try (SocketChannel nonsense = SocketChannel.open(there)) {
                nonsense.write(ByteBuffer.wrap(new byte[i * 10]));
                if (i * 10 >= Hello.LENGTH) {
                    // All of the greeting, then the end: it is hung up on.
                    assertThat(nonsense.socket().getInputStream().readNBytes(Greeting.LENGTH))
                            .hasSize(Greeting.LENGTH);
                }
            }
        }

        assertThat(connect(client, address(plain)).accelerated()).isNotNull();
        Accepted far = queue.accepted.poll(20, TimeUnit.SECONDS);
        assertThat(far).isNotNull();
        toClose.add(far.connection()::reset);
    }

    @Test
    void shouldStartNoHandshakeWithoutRoom() throws Exception {
        Connector server = connector();
        Connector client = connector(Config.COMPANION_TIMEOUT, "10s");
        queue.room = false;
        ServerSocketChannel plain = accelerated(server, 10);
        Thread.ofVirtual().start(() -> {
            queue.room = true;
            companion.resume();
        });

        assertThat(connect(client, address(plain)).accelerated()).isNotNull();
    }

    @Test
    void shouldEndAConnectionTheServerChannelNoLongerTakes() throws Exception {
        Connector server = connector();
        Connector client = connector();
        queue.open = false;
        ServerSocketChannel plain = accelerated(server, 10);

        Accepted near = connect(client, address(plain)).accelerated();

        near.connection().bind(client.transport().blockingGroup());
        assertThat(near.connection().awaitReadable(20_000_000_000L))
                .as("it hears of the end")
                .isTrue();
    }

    // -- tickets -----------------------------------------------------------------------------------------------------

    private Accepted farEnd() throws InterruptedException {
        Accepted far = queue.accepted.poll(20, TimeUnit.SECONDS);
        assertThat(far).isNotNull();
        toClose.add(far.connection()::reset);
        return far;
    }

    private Accepted connectNow(Connector client, InetSocketAddress target) throws IOException {
        SocketChannel socket = SocketChannel.open();
        toClose.add(socket);
        Accepted near = client.connectNow(target, socket);
        if (near != null) {
            toClose.add(near.connection()::reset);
        }
        return near;
    }

    @Test
    void shouldConnectAtOnceWhereItHasBeenBefore() throws Exception {
        Connector server = connector();
        Connector client = connector();
        ServerSocketChannel plain = accelerated(server, 10);
        assertThat(connectNow(client, address(plain))).as("the first time").isNull();
        assertThat(connect(client, address(plain)).accelerated()).isNotNull();
        farEnd();
        queue.room = false;

        Accepted near = connectNow(client, address(plain));

        assertThat(near).as("although the server takes none now").isNotNull();
        assertThat(near.remote()).isEqualTo(address(plain));
        assertThat(queue.accepted).isEmpty();
        near.connection().bind(client.transport().blockingGroup());
        near.connection().write(new ByteBuffer[] {ByteBuffer.wrap(new byte[] {1, 2, 3})}, 0, 1);
        near.connection().close();
        queue.room = true;
        companion.resume();
        Accepted far = farEnd();
        assertThat(far.remote()).isEqualTo(near.local());
        far.connection().bind(server.transport().blockingGroup());
        assertThat(far.connection().awaitReadable(20_000_000_000L)).isTrue();
        ByteBuffer target = ByteBuffer.allocate(10);
        assertThat(far.connection().read(new ByteBuffer[] {target}, 0, 1)).isEqualTo(3);
    }

    /** It says all that it has to say, and closes, while the server looks whose socket that is. */
    @ParameterizedTest
    @ValueSource(ints = {TestPosix.OWN_USER, -1})
    void shouldAcceptAnAcquaintanceThatLeavesAtOnce(int ownerOfWhatIsClosed) throws Exception {
        ServerSocketChannel plain = accelerated(connector(), 10);
        SocketChannel client = SocketChannel.open();
        toClose.add(client);
        ByteBuffer words = ByteBuffer.allocate(Hello.LENGTH + Ticket.LENGTH);
        connector().handshakes().ownWithTicket().encode(words);
        companion.ticket().encode(words);
        posix.meanwhile = () -> {
            posix.owner = ownerOfWhatIsClosed;
            try (client) {
                client.write(words.flip());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        };

        client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), companion.port()));

        assertThat(farEnd().local()).isEqualTo(address(plain));
    }

    /** The server is gone and another program has its port: it is known by its socket, not by its address. */
    @Test
    void shouldNotTakeAnotherListenerForAnAcquaintance() throws Exception {
        Connector server = connector();
        Connector client = connector();
        ServerSocketChannel plain = accelerated(server, 10);
        assertThat(connect(client, address(plain)).accelerated()).isNotNull();
        farEnd();
        companion.close();
        ServerSocketChannel stranger = ServerSocketChannel.open();
        toClose.add(stranger);
        stranger.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), companion.port()));
        SocketChannel socket = SocketChannel.open();

        assertThat(client.connectNow(address(plain), socket)).isNull();

        socket.close();
        try (SocketChannel received = stranger.accept()) {
            assertThat(received.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
        assertThat(connectNow(client, address(plain)))
                .as("and is not asked again")
                .isNull();
    }

    @Test
    void shouldNotRememberAServerBehindSomebodyElsesListener() throws Exception {
        Connector server = connector();
        Connector client = connector();
        ServerSocketChannel plain = accelerated(server, 10);
        posix.listenerOffset = 1;

        assertThat(connect(client, address(plain)).accelerated()).isNotNull();

        farEnd();
        assertThat(connectNow(client, address(plain))).isNull();
    }

    /** A server faster than its client greets before it sees the ticket. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLetInOnlyWhoBringsItsTicket(boolean right) throws Exception {
        Connector server = connector();
        accelerated(server, 10);
        InetSocketAddress there = new InetSocketAddress(InetAddress.getLoopbackAddress(), companion.port());
        try (SocketChannel socket = SocketChannel.open(there)) {
            assertThat(socket.socket().getInputStream().readNBytes(Greeting.LENGTH))
                    .hasSize(Greeting.LENGTH);
            ByteBuffer words = ByteBuffer.allocate(Hello.LENGTH + Ticket.LENGTH);
            connector().handshakes().ownWithTicket().encode(words);
            Ticket ours = companion.ticket();
            Ticket wrong = new Ticket(ours.listener(), new UUID(ours.secret().getMostSignificantBits(), 1));
            (right ? ours : wrong).encode(words);
            words.flip();
            // In two pieces, cut within the ticket.
            socket.write(words.slice(0, Hello.LENGTH + 3));
            Thread.yield();
            socket.write(words.position(Hello.LENGTH + 3));

            if (right) {
                farEnd();
            } else {
                assertThat(socket.read(ByteBuffer.allocate(1))).isEqualTo(-1);
                assertThat(queue.accepted).isEmpty();
            }
        }
    }

    /**
     * Holds the control thread of a process until it is let go. By a timer, so that the thread has asked the kernel once more what is
     * ready: what it has served stays in the kernel's list until then, and would be in front of what becomes ready now.
     */
    private CountDownLatch hold(Connector process) throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Runnable holding = () -> {
            held.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        process.execute(() -> process.loop().schedule(20_000_000, holding));
        assertThat(held.await(20, TimeUnit.SECONDS)).isTrue();
        return release;
    }

    private SocketChannel greeted() throws IOException {
        InetSocketAddress there = new InetSocketAddress(InetAddress.getLoopbackAddress(), companion.port());
        SocketChannel socket = SocketChannel.open(there);
        toClose.add(socket);
        assertThat(socket.socket().getInputStream().readNBytes(Greeting.LENGTH)).hasSize(Greeting.LENGTH);
        return socket;
    }

    /** The last words of a handshake, with everything said that goes before them. */
    private ByteBuffer lastWords(Connector client, SocketChannel socket, boolean ticket) throws IOException {
        ByteBuffer words = ByteBuffer.allocate(Hello.LENGTH + Ticket.LENGTH);
        if (ticket) {
            client.handshakes().ownWithTicket().encode(words);
            companion.ticket().encode(words);
            return words.flip();
        }
        client.handshakes().own().encode(words);
        socket.write(words.flip());
        int answer = Hello.LENGTH + 1 + Ticket.LENGTH;
        assertThat(socket.socket().getInputStream().readNBytes(answer)).hasSize(answer);
        return ByteBuffer.wrap(new byte[] {ServerHandshake.CONFIRMED});
    }

    /**
     * Two clients have said all before the server looks at either. It comes upon the later one first, on its way through those who have
     * just connected: a third one, who did so before the two spoke, has called it there.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAcceptWhoBringsATicketBehindWhoHasSaidAllBefore(boolean bothBringTickets) throws Exception {
        Connector server = connector();
        Connector client = connector();
        ServerSocketChannel plain = accelerated(server, 10);
        assertThat(connect(client, address(plain)).accelerated()).isNotNull();
        farEnd();
        SocketChannel earlier = greeted();
        ByteBuffer lastWords = lastWords(connector(), earlier, bothBringTickets);
        CountDownLatch release = hold(server);
        Accepted later;
        try {
            toClose.add(SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), companion.port())));
            earlier.write(lastWords);
            later = connectNow(client, address(plain));
            assertThat(later).isNotNull();
        } finally {
            release.countDown();
        }

        assertThat(farEnd().remote()).isEqualTo(earlier.getLocalAddress());
        assertThat(farEnd().remote()).isEqualTo(later.local());
    }

    @Test
    void shouldLetNobodyInWithAnEmptyTicket() throws Exception {
        posix.listenerOffset = Long.MIN_VALUE;
        Connector server = connector();
        accelerated(server, 10);
        assertThat(companion.ticket().isUsable()).isFalse();
        InetSocketAddress there = new InetSocketAddress(InetAddress.getLoopbackAddress(), companion.port());
        try (SocketChannel socket = SocketChannel.open(there)) {
            ByteBuffer words = ByteBuffer.allocate(Hello.LENGTH + Ticket.LENGTH);
            connector().handshakes().ownWithTicket().encode(words);
            Ticket.NONE.encode(words);
            socket.write(words.flip());
            socket.socket().setSoTimeout(20_000);
            assertThat(socket.socket().getInputStream().readAllBytes()).hasSizeLessThanOrEqualTo(Greeting.LENGTH);
        }
        assertThat(queue.accepted).isEmpty();
    }
}
