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

/** What the kernel says of a connection, at each way it can end. */
@Timeout(60)
class EstablishedTest {
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

    private boolean isEstablished(SocketChannel channel) throws ReflectiveOperationException {
        return calls.isEstablished(SocketFixture.fd(channel));
    }

    /** The kernels of both ends hear of an end by and by. */
    private void assertEndIsSeen() {
        await().untilAsserted(() -> assertThat(isEstablished(near)).isFalse());
    }

    @Test
    void shouldBeTrueBeforeAndAfterTheAccept() throws Exception {
        assertThat(isEstablished(near)).isTrue();
        far = listener.accept();
        assertThat(isEstablished(near)).isTrue();
        assertThat(isEstablished(far)).isTrue();
    }

    @Test
    void shouldStayTrueWithBytesUnderWay() throws Exception {
        far = listener.accept();
        far.write(ByteBuffer.allocate(1000));
        assertThat(isEstablished(near)).isTrue();
        assertThat(isEstablished(far)).isTrue();
    }

    @Test
    void shouldNotSeeThatOwnInputWasShutDown() throws Exception {
        far = listener.accept();
        near.shutdownInput();
        assertThat(isEstablished(near)).isTrue();
        assertThat(isEstablished(far)).isTrue();
    }

    @Test
    void shouldBeFalseOnceThePeerClosed() throws Exception {
        far = listener.accept();
        far.close();
        assertEndIsSeen();
    }

    @Test
    void shouldBeFalseOnceThePeerShutDownItsOutput() throws Exception {
        far = listener.accept();
        far.shutdownOutput();
        assertEndIsSeen();
        assertThat(isEstablished(far)).isFalse();
    }

    @Test
    void shouldBeFalseOnceThePeerReset() throws Exception {
        far = listener.accept();
        far.setOption(StandardSocketOptions.SO_LINGER, 0);
        far.close();
        assertEndIsSeen();
    }

    @Test
    void shouldBeFalseAfterOwnShutdownOfOutput() throws Exception {
        far = listener.accept();
        near.shutdownOutput();
        assertThat(isEstablished(near)).isFalse();
    }

    @Test
    void shouldBeFalseOfWhatIsNoConnection() throws Exception {
        try (SocketChannel unconnected = SocketChannel.open()) {
            assertThat(isEstablished(unconnected)).isFalse();
        }
        assertThat(calls.isEstablished(-1)).isFalse();
        assertThat(calls.isEstablished(0)).as("standard input").isFalse();
    }
}
