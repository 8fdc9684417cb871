package org.ucxnio.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.channels.SelectionKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.posix.Epoll;
import org.ucxnio.posix.EventFd;
import org.ucxnio.posix.Posix;

/** A selector with a worker of UCX finds no descriptors for what it sleeps with. */
@Timeout(30)
class SleepWithoutDescriptorsTest {
    private final SelectorFixture fixture;
    private final AtomicInteger open = new AtomicInteger();
    private final UcxSelector selector;
    private final TestChannel channel;
    private final AtomicInteger slept = new AtomicInteger();
    private volatile String refused = "";

    /** How often what is to be refused succeeds before. */
    private final AtomicInteger successes = new AtomicInteger();

    SleepWithoutDescriptorsTest() throws IOException {
        fixture = SelectorFixture.with("block");
        selector = fixture.open(counting(Posix.class, fixture.posix()));
        channel = TestChannel.withWorker();
    }

    @AfterEach
    void close() throws IOException {
        selector.close();
        channel.close();
    }

    /** Refuses what is to be refused, and counts the descriptors that are open. */
    private <T> T counting(Class<T> type, T real) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals("await")) {
                slept.incrementAndGet();
            }
            if (method.getName().equals(refused) && successes.getAndDecrement() <= 0) {
                throw new IOException(refused + ": Too many open files");
            }
            Object result = invoke(method, real, arguments);
            if (result instanceof Epoll epoll) {
                open.incrementAndGet();
                return counting(Epoll.class, epoll);
            }
            if (result instanceof EventFd event) {
                open.incrementAndGet();
                return counting(EventFd.class, event);
            }
            if (method.getName().equals("close")) {
                open.decrementAndGet();
            }
            return result;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object invoke(Method method, Object real, Object... arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private void expectToWake() throws Exception {
        channel.used(0);
        selector.selectNow();
        selector.selectedKeys().clear();
        assertThat(selector.select(20)).isZero();
        CompletableFuture<Integer> selection = CompletableFuture.supplyAsync(() -> {
            try {
                return selector.select();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        channel.ready(SelectionKey.OP_READ);
        assertThat(selection.get()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"openEpoll", "openEventFd", "add"})
    void shouldSleepAllTheSame(String call) throws Exception {
        refused = call;
        channel.register(selector, SelectionKey.OP_READ);
        expectToWake();
        assertThat(open).hasValue(0);

        refused = "";
        expectToWake();
        assertThat(open).hasValue(2);
    }

    /** What the worker has would wake nobody who sleeps on the epoll instance. */
    @Test
    void shouldNotSleepWhereAWorkerIsNotWatched() throws Exception {
        refused = "add";
        successes.set(1);
        channel.register(selector, SelectionKey.OP_READ);
        expectToWake();
        assertThat(open).hasValue(2);
        assertThat(slept).hasValue(0);

        refused = "";
        expectToWake();
        assertThat(slept.get()).isPositive();
    }
}
