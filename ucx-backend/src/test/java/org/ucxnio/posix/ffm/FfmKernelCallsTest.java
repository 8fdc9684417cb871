package org.ucxnio.posix.ffm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.posix.KernelCalls;

@Timeout(60)
class FfmKernelCallsTest {
    private final KernelCalls calls = new FfmPosix();

    @Test
    void shouldBeFoundAsAService() {
        assertThat(ServiceLoader.load(KernelCalls.class)).hasAtLeastOneElementOfType(FfmPosix.class);
    }

    @Test
    void shouldSetTheCEnvironment() {
        assertThat(LibC.getenv("UCXNIO_NO_SUCH")).isNull();
        LibC.setenv("UCXNIO_TEST", "a value with ümläuts");
        assertThat(LibC.getenv("UCXNIO_TEST")).isEqualTo("a value with ümläuts");
        LibC.setenv("UCXNIO_TEST", "");
        assertThat(LibC.getenv("UCXNIO_TEST")).isEmpty();
        assertThatThrownBy(() -> LibC.setenv("a=b", "c")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldTellWhatThePeersKernelDoesNotHaveYetAndWhetherThereIsRoom() throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel near = SocketChannel.open(listener.getLocalAddress());
                    SocketChannel far = listener.accept()) {
                int fd = SocketFixture.fd(near);
                assertThat(calls.unconfirmedBytes(fd)).isZero();
                assertThat(calls.hasRoom(fd)).isTrue();
                near.configureBlocking(false);
                long written = 0;
                for (int count = 1; count > 0; written += count) {
                    count = near.write(ByteBuffer.allocate(1 << 20));
                }
                assertThat(calls.unconfirmedBytes(fd)).isBetween(1, (int) written);
                assertThat(calls.hasRoom(fd)).isFalse();
                ByteBuffer target = ByteBuffer.allocate((int) written);
                while (target.hasRemaining()) {
                    far.read(target);
                }
                long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
                while (calls.unconfirmedBytes(fd) > 0 && System.nanoTime() < deadline) {
                    Thread.onSpinWait();
                }
                assertThat(calls.unconfirmedBytes(fd)).isZero();
                assertThat(calls.hasRoom(fd)).isTrue();
            }
        }
        assertThat(calls.unconfirmedBytes(-1)).isZero();
        assertThat(calls.hasRoom(-1)).isFalse();
    }

    @Test
    void shouldTellWhatNobodyHasReadEvenOfAnInputThatWasShutDown() throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel near = SocketChannel.open(listener.getLocalAddress());
                    SocketChannel far = listener.accept()) {
                int fd = SocketFixture.fd(near);
                assertThat(calls.unreadBytes(fd)).isZero();
                far.write(ByteBuffer.allocate(300));
                near.read(ByteBuffer.allocate(1));
                assertThat(calls.unreadBytes(fd)).isEqualTo(299);
                near.shutdownInput();
                assertThat(calls.unreadBytes(fd)).isEqualTo(299);
            }
        }
        assertThat(calls.unreadBytes(-1)).isZero();
    }
}
