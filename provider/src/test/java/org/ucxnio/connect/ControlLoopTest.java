package org.ucxnio.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The control thread survives whatever it meets. */
@Timeout(30)
class ControlLoopTest {
    private static class Throwing implements ControlLoop.Handler {
        final AtomicReference<IOException> cause = new AtomicReference<>();

        @Override
        public void onReady(Registration registration) {
            throw new OutOfMemoryError("on purpose");
        }

        @Override
        public void onFailure(IOException failure) {
            cause.set(failure);
        }
    }

    private ControlLoop loop;

    @BeforeEach
    void start() throws IOException {
        loop = new ControlLoop(new TestPosix());
        loop.start();
    }

    private void expectAlive() {
        AtomicInteger ran = new AtomicInteger();
        loop.execute(ran::incrementAndGet);
        await().until(() -> ran.get() == 1);
    }

    private Pipe.SourceChannel register(ControlLoop.Handler handler) throws IOException {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        // Its end makes it readable.
        pipe.sink().close();
        loop.register(pipe.source(), SelectionKey.OP_READ, handler);
        return pipe.source();
    }

    @Test
    void shouldCloseTheChannelThatBringsAboutAnError() throws IOException {
        Throwing handler = new Throwing();
        Pipe.SourceChannel channel = register(handler);

        await().until(() -> handler.cause.get() != null);
        assertThat(handler.cause.get()).hasRootCauseInstanceOf(OutOfMemoryError.class);
        assertThat(channel.isOpen()).isFalse();
        expectAlive();
    }

    @Test
    void shouldGoOnWhereNotEvenAFailureCanBeTold() throws IOException {
        Pipe.SourceChannel channel = register(new Throwing() {
            @Override
            public void onFailure(IOException failure) {
                throw new StackOverflowError("on purpose");
            }
        });

        await().until(() -> !channel.isOpen());
        expectAlive();
    }

    @Test
    void shouldLeaveTheApplicationsListenerOpenAndTellAgain() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open();
                SocketChannel client = SocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            listener.configureBlocking(false);
            AtomicInteger told = new AtomicInteger();
            AcceptWatch watch = new AcceptWatch(loop, listener, () -> {
                if (told.incrementAndGet() == 1) {
                    throw new OutOfMemoryError("on purpose");
                }
            });
            watch.arm();
            client.connect(listener.getLocalAddress());

            await().until(() -> told.get() == 2);
            assertThat(listener.isOpen()).isTrue();
            watch.closeListener();
        }
    }

    @Test
    void shouldGoOnAfterATaskThatFails() {
        loop.execute(() -> {
            throw new OutOfMemoryError("on purpose");
        });
        loop.execute(() -> loop.schedule(0, () -> {
            throw new IllegalStateException("on purpose");
        }));
        expectAlive();
    }
}
