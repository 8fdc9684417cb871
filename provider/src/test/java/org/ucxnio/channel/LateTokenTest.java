package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.link.Bells;
import org.ucxnio.link.Carried;
import org.ucxnio.link.Lane;
import org.ucxnio.link.RingLane;
import org.ucxnio.link.Sink;
import org.ucxnio.link.TestFutexes;

/** The token that tells of a switch goes once the peer says that it knows of the switch, which it may do late, or before this end's thread has got any further. */
@Timeout(60)
class LateTokenTest {
    private static final ByteBuffer BYTE = ByteBuffer.allocate(1).asReadOnlyBuffer();

    /** The client's connection, which sends its token when it is told that the peer knows. */
    private final AtomicReference<Carried> client = new AtomicReference<>();

    private ChannelPair pair;

    /** What happens before the client's thread has got any further than to tell the peer. */
    private Runnable whenTold = () -> {};

    /** The client's output switches, and its token does not follow. */
    void moveWithoutToken() throws Exception {
        pair = new ChannelPair();
        RingLane lane = new RingLane(pair.memory, pair.memory.allocate(4 << 10), new Bells(), TestFutexes.reached());
        pair.pair(
                late(lane),
                new RingLane(pair.memory, pair.memory.allocate(4 << 10), new Bells(), TestFutexes.reached()));
        pair.client.write(BYTE.duplicate());
        assertThat(pair.server.read(ByteBuffer.allocate(1))).isEqualTo(1);
        assertThat(client.get().hasSwitched()).isTrue();
    }

    @AfterEach
    void close() throws IOException {
        pair.close();
    }

    /** A lane whose peer is not known to know of a switch. */
    private Lane late(Lane lane) {
        return instead(Lane.class, (proxy, method, arguments) -> {
            Object result = method.invoke(lane, arguments);
            if (!(result instanceof Sink sink)) {
                return result;
            }
            client.set((Carried) arguments[0]);
            return instead(Sink.class, (p, m, a) -> {
                Object answer = m.invoke(sink, a);
                if (!m.getName().equals("switchAt")) {
                    return answer;
                }
                whenTold.run();
                return Boolean.FALSE;
            });
        });
    }

    /** An object that hands its calls to the handler. */
    static <T> T instead(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(
                LateTokenTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return handler.invoke(proxy, method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    /** Else the options of a socket that carries tokens would be taken for the application's. */
    @Test
    void shouldSendNoneBeforeTheSocketIsOurs() throws Exception {
        AtomicReference<Boolean> switched = new AtomicReference<>();
        Thread peer = new Thread(() -> {
            client.get().onSwitchKnown();
            switched.set(client.get().hasSwitched());
        });
        whenTold = () -> {
            peer.start();
            await().until(() -> peer.getState() == Thread.State.BLOCKED || !peer.isAlive());
        };
        moveWithoutToken();
        peer.join();

        assertThat(switched.get()).isTrue();
    }

    @Test
    void shouldFindASocketWhereThePeerHasClosed() throws Exception {
        moveWithoutToken();
        try (Selector selector = pair.openSelector()) {
            pair.client.configureBlocking(false);
            SelectionKey key = pair.client.register(selector, SelectionKey.OP_READ | SelectionKey.OP_CONNECT);
            assertThat(selector.selectNow()).isZero();

            pair.server.close();
            await().until(() -> selector.selectNow() > 0);
            assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_READ);
            selector.selectedKeys().clear();
            client.get().onSwitchKnown();

            selector.selectNow();
            assertThat(key.readyOps())
                    .as("a reset makes it ready for everything")
                    .isEqualTo(SelectionKey.OP_READ);
            assertThat(pair.client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
    }
}
