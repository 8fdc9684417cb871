package org.ucxnio.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.programs.EchoClient;
import org.ucxnio.it.programs.EchoServer;
import org.ucxnio.it.programs.GreetingClient;
import org.ucxnio.it.programs.GreetingServer;
import org.ucxnio.it.programs.PeerMain;
import org.ucxnio.it.programs.WriteCloseExit;

/** Small programs over plain channels, every combination of providers. */
@Bounded
class EchoProgramsTest {
    private static final int CONNECTIONS = 4;
    private static final int UNTIL_TOLD = 0;
    private static final int LARGEST = 20_000;
    private static final long LEAST_BYTES = 6_000_000;

    private static Stream<Arguments> sidesAndModes() {
        return Arrays.stream(Sides.values())
                .flatMap(sides -> Arrays.stream(Mode.values()).map(mode -> Arguments.of(sides, mode)));
    }

    @ParameterizedTest
    @MethodSource("sidesAndModes")
    void shouldEcho(Sides sides, Mode mode) throws Exception {
        Seeds.withSeed(seed -> echo(sides, mode, seed));
    }

    private static void echo(Sides sides, Mode mode, long seed) throws Exception {
        int port = Ports.free();
        try (ChildJvm server = JvmBuilder.of(sides.server, EchoServer.class)
                        .arguments("127.0.0.1", port, mode)
                        .start();
                ChildJvm client = startClient(sides.client, server, port, mode, seed)) {
            sides.awaitTraffic(server, client, LEAST_BYTES);
            client.send("stop");
            client.expect("DONE");
            Sides.expectQuiet(server);
            Sides.expectQuiet(client);
        }
    }

    private static ChildJvm startClient(Flavour flavour, ChildJvm server, int port, Mode mode, long seed)
            throws IOException {
        server.expect("LISTENING");
        return JvmBuilder.of(flavour, EchoClient.class)
                .arguments("127.0.0.1", port, mode, CONNECTIONS, UNTIL_TOLD, LARGEST, seed)
                .start();
    }

    @ParameterizedTest
    @MethodSource("sidesAndModes")
    void shouldLetTheServerSpeakFirst(Sides sides, Mode mode) throws Exception {
        int port = Ports.free();
        try (ChildJvm server = JvmBuilder.of(sides.server, GreetingServer.class)
                .arguments(port, mode)
                .start()) {
            server.expect("LISTENING");
            try (ChildJvm client = JvmBuilder.of(sides.client, GreetingClient.class)
                    .arguments(port, mode)
                    .start()) {
                assertThat(client.expect("GREETING")).isEqualTo(GreetingServer.GREETING.strip());
                assertThat(client.expect("ANSWER")).isEqualTo("250 you said HELO 1");
                // Two messages are over before a connection between two fresh processes can have moved.
                sides.expectEither(server, client, "HELO 1".length());
            }
        }
    }

    private static Stream<Arguments> endings() {
        return sidesAndModes()
                .flatMap(arguments -> Stream.of("return", "exit", "noClose")
                        .map(ending ->
                                Arguments.of(arguments.get()[0], arguments.get()[1], ending)));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void shouldDeliverEverythingOfAProgramThatEndsAtOnce(Sides sides, Mode mode, String ending) throws Exception {
        int port = Ports.free();
        int length = 200_000;
        try (ChildJvm receiver = JvmBuilder.of(sides.server, PeerMain.class).start()) {
            receiver.expect("READY");
            receiver.ask("1 listen l 127.0.0.1 " + port, PeerMain.ANSWER + "1 ok");
            try (ChildJvm sender = JvmBuilder.of(sides.client, WriteCloseExit.class)
                    .arguments(port, mode, length, ending)
                    .start()) {
                receiver.ask("2 accept c l BLOCKING", PeerMain.ANSWER + "2 ok");
                // A program that exits without closing leaves its sockets to the kernel, which ends the stream.
                String read = receiver.ask("3 readToEnd c", PeerMain.ANSWER + "3");
                assertThat(read).isEqualTo("ok " + length);
                assertThat(sender.awaitExit(ChildJvm.PATIENCE)).isZero();
                Sides.expectQuiet(sender);
            }
            Sides.expectQuiet(receiver);
        }
    }
}
