package org.ucxnio.it.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Rendezvous;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.harness.Threads;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.NodeMain;

/**
 * A program of this user that is none of ours, or of another version, answers under the name of a listener, or talks to one. It holds
 * nobody up, and costs at most that a connection stays plain.
 */
@Bounded
class SilentPeerTest {
    private static final int COUNT = 100_000;

    /** Behind the length, the type and what says that this is ours. */
    private static final int LAST_BYTE_OF_VERSION = 2 + 1 + 8 + 3;

    private static final int STRANGERS = 100;

    private Rendezvous rendezvous;
    private Node server;
    private Node client;

    @BeforeEach
    void start() throws IOException {
        rendezvous = Rendezvous.create();
        server = start(Flavour.RINGS);
        client = start(Flavour.RINGS);
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
        rendezvous.close();
    }

    private Node start(Flavour flavour) throws IOException {
        return Node.start(JvmBuilder.of(flavour, NodeMain.class).property(Rendezvous.PROPERTY, rendezvous.path()));
    }

    private static void join(Node server, Node client, String name, int port) throws Exception {
        client.call("connect " + name + " 127.0.0.1 " + port + " BLOCKING 7");
        server.call("accept " + name + " l BLOCKING 7");
    }

    private static void exchange(Node server, Node client, String name) throws Exception {
        client.transfer(server, name, COUNT);
        server.transfer(client, name, COUNT);
    }

    // -- somebody else answers ---------------------------------------------------------------------------------------

    /** What somebody does to whom connects. */
    enum Behaviour {
        NEVER_ACCEPTS,
        HANGS_UP,
        SAYS_NOTHING,
        SAYS_NONSENSE,
        TALKS_FOR_EVER,
        SAYS_HALF_A_HELLO,
        SAYS_HELLO_IN_ANOTHER_VERSION,
        SAYS_HELLO_AND_HANGS_UP,
        SAYS_HELLO_AND_NOTHING_MORE,
        SAYS_HELLO_AND_NONSENSE,
        SAYS_HELLO_FOR_EVER
    }

