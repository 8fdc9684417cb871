package org.ucxnio.posix.ffm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.posix.Epoll;
import org.ucxnio.posix.EventFd;
import org.ucxnio.posix.Posix;

@Timeout(60)
class FfmPosixTest {
    private final Posix posix = new FfmPosix();

    @Test
    void shouldBeFoundAsAService() {
        assertThat(ServiceLoader.load(Posix.class)).hasAtLeastOneElementOfType(FfmPosix.class);
    }

    @Test
    void shouldSetTheCEnvironment() {
        assertThat(posix.getenv("UCXNIO_NO_SUCH")).isNull();
        posix.setenv("UCXNIO_TEST", "a value with ümläuts");
        assertThat(posix.getenv("UCXNIO_TEST")).isEqualTo("a value with ümläuts");
        posix.setenv("UCXNIO_TEST", "");
        assertThat(posix.getenv("UCXNIO_TEST")).isEmpty();
        assertThatThrownBy(() -> posix.setenv("a=b", "c")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldKnowTheUser() throws IOException {
        assertThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).isEqualTo(posix.effectiveUserId());
    }

    @Test
    void shouldReportReadyDescriptorsWithTheirData() throws IOException {
        try (Epoll epoll = posix.openEpoll();
                EventFd first = posix.openEventFd();
                EventFd second = posix.openEventFd()) {
            epoll.add(first.fd(), Epoll.IN, 0x8000_0000_0000_0001L);
            epoll.add(second.fd(), Epoll.IN, 2);
            assertThat(epoll.await(0)).isZero();
            first.signal();
            first.signal();
            assertThat(epoll.await(1000)).isOne();
            assertThat(epoll.data(0)).isEqualTo(0x8000_0000_0000_0001L);
            second.signal();
            assertThat(epoll.await(1000)).isEqualTo(2);
            first.drain();
            first.drain();
            assertThat(epoll.await(1000)).isOne();
            assertThat(epoll.data(0)).isEqualTo(2);
            epoll.modify(second.fd(), Epoll.OUT, 3);
            assertThat(epoll.await(1000)).isOne();
            assertThat(epoll.data(0)).isEqualTo(3);
            epoll.remove(second.fd());
            epoll.remove(second.fd());
            assertThat(epoll.await(0)).isZero();
            assertThatThrownBy(() -> epoll.data(0)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void shouldSayWhatEpollRefused() throws IOException {
        try (Epoll epoll = posix.openEpoll()) {
            assertThatThrownBy(() -> epoll.add(-1, Epoll.IN, 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll("epoll_ctl of descriptor -1", "errno 9");
        }
    }

    @Test
    void shouldDoNothingWhenClosed() throws IOException {
        EventFd event = posix.openEventFd();
        event.close();
        event.close();
        event.signal();
        event.drain();
        Epoll epoll = posix.openEpoll();
        epoll.close();
        epoll.close();
        epoll.remove(event.fd());
        assertThatThrownBy(() -> epoll.await(0)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> epoll.add(0, Epoll.IN, 0)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldSurviveACloseDuringAwait() throws Exception {
        for (int round = 0; round < 50; round++) {
            Epoll epoll = posix.openEpoll();
            Thread waiter = Thread.ofPlatform().start(() -> {
                try {
                    while (true) {
                        epoll.await(1);
                    }
                } catch (IOException e) {
                    // Closed, as it should be.
                    return;
                }
            });
            Thread.sleep(1);
            epoll.close();
            waiter.join();
        }
    }

    @Test
    void shouldNotAllocateWhileWaiting() throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Epoll epoll = posix.openEpoll();
                EventFd event = posix.openEventFd()) {
            epoll.add(event.fd(), Epoll.IN, 5);
            long least = Long.MAX_VALUE;
            // Interpreted and freshly compiled code allocates; what it does for ever shows in every attempt.
            for (int attempt = 0; attempt < 20 && least > 0; attempt++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                rounds(20_000, epoll, event);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least).isLessThan(1_000);
        }
    }

    private static void rounds(int count, Epoll epoll, EventFd event) throws IOException {
        for (int i = 0; i < count; i++) {
            event.signal();
            if (epoll.await(0) != 1 || epoll.data(0) != 5) {
                throw new AssertionError("no event");
            }
            event.drain();
            epoll.await(0);
        }
    }

    @Test
    void shouldTellWhatThePeersKernelDoesNotHaveYet() throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel near = SocketChannel.open(listener.getLocalAddress());
                    SocketChannel far = listener.accept()) {
                int fd = SocketFixture.fd(near);
                assertThat(posix.unconfirmedBytes(fd)).isZero();
                near.configureBlocking(false);
                long written = 0;
                for (int count = 1; count > 0; written += count) {
                    count = near.write(ByteBuffer.allocate(1 << 20));
                }
                assertThat(posix.unconfirmedBytes(fd)).isBetween(1, (int) written);
                ByteBuffer target = ByteBuffer.allocate((int) written);
                while (target.hasRemaining()) {
                    far.read(target);
                }
                long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
                while (posix.unconfirmedBytes(fd) > 0 && System.nanoTime() < deadline) {
                    Thread.onSpinWait();
                }
                assertThat(posix.unconfirmedBytes(fd)).isZero();
            }
        }
        assertThat(posix.unconfirmedBytes(-1)).isZero();
    }

    @Test
    void shouldTellWhatNobodyHasReadEvenOfAnInputThatWasShutDown() throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel near = SocketChannel.open(listener.getLocalAddress());
                    SocketChannel far = listener.accept()) {
                int fd = SocketFixture.fd(near);
                assertThat(posix.unreadBytes(fd)).isZero();
                far.write(ByteBuffer.allocate(300));
                near.read(ByteBuffer.allocate(1));
                assertThat(posix.unreadBytes(fd)).isEqualTo(299);
                near.shutdownInput();
                assertThat(posix.unreadBytes(fd)).isEqualTo(299);
            }
        }
        assertThat(posix.unreadBytes(-1)).isZero();
    }

    @Test
    void shouldTimeOut() throws IOException {
        try (Epoll epoll = posix.openEpoll()) {
            long start = System.nanoTime();
            assertThat(epoll.await(20)).isZero();
            assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(15));
        }
    }
}
