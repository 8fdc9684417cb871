package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Ports;

/** What {@code socket()} returns works like a socket. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#blocking")
class AdaptorTest {
    @Parameter
    private Setting setting;

    private Connection connection;
    private SocketChannel channel;
    private Socket socket;

    @BeforeEach
    void connect() throws IOException {
        connection = Connection.open(setting);
        channel = connection.channel();
        socket = channel.socket();
    }

    @AfterEach
    void close() throws IOException {
        connection.close();
    }

    @Test
    void shouldTellItsAddressesAndStates() throws IOException {
        InetSocketAddress local = (InetSocketAddress) channel.getLocalAddress();
        InetSocketAddress remote = (InetSocketAddress) channel.getRemoteAddress();
        assertThat(socket.getChannel()).isSameAs(channel);
        assertThat(channel.socket()).isSameAs(socket);
        assertThat(socket.isConnected()).isTrue();
        assertThat(socket.isBound()).isTrue();
        assertThat(socket.isClosed()).isFalse();
        assertThat(socket.getLocalPort()).isEqualTo(local.getPort());
        assertThat(socket.getPort()).isEqualTo(remote.getPort());
        assertThat(socket.getLocalAddress()).isEqualTo(local.getAddress());
        assertThat(socket.getInetAddress()).isEqualTo(remote.getAddress());
        assertThat(socket.getLocalSocketAddress()).isEqualTo(local);
        assertThat(socket.getRemoteSocketAddress()).isEqualTo(remote);
        assertThat(socket.toString()).contains("127.0.0.1").contains(Integer.toString(remote.getPort()));
        socket.close();
        assertThat(channel.isOpen()).isFalse();
        assertThat(socket.isClosed()).isTrue();
    }

    @Test
    void shouldTellNothingBeforeItIsConnected() throws IOException {
        try (SocketChannel fresh = setting.flavour().provider().openSocketChannel()) {
            Socket unconnected = fresh.socket();
            assertThat(unconnected.isConnected()).isFalse();
            assertThat(unconnected.isBound()).isFalse();
            assertThat(unconnected.getInetAddress()).isNull();
            assertThat(unconnected.getPort()).isZero();
            assertThat(unconnected.getLocalPort()).isEqualTo(-1);
            assertThat(unconnected.getRemoteSocketAddress()).isNull();
            assertThat(unconnected.getLocalSocketAddress()).isNull();
            assertThatThrownBy(unconnected::getInputStream).isInstanceOf(SocketException.class);
            assertThatThrownBy(unconnected::getOutputStream).isInstanceOf(SocketException.class);
            unconnected.bind(new InetSocketAddress("127.0.0.1", 0));
            assertThat(unconnected.isBound()).isTrue();
            assertThat(unconnected.getLocalPort()).isPositive();
        }
    }

    @Test
    void shouldSetOptions() throws IOException {
        socket.setTcpNoDelay(true);
        assertThat(socket.getTcpNoDelay()).isTrue();
        socket.setKeepAlive(true);
        assertThat(socket.getKeepAlive()).isTrue();
        socket.setSoLinger(true, 5);
        assertThat(socket.getSoLinger()).isEqualTo(5);
        socket.setSoLinger(false, 5);
        assertThat(socket.getSoLinger()).isEqualTo(-1);
        socket.setReuseAddress(true);
        assertThat(socket.getReuseAddress()).isTrue();
        socket.setReceiveBufferSize(30_000);
        assertThat(socket.getReceiveBufferSize()).isGreaterThanOrEqualTo(30_000);
        socket.setSendBufferSize(30_000);
        assertThat(socket.getSendBufferSize()).isGreaterThanOrEqualTo(30_000);
        socket.setTrafficClass(8);
        assertThat(socket.getTrafficClass()).isIn(0, 8);
        socket.setSoTimeout(123);
        assertThat(socket.getSoTimeout()).isEqualTo(123);
        socket.setOOBInline(true);
        assertThat(socket.getOOBInline()).isTrue();
    }

    @Test
    void shouldCarryStreams() throws IOException {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        ByteBuffer bytes = ByteBuffer.allocate(5000);
        connection.outgoing().fill(bytes);
        out.write(bytes.array(), 0, 4999);
        out.write(bytes.array()[4999]);
        out.flush();
        connection.peer("read 5000");
        connection.peer("write 1000");
        byte[] received = in.readNBytes(999);
        connection.incoming().verify(ByteBuffer.wrap(received));
        connection.incoming().verify(ByteBuffer.wrap(new byte[] {(byte) in.read()}));
        socket.shutdownOutput();
        assertThat(socket.isOutputShutdown()).isTrue();
        assertThat(connection.peer("readToEnd")).isEqualTo("0");
        connection.peer("shutdownOutput");
        assertThat(in.read()).isEqualTo(-1);
        assertThat(in.read(new byte[10])).isEqualTo(-1);
        in.close();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldTimeOutAndGoOnReading() throws IOException {
        socket.setSoTimeout(50);
        InputStream in = socket.getInputStream();
        assertThatThrownBy(() -> in.read(new byte[10])).isInstanceOf(SocketTimeoutException.class);
        assertThatThrownBy(in::read).isInstanceOf(SocketTimeoutException.class);
        assertThat(channel.isOpen()).isTrue();
        socket.setSoTimeout(20_000);
        connection.peer("write 100");
        connection.incoming().verify(ByteBuffer.wrap(in.readNBytes(100)));
        socket.setSoTimeout(0);
        connection.ping();
    }

    @Test
    void shouldEndABlockedStreamReadByClose() throws Exception {
        InputStream in = socket.getInputStream();
        Attempt<Integer> read = Attempt.start(() -> in.read()).awaitInside("read");
        socket.close();
        assertThat(read.failure()).isInstanceOf(IOException.class);
    }

    @Test
    void shouldRefuseStreamsInNonBlockingMode() throws IOException {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        channel.configureBlocking(false);
        assertThatThrownBy(() -> in.read(new byte[1])).isInstanceOf(IllegalBlockingModeException.class);
        assertThatThrownBy(() -> out.write(new byte[1])).isInstanceOf(IllegalBlockingModeException.class);
        channel.configureBlocking(true);
        connection.ping();
    }

    @Test
    void shouldAdaptListeners() throws IOException {
        try (ServerSocketChannel listener = setting.flavour().provider().openServerSocketChannel()) {
            ServerSocket server = listener.socket();
            assertThat(server.getChannel()).isSameAs(listener);
            assertThat(listener.socket()).isSameAs(server);
            assertThat(server.isBound()).isFalse();
            assertThat(server.getLocalPort()).isEqualTo(-1);
            assertThatThrownBy(server::accept).isInstanceOf(Exception.class);
            int port = Ports.free();
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress("127.0.0.1", port), 50);
            assertThat(server.isBound()).isTrue();
            assertThat(server.getLocalPort()).isEqualTo(port);
            assertThat(server.getReuseAddress()).isTrue();
            assertThat(server.getInetAddress().getHostAddress()).isEqualTo("127.0.0.1");
            assertThat(server.getLocalSocketAddress()).isEqualTo(listener.getLocalAddress());
            server.setSoTimeout(77);
            assertThat(server.getSoTimeout()).isEqualTo(77);
            server.setSoTimeout(0);
            try (SocketChannel client = setting.flavour().provider().openSocketChannel()) {
                client.connect(listener.getLocalAddress());
                try (Socket accepted = server.accept()) {
                    assertThat(accepted.getChannel().isConnected()).isTrue();
                    assertThat(accepted.getRemoteSocketAddress()).isEqualTo(client.getLocalAddress());
                }
            }
            server.close();
            assertThat(listener.isOpen()).isFalse();
            assertThat(server.isClosed()).isTrue();
        }
    }
}
