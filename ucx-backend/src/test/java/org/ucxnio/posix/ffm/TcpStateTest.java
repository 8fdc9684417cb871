package org.ucxnio.posix.ffm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.posix.KernelCalls;
import org.ucxnio.posix.TcpState;

/** What the kernel says of a connection, at each way it can end. */
@Timeout(60)
class TcpStateTest {
    private final KernelCalls calls = new FfmPosix();
    private ServerSocketChannel listener;
    private SocketChannel near;
    private SocketChannel far;

    @BeforeEach
    void connect() throws IOException {
        listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        near = SocketChannel.open(listener.getLocalAddress());
    }

    @AfterEach
    void close() throws IOException {
        if (far != null) {
            far.close();
        }
        near.close();
        listener.close();
    }

    private int stateOf(SocketChannel channel) throws ReflectiveOperationException {
        return calls.tcpState(SocketFixture.fd(channel));
    }

    /** The kernels of both ends hear of an end by and by. */
    private void awaitState(SocketChannel channel, int state) {
        await().untilAsserted(() -> assertThat(stateOf(channel)).isEqualTo(state));
    }

    private void awaitEndOf(SocketChannel channel) throws ReflectiveOperationException {
        await().untilAsserted(
                        () -> assertThat(TcpState.isPeerAtEnd(stateOf(channel))).isTrue());
        assertThat(stateOf(channel)).isNotEqualTo(TcpState.ESTABLISHED);
    }

    private void assertEstablished(SocketChannel channel) throws ReflectiveOperationException {
        assertThat(stateOf(channel)).isEqualTo(TcpState.ESTABLISHED);
        assertThat(TcpState.isPeerAtEnd(TcpState.ESTABLISHED)).isFalse();
    }

    @Test
    void shouldBeEstablishedBeforeAndAfterTheAccept() throws Exception {
        assertEstablished(near);
        far = listener.accept();
        assertEstablished(near);
        assertEstablished(far);
    }

    @Test
    void shouldStayEstablishedWithBytesUnderWay() throws Exception {
        far = listener.accept();
        far.write(ByteBuffer.allocate(1000));
        assertEstablished(near);
        assertEstablished(far);
    }

    @Test
    void shouldNotSeeThatOwnInputWasShutDown() throws Exception {
        far = listener.accept();
        near.shutdownInput();
        assertEstablished(near);
        assertEstablished(far);
    }

    @Test
    void shouldBeAtEndOnceThePeerClosed() throws Exception {
        far = listener.accept();
        far.close();
        awaitEndOf(near);
    }

    @Test
    void shouldTellWhoseOutputWasShutDown() throws Exception {
        far = listener.accept();
        far.shutdownOutput();
        awaitEndOf(near);
        awaitState(far, TcpState.FIN_WAIT2);
        assertThat(TcpState.isPeerAtEnd(TcpState.FIN_WAIT1)).isFalse();
        assertThat(TcpState.isPeerAtEnd(TcpState.FIN_WAIT2)).isFalse();
    }

    @Test
    void shouldBeAtEndOnceBothOutputsWereShutDown() throws Exception {
        far = listener.accept();
        far.shutdownOutput();
        awaitState(far, TcpState.FIN_WAIT2);
        near.shutdownOutput();
        awaitEndOf(near);
        awaitEndOf(far);
    }

    @Test
    void shouldBeAtEndOnceThePeerReset() throws Exception {
        far = listener.accept();
        far.setOption(StandardSocketOptions.SO_LINGER, 0);
        far.close();
        awaitState(near, TcpState.CLOSE);
        awaitEndOf(near);
    }

    /** Whoever has ended its own output hears of the reset, too. */
    @Test
    void shouldBeAtEndOnceThePeerResetBehindOwnEnd() throws Exception {
        far = listener.accept();
        near.shutdownOutput();
        awaitState(near, TcpState.FIN_WAIT2);
        far.setOption(StandardSocketOptions.SO_LINGER, 0);
        far.close();
        awaitEndOf(near);
    }

    @Test
    void shouldTellAListener() throws Exception {
        assertThat(calls.tcpState(SocketFixture.fd(listener))).isEqualTo(TcpState.LISTEN);
        assertThat(TcpState.isPeerAtEnd(TcpState.LISTEN)).isFalse();
    }

    @Test
    void shouldBeNoneOfWhatIsNoConnection() throws Exception {
        try (SocketChannel unconnected = SocketChannel.open()) {
            assertThat(stateOf(unconnected)).isEqualTo(TcpState.CLOSE);
        }
        assertThat(calls.tcpState(-1)).isZero();
        assertThat(calls.tcpState(0)).as("standard input").isZero();
    }
}
