package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.posix.Epoll;
import org.ucxnio.posix.EventFd;

@Timeout(30)
class EpollSleepTest {
    @Test
    void shouldSleepInJavaOnceTheJvmEnds() throws Exception {
        BlockingQueue<Long> served = new LinkedBlockingQueue<>();
        try (Epoll epoll = Processes.posix().openEpoll();
                EventFd event = Processes.posix().openEventFd()) {
            epoll.add(event.fd(), Epoll.IN, 7);
            EpollSleep sleep = new EpollSleep(epoll);
            Thread thread = Thread.ofPlatform().daemon().start(() -> serve(epoll, event, sleep, served));
            event.signal();
            assertThat(served.poll(20, TimeUnit.SECONDS)).isEqualTo(7);

            sleep.end();
            event.signal();

            assertThat(served.poll(20, TimeUnit.SECONDS)).isEqualTo(7);
            // In epoll_wait a thread is RUNNABLE for Java.
            await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
            event.signal();
            assertThat(served.poll(20, TimeUnit.SECONDS)).isEqualTo(7);
            thread.interrupt();
            thread.join();
        }
    }

    private static void serve(Epoll epoll, EventFd event, EpollSleep sleep, BlockingQueue<Long> served) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                if (sleep.await(-1) > 0) {
                    event.drain();
                    served.add(epoll.data(0));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
