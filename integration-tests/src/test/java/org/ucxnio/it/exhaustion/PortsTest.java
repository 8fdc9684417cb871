package org.ucxnio.it.exhaustion;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.programs.NodeMain;

/** A listener takes its own port and no other, and shares it as the JDK's does. */
@Bounded
class PortsTest {
    private static final String HOST = "127.0.0.1";
    private static final String OTHER_HOST = "127.0.0.2";
    private static final int CONNECTIONS = 60;
    private static final int PROCESSES = 3;

    /** Each of so many processes gets a third of the connections; fewer than this hardly ever. */
    private static final int LEAST = 5;

    private static ServerSocketChannel listen(SelectorProvider provider, String host, int port) throws IOException {
        return provider.openServerSocketChannel().bind(new InetSocketAddress(host, port));
    }

    private static void expectConnection(SelectorProvider provider, ServerSocketChannel listener) throws IOException {
        try (SocketChannel client = provider.openSocketChannel()) {
            client.connect(listener.getLocalAddress());
            try (SocketChannel server = listener.accept()) {
                assertThat(server.getRemoteAddress()).isEqualTo(client.getLocalAddress());
                assertThat(server.getLocalAddress()).isEqualTo(listener.getLocalAddress());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "RINGS"})
    void shouldListenOnOnePortOfTwoAddresses(Flavour flavour) throws Exception {
        if (flavour.isOurs() && Flavour.isMessagesHere()) {
            return;
        }
        SelectorProvider provider = flavour.provider();
        int port = Ports.free();
        try (ServerSocketChannel first = listen(provider, HOST, port);
                ServerSocketChannel second = listen(provider, OTHER_HOST, port)) {
            expectConnection(provider, first);
            expectConnection(provider, second);
            expectConnection(provider, first);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "RINGS"})
    void shouldLeaveOtherPortsAlone(Flavour flavour) throws Exception {
        if (flavour.isOurs() && Flavour.isMessagesHere()) {
            return;
        }
        SelectorProvider provider = flavour.provider();
        int port = Ports.free();
        InetSocketAddress other = new InetSocketAddress(HOST, Ports.companionOf(port));
        try (ServerSocketChannel listener = listen(provider, HOST, port)) {
            expectConnection(provider, listener);
            expectBlockingSockets(other);
            expectAsynchronousChannels(provider, other);
            expectConnection(provider, listener);
        }
    }

    private static void expectBlockingSockets(InetSocketAddress address) throws IOException {
        try (ServerSocket listener = new ServerSocket()) {
            listener.bind(address);
            try (Socket client = new Socket(HOST, address.getPort());
                    Socket server = listener.accept()) {
                client.getOutputStream().write(7);
                assertThat(server.getInputStream().read()).isEqualTo(7);
                // The port is free at once.
                client.setSoLinger(true, 0);
            }
        }
    }

    private static void expectAsynchronousChannels(SelectorProvider provider, InetSocketAddress address)
            throws Exception {
        try (AsynchronousServerSocketChannel listener = AsynchronousServerSocketChannel.open();
                SocketChannel client = provider.openSocketChannel()) {
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(address);
            client.connect(address);
            try (AsynchronousSocketChannel server = listener.accept().get(10, TimeUnit.SECONDS)) {
                assertThat(server.getRemoteAddress()).isEqualTo(client.getLocalAddress());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "RINGS"})
    void shouldSpreadOverProcessesThatShareAPort(Flavour flavour) throws Exception {
        int port = Ports.free();
        Node[] servers = new Node[PROCESSES];
        try (Node client = Node.start(JvmBuilder.of(flavour, NodeMain.class))) {
            for (int i = 0; i < PROCESSES; i++) {
                servers[i] = Node.start(JvmBuilder.of(flavour, NodeMain.class));
                servers[i].call("listen l " + HOST + " " + port + " shared");
                servers[i].call("acceptAll c l BLOCKING 7");
            }
            int[] served = new int[PROCESSES];
            for (int i = 0; i < CONNECTIONS; i++) {
                String name = "c"
                        + client.call("connect t" + i + " " + HOST + " " + port + " BLOCKING 7")
                                .split(" ")[0]
                                .replaceAll(".*:", "");
                int server = whoHas(servers, name);
                served[server]++;
                servers[server].call("rename " + name + " t" + i);
                client.transfer(servers[server], "t" + i, 1000);
                servers[server].transfer(client, "t" + i, 1000);
            }
            assertThat(IntStream.of(served).min().getAsInt())
                    .as("least of " + List.of(served[0], served[1], served[2]))
                    .isGreaterThanOrEqualTo(LEAST);
        } finally {
            for (Node server : servers) {
                if (server != null) {
                    server.close();
                }
            }
        }
    }

    private static int whoHas(Node[] servers, String name) {
        int[] found = {-1};
        Awaitility.await().pollInSameThread().until(() -> {
            for (int i = 0; i < servers.length; i++) {
                if (servers[i].call("has " + name).equals("true")) {
                    found[0] = i;
                }
            }
            return found[0] >= 0;
        });
        return found[0];
    }
}
