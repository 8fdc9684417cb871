package org.ucxnio.selector;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class SelectionTest {
    private UcxSelector selector;
    private TestChannel channel;

    @BeforeEach
    void open() throws IOException {
        selector = SelectorFixture.with("adaptive").open();
        channel = new TestChannel();
    }

    @AfterEach
    void close() throws IOException {
        selector.close();
        channel.close();
    }

    // -- interest ----------------------------------------------------------------------------------------------------

    @Test
    void shouldKeepTheInterestItWasGiven() throws IOException {
        SelectionKey key = channel.register(selector, OP_READ, "attachment");

        assertThat(key.interestOps()).isEqualTo(OP_READ);
        assertThat(key.attachment()).isEqualTo("attachment");
        assertThat(key.channel()).isSameAs(channel);
        assertThat(key.selector()).isSameAs(selector);
        assertThat(key.interestOps(OP_WRITE)).isSameAs(key);
        assertThat(key.interestOps()).isEqualTo(OP_WRITE);
        assertThat(key.interestOpsOr(OP_READ)).isEqualTo(OP_WRITE);
        assertThat(key.interestOps()).isEqualTo(OP_READ | OP_WRITE);
        assertThat(key.interestOpsAnd(~OP_WRITE)).isEqualTo(OP_READ | OP_WRITE);
        assertThat(key.interestOps()).isEqualTo(OP_READ);
        assertThat(key.interestOpsAnd(0)).isEqualTo(OP_READ);
        assertThat(key.interestOps()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {OP_ACCEPT, OP_CONNECT, OP_READ | OP_ACCEPT, -1, 2, 1 << 20})
    void shouldRefuseInterestTheChannelDoesNotHave(int ops) throws IOException {
        SelectionKey key = channel.register(selector, OP_READ);

        assertThatThrownBy(() -> key.interestOps(ops)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> key.interestOpsOr(ops)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> channel.register(selector, ops)).isInstanceOf(IllegalArgumentException.class);
        assertThat(key.interestOps()).isEqualTo(OP_READ);
    }

    @Test
    void shouldRefuseEverythingOnACancelledKey() throws IOException {
        SelectionKey key = channel.register(selector, OP_READ);
        key.cancel();

        assertThat(key.isValid()).isFalse();
        assertThatThrownBy(key::interestOps).isInstanceOf(CancelledKeyException.class);
        assertThatThrownBy(key::readyOps).isInstanceOf(CancelledKeyException.class);
        assertThatThrownBy(() -> key.interestOps(OP_READ)).isInstanceOf(CancelledKeyException.class);
        assertThatThrownBy(() -> key.interestOps(OP_ACCEPT)).isInstanceOf(CancelledKeyException.class);
        assertThatThrownBy(() -> key.interestOpsOr(0)).isInstanceOf(CancelledKeyException.class);
        assertThatThrownBy(() -> key.interestOpsAnd(0)).isInstanceOf(CancelledKeyException.class);
        assertThat(key).hasToString("channel=" + channel + ", selector=" + selector + ", invalid");
    }

    @Test
    void shouldSelectOnlyWhatIsOfInterest() throws IOException {
        SelectionKey key = channel.register(selector, OP_READ);
        channel.ready(OP_WRITE);
        assertThat(selector.selectNow()).isZero();

        key.interestOps(OP_READ | OP_WRITE);
        assertThat(selector.selectNow()).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(OP_WRITE);
        assertThat(selector.selectedKeys()).containsExactly(key);
    }

    @Test
    void shouldNoticeInterestInWhatIsReadyForLong() throws IOException {
        SelectionKey key = channel.register(selector, 0);
        channel.ready(OP_READ);
        assertThat(selector.selectNow()).isZero();
        assertThat(selector.selectNow()).isZero();

        key.interestOpsOr(OP_READ);
        assertThat(selector.select()).isEqualTo(1);
    }

    @Test
    void shouldNotSelectWhatIsNoLongerOfInterest() throws IOException {
        SelectionKey key = channel.register(selector, OP_READ);
        channel.ready(OP_READ);
        selector.selectNow();
        selector.selectedKeys().clear();

        key.interestOps(0);

        assertThat(selector.selectNow()).isZero();
        assertThat(selector.selectedKeys()).isEmpty();
    }

    // -- interest that changes during a selection --------------------------------------------------------------------

    /** Every way to make an interest in reading one in nothing, and back. */
    private static List<BiConsumer<SelectionKey, Integer>> changes() {
        return List.of(
                SelectionKey::interestOps,
                (key, ops) -> {
                    key.interestOpsAnd(ops);
                    key.interestOpsOr(ops);
                },
                (key, ops) -> {
                    key.interestOps(OP_WRITE);
                    key.interestOps(ops);
                });
    }

    @ParameterizedTest
    @MethodSource("changes")
    void shouldGoOnWithTheInterestThatItBeganWith(BiConsumer<SelectionKey, Integer> change) throws IOException {
        SelectionKey key = channel.register(selector, OP_READ);
        channel.ready(OP_READ);
        channel.atNextLook(() -> change.accept(key, 0));

        assertThat(selector.selectNow()).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(OP_READ);
        assertThat(key.interestOps()).isZero();
        selector.selectedKeys().clear();

        assertThat(selector.selectNow()).as("the next one").isZero();
    }

    @ParameterizedTest
    @MethodSource("changes")
    void shouldLeaveNewInterestToTheNextSelection(BiConsumer<SelectionKey, Integer> change) throws IOException {
        SelectionKey key = channel.register(selector, OP_WRITE);
        channel.ready(OP_READ);
        channel.atNextLook(() -> change.accept(key, OP_READ));

        assertThat(selector.selectNow()).isZero();
        assertThat(key.interestOps()).isEqualTo(OP_READ);

        assertThat(selector.selectNow()).as("the next one").isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(OP_READ);
    }

    @Test
    void shouldLeaveANewKeyToTheNextSelection() throws IOException {
        TestChannel late = new TestChannel();
        late.ready(OP_READ);
        channel.register(selector, OP_READ);
        channel.atNextLook(() -> register(late));

        assertThat(selector.select(20)).isZero();

        assertThat(selector.select()).as("the next one").isEqualTo(1);
        late.close();
    }

    @Test
    void shouldNoticeWhatBecomesReadyAfterAChange() throws IOException {
        SelectionKey key = channel.register(selector, OP_READ);
        channel.atNextLook(() -> key.interestOps(OP_READ | OP_WRITE));
        TestChannel next = new TestChannel();
        next.register(selector, OP_READ);
        next.atNextLook(() -> channel.ready(OP_READ));
        long start = System.nanoTime();

        assertThat(selector.select(5000)).isEqualTo(1);

        assertThat(System.nanoTime() - start).as("slept").isLessThan(4_000_000_000L);
        assertThat(key.readyOps()).isEqualTo(OP_READ);
        next.close();
    }

    @Test
    void shouldNoticeEveryChangeOfAKeyOfThePlatform() throws IOException {
        Pipe pipe = Pipe.open();
        try {
            pipe.source().configureBlocking(false);
            SelectionKey foreign = pipe.source().register(selector, OP_READ);
            channel.register(selector, OP_READ);
            channel.atNextLook(() -> foreign.interestOps(0));
            assertThat(selector.select(20)).isZero();

            foreign.interestOps(OP_READ);
            pipe.sink().write(ByteBuffer.allocate(1));

            assertThat(selector.selectNow()).isEqualTo(1);
        } finally {
            pipe.source().close();
            pipe.sink().close();
        }
    }

    private void register(TestChannel one) {
        try {
            one.register(selector, OP_READ);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // -- readiness ---------------------------------------------------------------------------------------------------

    @Test
    void shouldSelectALevelAgainUntilItIsUsed() throws IOException {
        SelectionKey key = channel.register(selector, OP_READ);
        channel.ready(OP_READ);
        for (int i = 0; i < 3; i++) {
            assertThat(selector.select()).isEqualTo(1);
            assertThat(selector.selectedKeys().remove(key)).isTrue();
        }

        channel.used(0);

        assertThat(selector.selectNow()).isZero();
        assertThat(selector.selectedKeys()).isEmpty();
    }

    @Test
    void shouldCountAKeyThatIsSelectedAlreadyOnlyWhenMoreIsReady() throws IOException {
        SelectionKey key = channel.register(selector, OP_READ | OP_WRITE);
        channel.ready(OP_READ);
        assertThat(selector.selectNow()).isEqualTo(1);
        assertThat(selector.selectNow()).isZero();
        assertThat(selector.select()).as("ready keys end a selection").isZero();

        channel.ready(OP_WRITE);
        assertThat(selector.selectNow()).isEqualTo(1);
        assertThat(key.readyOps()).as("bits are added").isEqualTo(OP_READ | OP_WRITE);

        selector.selectedKeys().clear();
        assertThat(selector.selectNow()).isEqualTo(1);
        assertThat(key.readyOps()).as("and set anew").isEqualTo(OP_WRITE);
    }

    @Test
    void shouldSelectManyAtOnce() throws IOException {
        int count = 100;
        for (int i = 0; i < count; i++) {
            TestChannel one = new TestChannel();
            one.register(selector, OP_READ, i);
            if (i % 2 == 0) {
                one.ready(OP_READ);
            }
        }

        assertThat(selector.select()).isEqualTo(count / 2);
        assertThat(selector.selectedKeys()).allMatch(key -> (int) key.attachment() % 2 == 0);
        assertThat(selector.keys()).hasSize(count);
    }

    @Test
    void shouldGiveUpAfterTheTimeout() throws IOException {
        channel.register(selector, OP_READ);
        long start = System.nanoTime();

        assertThat(selector.select(30)).isZero();

        assertThat(System.nanoTime() - start).isBetween(29_000_000L, 5_000_000_000L);
    }

    @Test
    void shouldRefuseANegativeTimeout() {
        assertThatThrownBy(() -> selector.select(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    // -- wakeup ------------------------------------------------------------------------------------------------------

    @Test
    void shouldReturnAtOnceAfterAWakeupAndOnlyOnce() throws IOException {
        selector.wakeup().wakeup();
        assertThat(selector.select()).isZero();

        long start = System.nanoTime();
        assertThat(selector.select(20)).isZero();
        assertThat(System.nanoTime() - start).as("the next one sleeps").isGreaterThan(19_000_000);
    }

    @Test
    void shouldTakeAWakeupAwayWithSelectNow() throws IOException {
        selector.wakeup();
        selector.selectNow();
        long start = System.nanoTime();

        selector.select(20);

        assertThat(System.nanoTime() - start).isGreaterThan(19_000_000);
    }

    @Test
    void shouldReturnAtOnceWhenInterrupted() throws IOException {
        Thread.currentThread().interrupt();
        try {
            assertThat(selector.select()).isZero();
        } finally {
            assertThat(Thread.interrupted()).as("still set").isTrue();
        }
    }

    // -- keys that end, and channels of others -------------------------------------------------------------------

    @Test
    void shouldLetGoOfCancelledKeys() throws IOException {
        SelectionKey key = channel.register(selector, OP_READ);
        channel.ready(OP_READ);
        selector.selectNow();
        key.cancel();
        assertThat(selector.keys()).as("until the next selection").contains(key);

        assertThat(selector.selectNow()).isZero();

        assertThat(selector.keys()).isEmpty();
        assertThat(selector.selectedKeys()).isEmpty();
        assertThat(channel.listeners()).isZero();
        assertThat(channel.keyFor(selector)).isNull();
        SelectionKey again = channel.register(selector, OP_READ);
        assertThat(selector.selectNow()).isEqualTo(1);
        assertThat(selector.selectedKeys()).containsExactly(again);
    }

    @Test
    void shouldLetGoOfKeysOfClosedChannels() throws IOException {
        channel.register(selector, OP_READ);
        channel.close();

        selector.selectNow();

        assertThat(selector.keys()).isEmpty();
    }

    @Test
    void shouldMixWithChannelsOfThePlatform() throws IOException {
        Pipe pipe = Pipe.open();
        try {
            pipe.source().configureBlocking(false);
            SelectionKey foreign = pipe.source().register(selector, OP_READ);
            SelectionKey ours = channel.register(selector, OP_READ);
            assertThat(selector.selectNow()).isZero();

            pipe.sink().write(ByteBuffer.allocate(1));
            assertThat(selector.select()).isEqualTo(1);
            assertThat(selector.selectedKeys()).containsExactly(foreign);

            channel.ready(OP_READ);
            assertThat(selector.selectNow()).isEqualTo(1);
            assertThat(selector.selectedKeys()).containsExactlyInAnyOrder(foreign, ours);
        } finally {
            pipe.source().close();
            pipe.sink().close();
        }
    }

    @Test
    void shouldRefuseEverythingOnceItIsClosed() throws IOException {
        SelectionKey key = channel.register(selector, OP_READ);
        selector.close();
        selector.close();

        assertThat(key.isValid()).isFalse();
        assertThat(channel.listeners()).isZero();
        assertThatThrownBy(() -> selector.select()).isInstanceOf(ClosedSelectorException.class);
        assertThatThrownBy(() -> selector.keys()).isInstanceOf(ClosedSelectorException.class);
        assertThatThrownBy(() -> selector.selectedKeys()).isInstanceOf(ClosedSelectorException.class);
        assertThatThrownBy(() -> channel.register(selector, OP_READ)).isInstanceOf(ClosedSelectorException.class);
        assertThat(selector.wakeup()).isSameAs(selector);
    }
}
