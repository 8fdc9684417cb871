package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Ports;

/** States, results and exceptions of connecting. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#clients")
class ConnectTest {
    @Parameter
    private Setting setting;

    private SocketChannel channel;

    @BeforeEach
    void openChannel() throws IOException {
        channel = setting.flavour().provider().openSocketChannel();
    }

    @AfterEach
    void closeChannel() throws IOException {
        channel.close();
    }

    @Test
    void shouldTellTheProviderThatOpenedIt() {
        assertThat(channel.provider()).isSameAs(setting.flavour().provider());
        assertThat(channel.validOps())
                .isEqualTo(SelectionKey.OP_CONNECT | SelectionKey.OP_READ | SelectionKey.OP_WRITE);
    }

    @Test
    void shouldGoThroughTheStatesOfABlockingConnect() throws IOException {
        assertThat(channel.isOpen()).isTrue();
        assertThat(channel.isBlocking()).isTrue();
        assertThat(channel.isConnected()).isFalse();
        assertThat(channel.isConnectionPending()).isFalse();
        assertThat(channel.getLocalAddress()).isNull();
        assertThat(channel.getRemoteAddress()).isNull();
        try (FarListener listener = new FarListener(setting)) {
            assertThat(channel.connect(listener.address())).isTrue();
        }
        assertThat(channel.isConnected()).isTrue();
        assertThat(channel.isConnectionPending()).isFalse();
        channel.close();
        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.isConnected()).isFalse();
    }

    @Test
    void shouldFinishANonBlockingConnectWhenTheKeyIsReady() throws IOException {
        channel.configureBlocking(false);
        try (FarListener listener = new FarListener(setting);
                Selector selector = channel.provider().openSelector()) {
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            if (!channel.connect(listener.address())) {
                assertThat(channel.isConnectionPending()).isTrue();
                assertThat(channel.isConnected()).isFalse();
                assertThat(selector.select(20_000)).isEqualTo(1);
                assertThat(key.isConnectable()).isTrue();
                assertThat(channel.isConnectionPending()).isTrue();
                assertThat(channel.finishConnect()).isTrue();
            }
            assertThat(channel.isConnected()).isTrue();
            assertThat(channel.isConnectionPending()).isFalse();
            assertThat(channel.finishConnect()).isTrue();
            assertThat(channel.isBlocking()).isFalse();
        }
    }

    @Test
    void shouldBecomeConnectableEveryTime() throws IOException {
        for (int round = 0; round < 100; round++) {
            try (FarListener listener = new FarListener(setting);
                    SocketChannel one = channel.provider().openSocketChannel();
                    Selector selector = channel.provider().openSelector()) {
                one.configureBlocking(false);
                connectSelecting(one, selector, listener, round);
                assertThat(listener.accept("r" + round)).endsWith("|" + one.getLocalAddress());
            }
        }
    }

    /** Event loops differ in when they register and when they show their interest. */
    private static void connectSelecting(SocketChannel one, Selector selector, FarListener listener, int round)
            throws IOException {
        SelectionKey key = null;
        if (round % 3 > 0) {
            key = one.register(selector, round % 3 == 1 ? 0 : SelectionKey.OP_CONNECT);
            // The kernel calls a socket that was never connected hung up, which makes the key ready.
            selector.selectNow();
            selector.selectedKeys().clear();
        }
        boolean connected = one.connect(listener.address());
        if (round % 3 == 0) {
            key = one.register(selector, SelectionKey.OP_CONNECT);
        }
        key.interestOps(SelectionKey.OP_CONNECT);
        while (!connected) {
            assertThat(selector.select(20_000)).as("round " + round).isEqualTo(1);
            assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_CONNECT);
            selector.selectedKeys().clear();
            connected = one.finishConnect();
        }
        // Connected as it is, it must be writable and nothing else.
        key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        assertThat(selector.select(20_000)).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_WRITE);
    }

    @Test
    void shouldFinishConnectFromAnotherThread() throws Exception {
        channel.configureBlocking(false);
        try (FarListener listener = new FarListener(setting);
                Selector selector = channel.provider().openSelector()) {
            channel.register(selector, SelectionKey.OP_CONNECT);
            boolean connected = channel.connect(listener.address());
            assertThat(connected || selector.select(20_000) == 1).isTrue();
            assertThat(Attempt.start(channel::finishConnect).result()).isTrue();
            assertThat(channel.isConnected()).isTrue();
        }
    }

    @Test
    void shouldFinishANonBlockingConnectInBlockingMode() throws IOException {
        channel.configureBlocking(false);
        try (FarListener listener = new FarListener(setting)) {
            channel.connect(listener.address());
            channel.configureBlocking(true);
            assertThat(channel.finishConnect()).isTrue();
            assertThat(channel.isConnected()).isTrue();
        }
    }

    @Test
    void shouldRefuseToConnectTwice() throws IOException {
        try (FarListener listener = new FarListener(setting)) {
            channel.connect(listener.address());
            assertThatThrownBy(() -> channel.connect(listener.address())).isInstanceOf(AlreadyConnectedException.class);
            assertThat(channel.isOpen()).isTrue();
        }
    }

    @Test
    void shouldStayPendingWhileNobodyAnswers() throws IOException {
        channel.configureBlocking(false);
        try (SilentListener silent = new SilentListener();
                Selector selector = channel.provider().openSelector()) {
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            assertThat(channel.connect(silent.address())).isFalse();
            assertThat(channel.isConnectionPending()).isTrue();
            assertThat(channel.finishConnect()).isFalse();
            assertThatThrownBy(() -> channel.connect(silent.address())).isInstanceOf(ConnectionPendingException.class);
            assertThatThrownBy(() -> channel.bind(null)).isInstanceOf(ConnectionPendingException.class);
            assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).isInstanceOf(NotYetConnectedException.class);
            assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1)))
                    .isInstanceOf(NotYetConnectedException.class);
            assertThat(selector.selectNow()).isZero();
            assertThat(key.isConnectable()).isFalse();
            assertThat(channel.getRemoteAddress()).isEqualTo(silent.address());
        }
    }

    @Test
    void shouldRefuseToFinishWhatWasNotBegun() throws IOException {
        assertThatThrownBy(channel::finishConnect).isInstanceOf(NoConnectionPendingException.class);
        channel.close();
        assertThatThrownBy(channel::finishConnect).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldReportARefusedBlockingConnectAndClose() throws IOException {
        InetSocketAddress nobody = Connection.loopback(Ports.free());
        assertThatThrownBy(() -> channel.connect(nobody))
                .isExactlyInstanceOf(ConnectException.class)
                .hasMessage("Connection refused");
        assertThat(channel.isOpen()).isFalse();
        assertThatThrownBy(() -> channel.connect(nobody)).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldReportARefusedNonBlockingConnectAndClose() throws IOException {
        InetSocketAddress nobody = Connection.loopback(Ports.free());
        channel.configureBlocking(false);
        try (Selector selector = channel.provider().openSelector()) {
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            channel.connect(nobody);
            assertThat(selector.select(20_000)).isEqualTo(1);
            assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_CONNECT);
            assertThatThrownBy(channel::finishConnect)
                    .isExactlyInstanceOf(ConnectException.class)
                    .hasMessage("Connection refused");
            assertThat(channel.isOpen()).isFalse();
            assertThat(key.isValid()).isFalse();
        }
    }

    @Test
    void shouldRefuseAddressesItCannotUse() {
        SocketAddress foreign = new SocketAddress() {
            private static final long serialVersionUID = 1;
        };
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 1);
        assertThatThrownBy(() -> channel.connect(foreign)).isInstanceOf(UnsupportedAddressTypeException.class);
        assertThatThrownBy(() -> channel.connect(unresolved)).isInstanceOf(UnresolvedAddressException.class);
        assertThatThrownBy(() -> channel.connect(null)).isInstanceOf(NullPointerException.class);
        assertThat(channel.isOpen()).isTrue();
        assertThatThrownBy(() -> channel.bind(foreign)).isInstanceOf(UnsupportedAddressTypeException.class);
    }

    @Test
    void shouldRefuseToConnectWhenClosed() throws IOException {
        channel.close();
        assertThatThrownBy(() -> channel.connect(Connection.loopback(1))).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> channel.bind(null)).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(channel::getLocalAddress).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(channel::getRemoteAddress).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> channel.configureBlocking(false)).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldRefuseDataBeforeItIsConnected() {
        ByteBuffer buffer = ByteBuffer.allocate(1);
        ByteBuffer[] buffers = {buffer};
        assertThatThrownBy(() -> channel.read(buffer)).isInstanceOf(NotYetConnectedException.class);
        assertThatThrownBy(() -> channel.read(buffers)).isInstanceOf(NotYetConnectedException.class);
        assertThatThrownBy(() -> channel.write(buffer)).isInstanceOf(NotYetConnectedException.class);
        assertThatThrownBy(() -> channel.write(buffers)).isInstanceOf(NotYetConnectedException.class);
        assertThatThrownBy(channel::shutdownInput).isInstanceOf(NotYetConnectedException.class);
        assertThatThrownBy(channel::shutdownOutput).isInstanceOf(NotYetConnectedException.class);
    }

    @Test
    void shouldConnectFromTheAddressItIsBoundTo() throws IOException {
        int localPort = Ports.free();
        try (FarListener listener = new FarListener(setting)) {
            assertThat(channel.bind(Connection.loopback(localPort))).isSameAs(channel);
            assertThat(channel.getLocalAddress()).isEqualTo(Connection.loopback(localPort));
            assertThatThrownBy(() -> channel.bind(null)).isInstanceOf(AlreadyBoundException.class);
            channel.connect(listener.address());
            assertThat(listener.accept("a")).isEqualTo("/127.0.0.1:" + listener.port() + "|/127.0.0.1:" + localPort);
            assertThat(channel.getLocalAddress()).isEqualTo(Connection.loopback(localPort));
            assertThatThrownBy(() -> channel.bind(null)).isInstanceOf(AlreadyBoundException.class);
            channel.write(ByteBuffer.allocate(0));
        }
    }

    @Test
    void shouldBindToAnEphemeralPortAndConnectFromIt() throws IOException {
        try (FarListener listener = new FarListener(setting)) {
            channel.bind(new InetSocketAddress("127.0.0.1", 0));
            InetSocketAddress bound = (InetSocketAddress) channel.getLocalAddress();
            assertThat(bound.getPort()).isPositive();
            channel.connect(listener.address());
            assertThat(listener.accept("a")).endsWith("|" + bound);
        }
    }

    @Test
    void shouldAgreeWithThePeerOnBothAddresses() throws IOException {
        try (FarListener listener = new FarListener(setting)) {
            channel.connect(listener.address());
            String peerView = listener.accept("a");
            assertThat(channel.getRemoteAddress()).isEqualTo(listener.address());
            assertThat(peerView).isEqualTo(channel.getRemoteAddress() + "|" + channel.getLocalAddress());
        }
    }

    @Test
    void shouldConnectAndWriteBeforeThePeerAccepts() throws IOException {
        try (FarListener listener = new FarListener(setting)) {
            List<SocketChannel> channels = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                SocketChannel one = setting.flavour().provider().openSocketChannel();
                channels.add(one);
                assertThat(one.connect(listener.address())).isTrue();
                assertThat(one.write(ByteBuffer.wrap(new byte[0]))).isZero();
            }
            for (SocketChannel one : channels) {
                String peerView = listener.accept("x" + one.getLocalAddress());
                assertThat(peerView).endsWith("|" + one.getLocalAddress());
                one.close();
            }
        }
    }

    @Test
    void shouldReachAListenerOnTheWildcardAddress() throws IOException {
        try (FarListener listener = new FarListener(setting, "0.0.0.0")) {
            channel.connect(new InetSocketAddress("localhost", listener.port()));
            listener.accept("a");
            assertThat(((InetSocketAddress) channel.getRemoteAddress()).getPort())
                    .isEqualTo(listener.port());
        }
    }

    @Test
    void shouldConnectOverIpv6() throws IOException {
        try (FarListener listener = new FarListener(setting, "::1")) {
            InetSocketAddress address = new InetSocketAddress("::1", listener.port());
            channel.connect(address);
            assertThat(listener.accept("a")).isEqualTo(address + "|" + channel.getLocalAddress());
            assertThat(channel.getRemoteAddress()).isEqualTo(address);
        }
    }
}
