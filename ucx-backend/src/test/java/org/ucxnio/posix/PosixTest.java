package org.ucxnio.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
@ParameterizedClass
@ValueSource(strings = {"ffm", "jna"})
class PosixTest {
    private final Posix posix;

    PosixTest(String name) {
        posix = ServiceLoader.load(Posix.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow();
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
    void shouldTimeOut() throws IOException {
        try (Epoll epoll = posix.openEpoll()) {
            long start = System.nanoTime();
            assertThat(epoll.await(20)).isZero();
            assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(15));
        }
    }
}
