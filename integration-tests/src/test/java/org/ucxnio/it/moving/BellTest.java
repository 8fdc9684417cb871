package org.ucxnio.it.moving;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Proc;
import org.ucxnio.it.programs.EchoClient;
import org.ucxnio.it.programs.EchoServer;

/** Two processes that sleep for each message: a selector is woken by its bell, a pipe that its peer has opened. */
@Bounded
class BellTest {
    private static final int CONNECTIONS = 3;
    private static final int UNTIL_TOLD = 0;
    private static final int LARGEST = 200;
    private static final int SEED = 5;
    private static final int ROUNDS = 1000;

    private static ChildJvm start(Class<?> program, Object... arguments) throws IOException {
        return JvmBuilder.of(Flavour.RINGS, program)
                .property("ucxnio.wait", "block")
                .arguments(arguments)
                .start();
    }

    private static ChildJvm server(int port) throws IOException {
        ChildJvm server = start(EchoServer.class, "127.0.0.1", port, Mode.SELECTOR);
        server.expect("LISTENING");
        return server;
    }

    private static ChildJvm client(int port) throws IOException {
        ChildJvm client =
                start(EchoClient.class, "127.0.0.1", port, Mode.BLOCKING, CONNECTIONS, UNTIL_TOLD, LARGEST, SEED);
        client.expect("STARTED");
        return client;
    }

    private static Set<String> inCommon(ChildJvm one, ChildJvm other) throws IOException {
        Set<String> pipes = Proc.pipes(one.pid());
        pipes.retainAll(Proc.pipes(other.pid()));
        return pipes;
    }

    private static void awaitOneBell(ChildJvm one, ChildJvm other) {
        Awaitility.await().untilAsserted(() -> assertThat(inCommon(one, other)).hasSize(1));
    }

    @Test
    void shouldRingOneForAllConnectionsOfASelector() throws Exception {
        int port = Ports.free();
        try (ChildJvm server = server(port);
                ChildJvm client = client(port)) {
            awaitOneBell(server, client);
            long before = rounds(client);
            Awaitility.await().until(() -> rounds(client) > before + ROUNDS);
            client.send("stop");
            client.expect("DONE");
            assertThat(inCommon(server, client)).hasSize(1);
        }
    }

    private static long rounds(ChildJvm client) throws Exception {
        return Long.parseLong(client.ask("rounds", "ROUNDS "));
    }

    @Test
    void shouldLetGoOfTheBellOfAPeerThatDied() throws Exception {
        int port = Ports.free();
        try (ChildJvm server = server(port);
                ChildJvm client = client(port)) {
            awaitOneBell(server, client);
            Set<String> bell = inCommon(server, client);
            server.kill();
            Awaitility.await()
                    .untilAsserted(() -> assertThat(Proc.pipes(client.pid())).doesNotContainAnyElementsOf(bell));
        }
    }
}
