package org.ucxnio.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SessionLoopTest {
    private SessionLoop loop = new SessionLoop(SelectorProvider.provider());

    @AfterEach
    void endLoop() {
        loop.stop(System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
        loop.closeChannels();
    }

    private void expectWorking() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        loop.execute(done::countDown);
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldSurviveWhatTasksThrow() throws InterruptedException {
        loop.execute(() -> {
            throw new IllegalStateException("task");
        });
        loop.execute(() -> {
            throw new AssertionError("task");
        });
        loop.execute(() -> loop.schedule(1000, () -> {
            throw new StackOverflowError();
        }));
        expectWorking();
        Thread.sleep(10);
        expectWorking();
    }

    @Test
    void shouldEndInPeaceWhereItsChannelsAreClosedBehindTheDeadline() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Void> closed = new CompletableFuture<>();
        AtomicReference<Throwable> uncaught = new AtomicReference<>();
        loop.execute(() -> {
            Thread.currentThread().setUncaughtExceptionHandler((dying, thrown) -> uncaught.set(thrown));
            thread.complete(Thread.currentThread());
            closed.join();
        });
        thread.get();
        loop.exit(System.nanoTime());
        loop.closeChannels();
        closed.complete(null);
        thread.get().join();
        assertThat(uncaught).hasValue(null);
        loop = new SessionLoop(SelectorProvider.provider());
    }

    @Test
    void shouldCloseTheChannelOfAHandlerThatFails() throws Exception {
        Pipe pipe = Pipe.open();
        BlockingQueue<Throwable> failure = new LinkedBlockingQueue<>();
        Error thrown = new Error("handler");
        pipe.source().configureBlocking(false);
        loop.execute(() -> register(pipe, new SessionLoop.Handler() {
            @Override
            public void onReady() {
                throw thrown;
            }

            @Override
            public void onFailure(Throwable cause) {
                failure.add(cause);
            }
        }));
        pipe.sink().write(ByteBuffer.allocate(1));
        assertThat(failure.poll(10, TimeUnit.SECONDS)).isSameAs(thrown);
        assertThat(pipe.source().isOpen()).isFalse();
        pipe.sink().close();
        expectWorking();
    }

    private void register(Pipe pipe, SessionLoop.Handler handler) {
        try {
            loop.register(pipe.source(), SelectionKey.OP_READ, handler);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldRunLaterWhatIsDueLater() throws InterruptedException {
        StringBuffer order = new StringBuffer();
        CountDownLatch done = new CountDownLatch(3);
        loop.execute(() -> {
            for (int i : new int[] {2, 0, 1}) {
                loop.schedule(TimeUnit.MILLISECONDS.toNanos(5 + 20 * i), () -> {
                    order.append(i);
                    done.countDown();
                });
            }
        });
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(order.toString()).isEqualTo("012");
    }

    @Test
    void shouldEndAfterItsTasks() throws InterruptedException {
        AtomicInteger count = new AtomicInteger();
        for (int i = 0; i < 1000; i++) {
            loop.execute(count::incrementAndGet);
        }
        loop.stop(System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
        assertThat(count).hasValue(1000);
        loop.execute(count::incrementAndGet);
        Thread.sleep(20);
        assertThat(count).hasValue(1000);
    }

    /** The end mostly comes before the thread has run at all. */
    @RepeatedTest(50)
    void shouldHaveItsSelectorForTasksHoweverSoonItEnds() throws Exception {
        assertThat(keyOfATaskBeforeTheEnd()).isCompleted();
    }

    @Test
    void shouldFailTasksThatRegisterWhereThereNeverWasASelector() throws Exception {
        loop = new SessionLoop(new PoorProvider(new AtomicInteger(Integer.MIN_VALUE)));
        assertThat(keyOfATaskBeforeTheEnd())
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(IOException.class);
    }

    private CompletableFuture<SelectionKey> keyOfATaskBeforeTheEnd() throws IOException {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        CompletableFuture<SelectionKey> key = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                key.complete(loop.register(pipe.source(), SelectionKey.OP_READ, null));
            } catch (Throwable e) {
                key.completeExceptionally(e);
            }
        });
        loop.stop(System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
        pipe.sink().close();
        pipe.source().close();
        return key;
    }

    /** As where the process has no descriptors left. */
    @Test
    void shouldWaitForASelector() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        SelectorProvider poor = new PoorProvider(attempts);
        loop = new SessionLoop(poor);
        expectWorking();
        assertThat(attempts.get()).isEqualTo(4);
    }

    private static final class PoorProvider extends SelectorProvider {
        private final AtomicInteger attempts;

        PoorProvider(AtomicInteger attempts) {
            this.attempts = attempts;
        }

        @Override
        public AbstractSelector openSelector() throws IOException {
            if (attempts.incrementAndGet() <= 3) {
                throw new IOException("Too many open files");
            }
            return SelectorProvider.provider().openSelector();
        }

        @Override
        public DatagramChannel openDatagramChannel() {
            throw new UnsupportedOperationException();
        }

        @Override
        public DatagramChannel openDatagramChannel(ProtocolFamily family) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Pipe openPipe() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ServerSocketChannel openServerSocketChannel() {
            throw new UnsupportedOperationException();
        }

        @Override
        public SocketChannel openSocketChannel() {
            throw new UnsupportedOperationException();
        }
    }
}
