package org.ucxnio.it.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.RecordingProxy;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.programs.EchoClient;
import org.ucxnio.it.programs.EchoServer;

/** With UCX messages: strangers talk nonsense to a companion port. It costs them their connection and nobody else anything. */
@Bounded
class BadHandshakeTest {
    /** Longer than the server waits for a handshake to be finished. */
    private static final int PATIENCE_MS = 15_000;

    /** The part of a handshake that is looked at before the peer is believed. */
    private static final int HELLO_LENGTH = 64;

    private int port;
    private ChildJvm server;
    private ChildJvm friend;

    @BeforeEach
    void startServerAndFriend() throws IOException {
        port = Ports.free();
        server = JvmBuilder.of(Flavour.UCX_MESSAGES, EchoServer.class)
                .arguments("127.0.0.1", port, Mode.SELECTOR)
                .property("java.util.logging.SimpleFormatter.format", "LOG %4$s %5$s%n")
                .start();
        server.expect("LISTENING");
        friend = JvmBuilder.of(Flavour.UCX_MESSAGES, EchoClient.class)
                .arguments("127.0.0.1", port, Mode.SELECTOR, 2, 0, 5000, 1)
                .start();
        awaitMoreRounds(10);
    }

    @AfterEach
    void stop() {
        friend.close();
        server.close();
    }

