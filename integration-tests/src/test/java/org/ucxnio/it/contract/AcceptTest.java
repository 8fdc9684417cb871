package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Peer;
import org.ucxnio.it.harness.Ports;

/** Listening and accepting. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#clients")
class AcceptTest {
    private static final AtomicInteger COUNT = new AtomicInteger();

    @Parameter
    private Setting setting;

    private ServerSocketChannel listener;

    @BeforeEach
    void openListener() throws IOException {
        listener = setting.flavour().provider().openServerSocketChannel();
    }

    @AfterEach
    void closeListener() throws IOException {
        listener.close();
    }

    private int bind() throws IOException {
        int port = Ports.free();
        listener.bind(Connection.loopback(port));
        return port;
    }

    private static String newName() {
        return "a" + COUNT.incrementAndGet();
    }

    private CompletableFuture<String> startConnect(String name, int port) {
        return setting.peer().start("connect " + name + " 127.0.0.1 " + port + " BLOCKING");
    }

    @Test
    void shouldAcceptWhatConnects() throws IOException {
        int port = bind();
        String name = newName();
        CompletableFuture<String> connected = startConnect(name, port);
        try (SocketChannel channel = listener.accept()) {
            assertThat(Peer.await(connected)).isEqualTo(channel.getRemoteAddress() + "|" + channel.getLocalAddress());
            assertThat(channel.isConnected()).isTrue();
            assertThat(channel.isBlocking()).isTrue();
            assertThat(channel.isOpen()).isTrue();
            assertThat(channel.provider()).isSameAs(listener.provider());
            assertThat(((InetSocketAddress) channel.getLocalAddress()).getPort())
                    .isEqualTo(port);
            assertThat(channel.finishConnect()).isTrue();
        }
    }

    @Test
    void shouldReturnNullWhenNobodyConnects() throws IOException {
        bind();
        listener.configureBlocking(false);
        assertThat(listener.accept()).isNull();
        assertThat(listener.isBlocking()).isFalse();
    }

    @Test
    void shouldStayAcceptableUntilAccepted() throws IOException {
        int port = bind();
        listener.configureBlocking(false);
        try (Selector selector = listener.provider().openSelector()) {
            SelectionKey key = listener.register(selector, SelectionKey.OP_ACCEPT);
            assertThat(selector.selectNow()).isZero();
            String name = newName();
            CompletableFuture<String> connected = startConnect(name, port);
            for (int round = 0; round < 3; round++) {
                assertThat(selector.select(20_000)).isEqualTo(1);
                assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_ACCEPT);
                assertThat(key.isAcceptable()).isTrue();
                selector.selectedKeys().clear();
            }
            try (SocketChannel channel = listener.accept()) {
                assertThat(channel.isBlocking()).isTrue();
                Peer.await(connected);
            }
            assertThat(selector.selectNow()).isZero();
            assertThat(listener.accept()).isNull();
        }
    }

    @Test
    void shouldGiveEachConnectionToOneOfSeveralThreads() throws Exception {
        int port = bind();
        int count = 12;
        List<Attempt<SocketChannel>> accepts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            accepts.add(Attempt.start(listener::accept));
        }
        Set<String> connected = new HashSet<>();
        for (int i = 0; i < count; i++) {
            connected.add(Peer.await(startConnect(newName(), port)));
        }
        Set<String> accepted = new HashSet<>();
        for (Attempt<SocketChannel> accept : accepts) {
            try (SocketChannel channel = accept.result()) {
                accepted.add(channel.getRemoteAddress() + "|" + channel.getLocalAddress());
            }
        }
        assertThat(accepted).hasSize(count).isEqualTo(connected);
    }

    @Test
    void shouldAcceptSomebodyWhoHasWrittenAndGoneAlready() throws IOException {
        int port = bind();
        String name = newName();
        Peer.await(startConnect(name, port));
        setting.peer().call("write " + name + " 100");
        setting.peer().call("close " + name);
        try (SocketChannel channel = listener.accept()) {
            ByteBuffer buffer = ByteBuffer.allocate(200);
            int count = 0;
            while (count >= 0) {
                count = channel.read(buffer);
            }
            assertThat(buffer.position()).isEqualTo(100);
        }
    }

    /** Each in its turn, so that the listener is at it when the client leaves, some in order and some with a reset. */
    @Test
    void shouldAcceptEverybodyWhoLeavesAtOnce() throws Exception {
        SocketAddress here = Connection.loopback(bind());
        for (int i = 0; i < 1000; i++) {
            Attempt<SocketChannel> accept = Attempt.startVirtual(listener::accept);
            try (SocketChannel client = setting.flavour().provider().openSocketChannel()) {
                client.connect(here);
                if (i % 2 == 0) {
                    client.setOption(StandardSocketOptions.SO_LINGER, 0);
                }
            }
            accept.result().close();
        }
    }

    @Test
    void shouldEndABlockedAcceptWhenClosed() throws Exception {
        bind();
        Attempt<SocketChannel> accept = Attempt.start(listener::accept).awaitInside("accept");
        listener.close();
        assertThat(accept.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        if (OlderAnswers.HERE) {
            assertThatThrownBy(listener::accept).isInstanceOf(ClosedChannelException.class);
        } else {
            assertThatThrownBy(listener::accept).isExactlyInstanceOf(ClosedChannelException.class);
        }
    }

    @Test
    void shouldEndABlockedAcceptWhenInterrupted() throws Exception {
        bind();
        Attempt<SocketChannel> accept = Attempt.start(listener::accept).awaitInside("accept");
        accept.thread().interrupt();
        assertThat(accept.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(accept.wasInterruptedAtEnd()).isTrue();
        assertThat(listener.isOpen()).isFalse();
    }

    @Test
    void shouldEndAcceptAtOnceWhenInterruptedBefore() throws Exception {
        bind();
        Attempt<SocketChannel> accept = Attempt.start(() -> {
            Thread.currentThread().interrupt();
            return listener.accept();
        });
        assertThat(accept.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(accept.wasInterruptedAtEnd()).isTrue();
    }

    @Test
    void shouldResetWhatItDidNotAccept() throws IOException {
        int port = bind();
        String name = newName();
        Peer.await(startConnect(name, port));
        listener.close();
        assertThatThrownBy(() -> setting.peer().call("read " + name + " 1"))
                .isInstanceOf(Peer.PeerFailure.class)
                .hasMessageContaining("Connection reset");
        setting.peer().call("close " + name);
    }

    @Test
    void shouldKnowItsStates() throws IOException {
        assertThat(listener.validOps()).isEqualTo(SelectionKey.OP_ACCEPT);
        assertThat(listener.provider()).isSameAs(setting.flavour().provider());
        assertThat(listener.getLocalAddress()).isNull();
        assertThatThrownBy(listener::accept).isInstanceOf(NotYetBoundException.class);
        int port = bind();
        assertThat(listener.getLocalAddress()).isEqualTo(Connection.loopback(port));
        assertThatThrownBy(() -> listener.bind(null)).isInstanceOf(AlreadyBoundException.class);
        listener.close();
        assertThatThrownBy(listener::getLocalAddress).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> listener.bind(null)).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> listener.configureBlocking(false)).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldBindToAnEphemeralPort() throws IOException {
        listener.bind(null);
        InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
        assertThat(address.getPort()).isPositive();
        assertThat(address.getAddress().isAnyLocalAddress()).isTrue();
        CompletableFuture<String> connected = startConnect(newName(), address.getPort());
        try (SocketChannel channel = listener.accept()) {
            assertThat(Peer.await(connected)).endsWith("|" + channel.getLocalAddress());
        }
    }

    @Test
    void shouldReportAPortInUse() throws IOException {
        int port = bind();
        try (ServerSocketChannel second = listener.provider().openServerSocketChannel()) {
            assertThatThrownBy(() -> second.bind(Connection.loopback(port)))
                    .isExactlyInstanceOf(BindException.class)
                    .hasMessage("Address already in use");
            assertThat(second.isOpen()).isTrue();
        }
    }

    @Test
    void shouldBindAPortAgainRightAfterItWasClosed() throws IOException {
        int port = bind();
        for (int round = 0; round < 5; round++) {
            CompletableFuture<String> connected = startConnect(newName(), port);
            listener.accept().close();
            Peer.await(connected);
            listener.close();
            listener = setting.flavour().provider().openServerSocketChannel();
            listener.bind(Connection.loopback(port));
        }
    }

    @Test
    void shouldTimeOutInTheAdaptor() throws IOException {
        bind();
        listener.socket().setSoTimeout(50);
        assertThatThrownBy(() -> listener.socket().accept()).isInstanceOf(SocketTimeoutException.class);
        assertThat(listener.isOpen()).isTrue();
    }
}