    /** What a process of ours says first. */
    private byte[] hello() throws Exception {
        int port = Ports.free();
        server.call("listen h 127.0.0.1 " + port);
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(rendezvous.listener(port)))) {
            ByteBuffer hello = ByteBuffer.allocate(1000);
            assertThat(channel.read(hello)).isGreaterThan(LAST_BYTE_OF_VERSION);
            return Arrays.copyOf(hello.array(), hello.position());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldStayPlainWhereSomebodyElseAnswers(Behaviour behaviour) throws Exception {
        byte[] hello = hello();
        int port = Ports.free();
        try (Node plain = start(Flavour.JDK)) {
            plain.call("listen l 127.0.0.1 " + port);
            try (ServerSocketChannel fake = takeName(port)) {
                Threads.daemon("fake", () -> run(fake, behaviour, hello));
                for (Mode mode : Mode.values()) {
                    client.call("connect " + mode + " 127.0.0.1 " + port + " " + mode + " 7");
                    plain.call("accept " + mode + " l " + mode + " 7");
                    exchange(plain, client, mode.name());
                }
                expectUndisturbed();
                for (Mode mode : Mode.values()) {
                    exchange(plain, client, mode.name());
                    client.call("close " + mode);
                    assertThat(plain.call("readToEnd " + mode)).isEqualTo("0");
                }
            }
        }
        Traffic traffic = client.traffic();
        assertThat(traffic.tcpReceived()).isEqualTo(4L * COUNT);
    }

    /** The same client still moves to rings with others. */
    private void expectUndisturbed() throws Exception {
        int port = Ports.free();
        server.call("listen l 127.0.0.1 " + port);
        int rings = client.traffic().rings();
        join(server, client, "good", port);
        client.awaitRings(rings + 1);
        server.awaitRings(1);
        Traffic before = client.traffic();
        exchange(server, client, "good");
        assertThat(client.traffic().tcpSent()).isEqualTo(before.tcpSent());
        client.call("close good");
        assertThat(server.call("readToEnd good")).isEqualTo("0");
        server.call("close good");
        client.expectQuiet();
        server.expectQuiet();
    }

    /** A listener under the name that a server of ours on that port has. */
    private ServerSocketChannel takeName(int port) throws Exception {
        Path name;
        try (Node real = start(Flavour.RINGS)) {
            int other = Ports.free();
            real.call("listen l 127.0.0.1 " + other);
            name = Path.of(rendezvous.listener(other).toString().replaceAll("-" + other + "$", "-" + port));
        }
        Files.deleteIfExists(name);
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(name));
    }

    private static void run(ServerSocketChannel fake, Behaviour behaviour, byte[] hello) {
        List<SocketChannel> kept = new ArrayList<>();
        try {
            while (behaviour != Behaviour.NEVER_ACCEPTS) {
                SocketChannel channel = fake.accept();
                kept.add(channel);
                Threads.daemon("test", () -> behave(channel, behaviour, hello));
            }
        } catch (IOException e) {
            // The test is over.
            kept.forEach(SilentPeerTest::closeQuietly);
        }
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // It is of no use any more, closed or not.
        }
    }

    private static void behave(SocketChannel channel, Behaviour behaviour, byte[] hello) {
        byte[] nonsense = new byte[3000];
        new SplittableRandom(1).nextBytes(nonsense);
        byte[] otherVersion = hello.clone();
        otherVersion[LAST_BYTE_OF_VERSION]++;
        try {
            switch (behaviour) {
                case HANGS_UP -> channel.close();
                case SAYS_NONSENSE -> say(channel, nonsense);
                case SAYS_HALF_A_HELLO -> say(channel, Arrays.copyOf(hello, hello.length / 2));
                case SAYS_HELLO_IN_ANOTHER_VERSION -> say(channel, otherVersion);
                case SAYS_HELLO_AND_NOTHING_MORE -> say(channel, hello);
                case SAYS_HELLO_AND_HANGS_UP -> {
                    say(channel, hello);
                    channel.close();
                }
                case SAYS_HELLO_AND_NONSENSE -> {
                    say(channel, hello);
                    say(channel, nonsense);
                }
                case SAYS_HELLO_FOR_EVER -> {
                    while (true) {
                        say(channel, hello);
                    }
                }
                case TALKS_FOR_EVER -> {
                    while (true) {
                        say(channel, nonsense);
                    }
                }
                default -> {
                    // Says nothing.
                }
            }
        } catch (IOException e) {
            // The client has seen enough.
        }
    }

    private static void say(SocketChannel channel, byte[] bytes) throws IOException {
        ByteBuffer source = ByteBuffer.wrap(bytes);
        while (source.hasRemaining()) {
            channel.write(source);
        }
    }

    // -- somebody else asks ------------------------------------------------------------------------------------------

    private static Stream<byte[]> nonsense() {
        byte[] random = new byte[4000];
        new SplittableRandom(5).nextBytes(random);
        byte[] ones = new byte[1 << 20];
        Arrays.fill(ones, (byte) 0xff);
        return Stream.of(random, ones, new byte[100_000], new byte[] {0}, new byte[0]);
    }

    @ParameterizedTest(name = "nonsense {index}")
    @MethodSource("nonsense")
    void shouldBearNonsense(byte[] bytes) throws Exception {
        int port = Ports.free();
        server.call("listen s 127.0.0.1 " + port);
        byte[] hello = hello();
        tell(port, bytes);
        tell(port, concatenate(hello, bytes));
        expectUndisturbed();
    }

    private static byte[] concatenate(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** Says something to a process and waits until it has had enough, unless it waits for more. */
    private void tell(int port, byte[] bytes) throws Exception {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(rendezvous.listener(port)))) {
            say(channel, bytes);
            channel.shutdownOutput();
            ByteBuffer answers = ByteBuffer.allocate(10_000);
            while (channel.read(answers.clear()) >= 0) {
                // until the end
            }
        } catch (IOException e) {
            // It was faster.
        }
    }

    /** A process that says hello twice, or asks for what cannot be: messages of every type, cut off and twisted. */
    @Test
    void shouldBearMessagesThatCannotBe() throws Exception {
        int port = Ports.free();
        server.call("listen s 127.0.0.1 " + port);
        byte[] hello = hello();
        // Another process than the one it is said to.
        hello[hello.length - 1] ^= 1;
        Seeds.withSeed(seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < 200; i++) {
                byte[] message = new byte[2 + random.nextInt(70)];
                random.nextBytes(message);
                message[0] = 0;
                message[1] = (byte) (message.length - 2);
                if (message.length > 2) {
                    message[2] = (byte) random.nextInt(11);
                }
                tell(port, concatenate(hello, message));
            }
            expectUndisturbed();
        });
    }

    @Test
    void shouldBearThoseWhoSayNothing() throws Exception {
        int port = Ports.free();
        server.call("listen s 127.0.0.1 " + port);
        Path name = rendezvous.listener(port);
        List<SocketChannel> silent = new ArrayList<>();
        try {
            for (int i = 0; i < STRANGERS; i++) {
                silent.add(SocketChannel.open(UnixDomainSocketAddress.of(name)));
            }
            expectUndisturbed();
            // They are not borne for ever.
            for (SocketChannel stranger : silent) {
                ByteBuffer hello = ByteBuffer.allocate(1000);
                while (stranger.read(hello) >= 0) {
                    // until it is sent away
                }
            }
        } finally {
            silent.forEach(SilentPeerTest::closeQuietly);
        }
        expectUndisturbed();
    }

    /** A stranger that says hello and never reads does not hold the process up. */
    @Test
    void shouldBearThoseWhoNeverRead() throws Exception {
        int port = Ports.free();
        server.call("listen s 127.0.0.1 " + port);
        byte[] hello = hello();
        hello[hello.length - 1] ^= 1;
        // Every one of them is refused with a reason, which nobody reads.
        ByteBuffer pair = ByteBuffer.allocate(2 + 1 + 8 + 8 + 7 + 7 + 12);
        pair.putShort((short) (pair.capacity() - 2)).put((byte) 2).putLong(1).putLong(2);
        pair.put(new byte[] {4, 127, 0, 0, 1, 1, 1, 4, 127, 0, 0, 1, 2, 2})
                .putInt(0)
                .putInt(0)
                .putInt(4096);
        try (SocketChannel stranger = SocketChannel.open(UnixDomainSocketAddress.of(rendezvous.listener(port)))) {
            say(stranger, hello);
            stranger.configureBlocking(false);
            for (int i = 0; i < 100_000 && stranger.write(pair.rewind()) >= 0; i++) {
                // on and on
            }
            expectUndisturbed();
        } catch (IOException e) {
            // It has been sent away.
            expectUndisturbed();
        }
    }
}
