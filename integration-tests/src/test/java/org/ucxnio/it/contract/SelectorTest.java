package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ConcurrentModificationException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;

/** Selectors by themselves: waiting, waking, keys and their sets. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#flavours")
class SelectorTest {
    @Parameter
    private Flavour flavour;

    private Selector selector;
    private SocketChannel channel;

    @BeforeEach
    void open() throws IOException {
        selector = flavour.provider().openSelector();
        channel = flavour.provider().openSocketChannel();
        channel.configureBlocking(false);
    }

    @AfterEach
    void close() throws IOException {
        channel.close();
        selector.close();
    }

    @Test
    void shouldBeOpenAndEmpty() throws IOException {
        assertThat(selector.isOpen()).isTrue();
        assertThat(selector.provider()).isSameAs(flavour.provider());
        assertThat(selector.keys()).isEmpty();
        assertThat(selector.selectedKeys()).isEmpty();
        assertThat(selector.selectNow()).isZero();
        assertThat(selector.select(1)).isZero();
    }

    @Test
    void shouldWaitForTheTimeoutAndNoLess() throws IOException {
        long start = System.nanoTime();
        assertThat(selector.select(60)).isZero();
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isGreaterThanOrEqualTo(59);
        assertThatThrownBy(() -> selector.select(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> selector.select(key -> {}, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldReturnAtOnceWhenWokenBefore() throws IOException {
        assertThat(selector.wakeup()).isSameAs(selector);
        selector.wakeup();
        assertThat(selector.select()).isZero();
        // Several wakeups count as one.
        long start = System.nanoTime();
        assertThat(selector.select(50)).isZero();
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isGreaterThanOrEqualTo(49);
    }

    @Test
    void shouldForgetAWakeupBySelectNow() throws IOException {
        selector.wakeup();
        assertThat(selector.selectNow()).isZero();
        long start = System.nanoTime();
        assertThat(selector.select(50)).isZero();
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isGreaterThanOrEqualTo(49);
    }

    @Test
    void shouldWakeUpWhileSelecting() throws Exception {
        for (int round = 0; round < 20; round++) {
            Attempt<Integer> select = Attempt.start(() -> selector.select());
            if (round % 4 == 0) {
                select.awaitInside("select");
            }
            selector.wakeup();
            assertThat(select.result()).isZero();
        }
    }

    @Test
    void shouldReturnAtOnceWhenInterrupted() throws Exception {
        Attempt<Integer> select = Attempt.start(() -> selector.select()).awaitInside("select");
        select.thread().interrupt();
        assertThat(select.result()).isZero();
        assertThat(select.wasInterruptedAtEnd()).isTrue();
        assertThat(selector.isOpen()).isTrue();
        Attempt<Integer> interruptedBefore = Attempt.start(() -> {
            Thread.currentThread().interrupt();
            return selector.select();
        });
        assertThat(interruptedBefore.result()).isZero();
        assertThat(interruptedBefore.wasInterruptedAtEnd()).isTrue();
    }

    @Test
    void shouldEndASelectByClose() throws Exception {
        SelectionKey key = channel.register(selector, 0);
        Attempt<Integer> select = Attempt.start(() -> selector.select(0)).awaitInside("select");
        selector.close();
        assertThat(select.result()).isZero();
        assertThat(key.isValid()).isFalse();
        assertThat(channel.isRegistered()).isFalse();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void shouldRefuseEverythingOnceClosed() throws IOException {
        selector.close();
        selector.close();
        assertThat(selector.isOpen()).isFalse();
        assertThatThrownBy(selector::selectNow).isInstanceOf(ClosedSelectorException.class);
        assertThatThrownBy(selector::select).isInstanceOf(ClosedSelectorException.class);
        assertThatThrownBy(() -> selector.select(1)).isInstanceOf(ClosedSelectorException.class);
        assertThatThrownBy(selector::keys).isInstanceOf(ClosedSelectorException.class);
        assertThatThrownBy(selector::selectedKeys).isInstanceOf(ClosedSelectorException.class);
        assertThatThrownBy(() -> channel.register(selector, 0)).isInstanceOf(ClosedSelectorException.class);
        selector.wakeup();
    }

    @Test
    void shouldGuardItsKeySets() throws IOException {
        SelectionKey key = channel.register(selector, 0);
        Set<SelectionKey> keys = selector.keys();
        assertThat(keys).containsExactly(key);
        assertThat(selector.keys()).isSameAs(keys);
        assertThat(selector.selectedKeys()).isSameAs(selector.selectedKeys());
        assertThatThrownBy(() -> keys.remove(key)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> keys.add(key)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(keys::clear).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> selector.selectedKeys().add(key)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> selector.selectedKeys().addAll(List.of(key)))
                .isInstanceOf(UnsupportedOperationException.class);
        Iterator<SelectionKey> iterator = keys.iterator();
        iterator.next();
        assertThatThrownBy(iterator::remove).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void shouldRegisterAChannelOnce() throws IOException {
        Object attachment = new Object();
        SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT, attachment);
        assertThat(key.channel()).isSameAs(channel);
        assertThat(key.selector()).isSameAs(selector);
        assertThat(key.interestOps()).isEqualTo(SelectionKey.OP_CONNECT);
        assertThat(key.readyOps()).isZero();
        assertThat(key.attachment()).isSameAs(attachment);
        assertThat(key.isValid()).isTrue();
        assertThat(channel.isRegistered()).isTrue();
        assertThat(channel.keyFor(selector)).isSameAs(key);
        assertThat(channel.register(selector, SelectionKey.OP_READ)).isSameAs(key);
        assertThat(key.interestOps()).isEqualTo(SelectionKey.OP_READ);
        assertThat(key.attachment()).isNull();
        assertThat(selector.keys()).hasSize(1);
    }

    @Test
    void shouldChangeInterests() throws IOException {
        SelectionKey key = channel.register(selector, 0);
        assertThat(key.interestOps(SelectionKey.OP_READ)).isSameAs(key);
        assertThat(key.interestOpsOr(SelectionKey.OP_WRITE)).isEqualTo(SelectionKey.OP_READ);
        assertThat(key.interestOps()).isEqualTo(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        assertThat(key.interestOpsAnd(~SelectionKey.OP_READ)).isEqualTo(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        assertThat(key.interestOps()).isEqualTo(SelectionKey.OP_WRITE);
        assertThatThrownBy(() -> key.interestOps(SelectionKey.OP_ACCEPT)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> key.interestOpsOr(SelectionKey.OP_ACCEPT))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(key.interestOps()).isEqualTo(SelectionKey.OP_WRITE);
    }

    @Test
    void shouldRefuseRegistrationsThatMakeNoSense() throws IOException {
        assertThatThrownBy(() -> channel.register(selector, SelectionKey.OP_ACCEPT))
                .isInstanceOf(IllegalArgumentException.class);
        channel.configureBlocking(true);
        assertThatThrownBy(() -> channel.register(selector, 0)).isInstanceOf(IllegalBlockingModeException.class);
        channel.configureBlocking(false);
        channel.register(selector, 0);
        assertThatThrownBy(() -> channel.configureBlocking(true)).isInstanceOf(IllegalBlockingModeException.class);
        assertThatThrownBy(() -> channel.register(null, 0)).isInstanceOf(NullPointerException.class);
        channel.close();
        assertThatThrownBy(() -> channel.register(selector, 0)).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> flavour.provider().openSocketChannel().register(foreignSelector(), 0))
                .isInstanceOfAny(IllegalSelectorException.class, IllegalBlockingModeException.class);
    }

    private Selector foreignSelector() throws IOException {
        Flavour other = flavour.isOurs() ? Flavour.JDK : flavour;
        return other.provider().openSelector();
    }

    @Test
    void shouldCancelKeys() throws IOException {
        SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
        key.cancel();
        key.cancel();
        assertThat(key.isValid()).isFalse();
        assertThat(selector.keys()).contains(key);
        assertThatThrownBy(key::interestOps).isInstanceOf(CancelledKeyException.class);
        assertThatThrownBy(key::readyOps).isInstanceOf(CancelledKeyException.class);
        assertThatThrownBy(key::isReadable).isInstanceOf(CancelledKeyException.class);
        assertThatThrownBy(() -> key.interestOps(0)).isInstanceOf(CancelledKeyException.class);
        assertThatThrownBy(() -> channel.register(selector, 0)).isInstanceOf(CancelledKeyException.class);
        selector.selectNow();
        assertThat(selector.keys()).isEmpty();
        assertThat(channel.isRegistered()).isFalse();
        assertThat(channel.keyFor(selector)).isNull();
        SelectionKey again = channel.register(selector, SelectionKey.OP_READ);
        assertThat(again).isNotSameAs(key);
        assertThat(again.isValid()).isTrue();
    }

    @Test
    void shouldNoticeChangesWhileItsKeysAreIterated() throws IOException {
        channel.register(selector, 0);
        Iterator<SelectionKey> iterator = selector.keys().iterator();
        try (ServerSocketChannel another = flavour.provider().openServerSocketChannel()) {
            another.configureBlocking(false);
            another.register(selector, 0);
            assertThat(selector.keys()).hasSize(2);
            Set<SelectionKey> seen = new HashSet<>();
            try {
                iterator.forEachRemaining(seen::add);
            } catch (ConcurrentModificationException allowed) {
                assertThat(seen).hasSizeLessThan(2);
            }
        }
    }

    @Test
    void shouldRegisterAndChangeWhileAnotherThreadSelects() throws Exception {
        Attempt<Integer> select = Attempt.start(() -> selector.select()).awaitInside("select");
        SelectionKey key = channel.register(selector, 0);
        key.interestOps(SelectionKey.OP_READ);
        assertThat(selector.keys()).containsExactly(key);
        key.cancel();
        assertThat(select.isDone()).isFalse();
        selector.wakeup();
        select.result();
        assertThat(selector.selectNow()).isZero();
        assertThat(selector.keys()).isEmpty();
    }

    @Test
    void shouldLetAChannelGoToSeveralSelectors() throws IOException {
        try (Selector second = flavour.provider().openSelector()) {
            SelectionKey one = channel.register(selector, 0);
            SelectionKey two = channel.register(second, SelectionKey.OP_CONNECT);
            assertThat(one).isNotSameAs(two);
            assertThat(channel.keyFor(selector)).isSameAs(one);
            assertThat(channel.keyFor(second)).isSameAs(two);
            one.cancel();
            selector.selectNow();
            assertThat(channel.isRegistered()).isTrue();
            assertThat(two.isValid()).isTrue();
        }
        assertThat(channel.isRegistered()).isFalse();
    }
}
