package org.ucxnio.it.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.EchoClient;
import org.ucxnio.it.programs.EchoServer;

/** With UCX messages: somebody else listens where a client expects a companion: the client sends it nothing it can misread and goes plain. */
@Bounded
class FakeCompanionTest {
    private static final int ROUNDS = 20;

    private int port;
    private ChildJvm server;

    @BeforeEach
    void startPlainServer() throws IOException {
        port = Ports.free();
        server = JvmBuilder.of(Flavour.JDK, EchoServer.class)
                .arguments("127.0.0.1", port, Mode.BLOCKING)
                .start();
        server.expect("LISTENING");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** What somebody says to whom connects. */
    private enum Behaviour {
        HANGS_UP,
        SAYS_NOTHING,
        SAYS_NONSENSE,
        TALKS_FOR_EVER,
        SAYS_HALF_A_GREETING,
        GREETS_FOR_ANOTHER_PORT,
        GREETS_IN_ANOTHER_VERSION,
        GREETS_AND_HANGS_UP
    }

    private static Stream<Arguments> behavioursAndModes() {
        return Stream.of(Behaviour.values())
                .flatMap(behaviour -> Stream.of(Mode.values()).map(mode -> Arguments.of(behaviour, mode)));
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("behavioursAndModes")
    void shouldFallBackToPlain(Behaviour behaviour, Mode mode) throws Exception {
        byte[] greeting = greetingOf(behaviour == Behaviour.GREETS_AND_HANGS_UP ? port : Ports.free());
        try (ServerSocket fake = new ServerSocket()) {
            fake.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), Ports.companionOf(port)));
            Thread.ofPlatform().daemon().name("fake").start(() -> run(fake, behaviour, greeting));
            try (ChildJvm client = JvmBuilder.of(Flavour.UCX_MESSAGES, EchoClient.class)
                    .arguments("127.0.0.1", port, mode, 3, ROUNDS, 5000, 1)
                    .start()) {
                assertThat(client.expect("DONE")).isEqualTo(Integer.toString(3 * ROUNDS));
                Traffic traffic = Traffic.parse(Traffic.PREFIX + client.ask("traffic", Traffic.PREFIX));
                assertThat(traffic.ucxSent()).isZero();
                assertThat(traffic.tcpSent()).isPositive();
                assertThat(traffic.plain()).isEqualTo(3);
                assertThat(client.crashReport()).isEmpty();
            }
        }
    }

    /** The greeting of a real companion: on another address it can stand for any port. */
    private static byte[] greetingOf(int realPort) throws IOException {
        try (ChildJvm real = JvmBuilder.of(Flavour.UCX_MESSAGES, EchoServer.class)
                .arguments("127.0.0.3", realPort, Mode.BLOCKING)
                .start()) {
            real.expect("LISTENING");
            try (Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.3"), Ports.companionOf(realPort))) {
                byte[] buffer = new byte[1000];
                return Arrays.copyOf(buffer, socket.getInputStream().read(buffer));
            }
        }
    }

    private static void run(ServerSocket fake, Behaviour behaviour, byte[] greeting) {
        try {
            while (true) {
                Socket client = fake.accept();
                Thread.ofPlatform().daemon().start(() -> behave(client, behaviour, greeting));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private static void behave(Socket client, Behaviour behaviour, byte[] greeting) {
        byte[] nonsense = new byte[3000];
        new SplittableRandom(1).nextBytes(nonsense);
        byte[] otherVersion = greeting.clone();
        // The version stands behind the eight bytes that tell what this is.
        otherVersion[9]++;
        try {
            switch (behaviour) {
                case HANGS_UP -> client.close();
                case SAYS_NONSENSE -> client.getOutputStream().write(nonsense);
                case SAYS_HALF_A_GREETING -> client.getOutputStream().write(greeting, 0, greeting.length / 2);
                case GREETS_FOR_ANOTHER_PORT -> client.getOutputStream().write(greeting);
                case GREETS_IN_ANOTHER_VERSION -> client.getOutputStream().write(otherVersion);
                case GREETS_AND_HANGS_UP -> {
                    client.getOutputStream().write(greeting);
                    client.close();
                }
                case TALKS_FOR_EVER -> {
                    while (true) {
                        client.getOutputStream().write(nonsense);
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
}