    private void awaitMoreRounds(long more) {
        long start = Long.parseLong(friend.ask("rounds", "ROUNDS "));
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> Long.parseLong(friend.ask("rounds", "ROUNDS ")) >= start + more);
    }

    /** The friend's connections go on, and the server takes a new one over UCX. */
    private void expectUndisturbed() throws IOException {
        assertThat(server.isAlive()).isTrue();
        awaitMoreRounds(50);
        try (ChildJvm another = JvmBuilder.of(Flavour.UCX_MESSAGES, EchoClient.class)
                .arguments("127.0.0.1", port, Mode.BLOCKING, 1, 10, 5000, 2)
                .start()) {
            another.expect("DONE");
        }
        assertThat(friend.errorLines()).noneMatch(line -> line.contains("Exception"));
        assertThat(server.crashReport()).isEmpty();
    }

    private Socket connectToCompanion() throws IOException {
        Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), Ports.companionOf(port));
        socket.setSoTimeout(PATIENCE_MS);
        return socket;
    }

    /** Reads until the server ends the connection, which it must do. */
    private static byte[] readToEnd(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readAllBytes();
        } catch (SocketException reset) {
            return new byte[0];
        }
    }

    /** Sends what a peer has no reason to send, and returns the port it came from. */
    private int sendAndExpectEnd(byte[] bytes) throws IOException {
        try (Socket socket = connectToCompanion()) {
            try {
                socket.getOutputStream().write(bytes);
            } catch (SocketException e) {
                // The server has seen enough.
            }
            readToEnd(socket);
            return socket.getLocalPort();
        }
    }

    private void expectOneLogLine(int strangersPort) {
        String name = "127.0.0.1:" + strangersPort;
        Awaitility.await("a line that names " + name)
                .atMost(Duration.ofSeconds(10))
                .until(() -> server.errorLines().stream().anyMatch(line -> line.contains(name)));
        assertThat(server.errorLines().stream()
                        .filter(line -> line.contains(name))
                        .toList())
                .hasSize(1)
                .allMatch(line -> line.startsWith("LOG "));
    }

    private static Stream<byte[]> nonsense() {
        byte[] random = new byte[4000];
        new SplittableRandom(5).nextBytes(random);
        byte[] ones = new byte[1 << 20];
        Arrays.fill(ones, (byte) 0xff);
        return Stream.of(
                random,
                ones,
                new byte[100_000],
                "GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: somebody who took a wrong turn\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII),
                new byte[] {0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, (byte) 0xfc, 0x03, 0x03});
    }

    @ParameterizedTest(name = "nonsense {index}")
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("nonsense")
    void shouldEndTheConnectionOfSomebodyWhoTalksNonsense(byte[] bytes) throws IOException {
        int strangersPort = sendAndExpectEnd(bytes);
        expectOneLogLine(strangersPort);
        expectUndisturbed();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldBearThoseWhoSayNothing() throws IOException {
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                silent.add(connectToCompanion());
            }
            connectToCompanion().close();
            expectUndisturbed();
            // They are not borne for ever.
            for (Socket socket : silent) {
                readToEnd(socket);
            }
            expectOneLogLine(silent.getFirst().getLocalPort());
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
        expectUndisturbed();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldGreetBeforeItIsSpokenTo() throws IOException {
        try (Socket socket = connectToCompanion()) {
            assertThat(socket.getInputStream().read()).isNotNegative();
        }
        expectUndisturbed();
    }

    /** What an accelerated client sends to the companion port while it connects. */
    private byte[] recordHandshake() throws IOException {
        try (RecordingProxy plain = new RecordingProxy(port);
                RecordingProxy companion = new RecordingProxy(Ports.companionOf(port));
                ChildJvm client = JvmBuilder.of(Flavour.UCX_MESSAGES, EchoClient.class)
                        .arguments("127.0.0.2", port, Mode.BLOCKING, 1, 1, 100, 3)
                        .property("ucxnio.companion.timeout", "20s")
                        .start()) {
            client.expect("DONE");
            assertThat(plain.recordings()).isEmpty();
            byte[] recording = companion.recordings().getFirst();
            assertThat(recording).isNotEmpty();
            return recording;
        }
    }

    /** Sends the bytes once greeted; true if the server ended the connection by itself or answered at all. */
    private void replay(byte[] bytes, boolean hangUp) throws IOException {
        try (Socket socket = connectToCompanion()) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            assertThat(in.read()).isNotNegative();
            try {
                out.write(bytes);
                if (hangUp) {
                    socket.shutdownOutput();
                    readToEnd(socket);
                }
            } catch (SocketException e) {
                // The server was faster.
            }
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldBearTruncatedHandshakes() throws Exception {
        byte[] handshake = recordHandshake();
        for (int length = 0; length < Math.min(handshake.length, 200); length += 7) {
            replay(Arrays.copyOf(handshake, length), length % 2 == 0);
        }
        expectUndisturbed();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldBearHandshakesThatGoOnTooLong() throws IOException {
        byte[] handshake = recordHandshake();
        replay(Arrays.copyOf(handshake, 1 << 20), true);
        byte[] noise = Arrays.copyOf(handshake, 1 << 16);
        Arrays.fill(noise, handshake.length, noise.length, (byte) 0x7f);
        replay(noise, true);
        expectUndisturbed();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldRefuseAnyOtherVersion() throws IOException {
        byte[] handshake = recordHandshake();
        // Magic number and version come first. What is wrong with them is told the first time that it is seen.
        for (int index = 0; index < 6; index++) {
            byte[] changed = handshake.clone();
            changed[index] ^= 0x10;
            int strangersPort = sendAndExpectEnd(changed);
            if (index == 0 || index == 5) {
                expectOneLogLine(strangersPort);
            }
        }
        expectUndisturbed();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldBearHandshakesWithWrongBytes() throws Exception {
        byte[] handshake = recordHandshake();
        Seeds.withSeed(seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < 60; i++) {
                byte[] changed = handshake.clone();
                int changes = 1 + random.nextInt(3);
                for (int change = 0; change < changes; change++) {
                    // What follows this comes from a peer that is trusted by then.
                    changed[random.nextInt(HELLO_LENGTH)] ^= (byte) (1 << random.nextInt(8));
                }
                replay(changed, true);
            }
            expectUndisturbed();
        });
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldBearAReplayedHandshake() throws IOException {
        byte[] handshake = recordHandshake();
        for (int i = 0; i < 5; i++) {
            replay(handshake, true);
        }
        expectUndisturbed();
    }
}
