package org.ucxnio.selector;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.link.Bell;
import org.ucxnio.link.Bells;

/** How a selector is woken by its bell. */
@Timeout(60)
class DoorbellTest extends RingSelection {
    private static final int ENOUGH_SLEEPS_FOR_A_BELL = 100;

    private RingChannel channel() throws IOException {
        RingChannel channel = channel(OP_READ);
        channel.register(selector, OP_READ);
        return channel;
    }

    /** Selects until somebody wakes the selector, who does so a little later. */
    private void select(Step waking) throws Exception {
        Thread waker = after(2, waking);
        selectWoken();
        waker.join();
    }

    private void expectWoken(RingChannel channel) throws Exception {
        long tokens = channel.tokens.get();
        select(() -> channel.peerMakesReady(OP_READ));
        assertThat(selector.selectedKeys()).containsExactly(channel.keyFor(selector));
        assertThat(channel.tokens).hasValue(tokens);
        finish(channel);
    }

    private void finish(RingChannel channel) {
        channel.use(OP_READ);
        selector.selectedKeys().clear();
    }

    /** One that is hot, in a selector that has slept so often that it has a bell. */
    private RingChannel hotChannel() throws Exception {
        RingChannel channel = channel();
        for (int i = 0; i < ENOUGH_SLEEPS_FOR_A_BELL; i++) {
            select(() -> channel.peerMakesReady(OP_READ));
            finish(channel);
        }
        return channel;
    }

    /** Sleeps until the selector looks at no key any more. */
    private void coolDown() throws IOException {
        for (int i = 0; i < ENOUGH_SLEEPS_FOR_A_BELL; i++) {
            assertThat(selector.select(1)).isZero();
        }
        long looks = looks();
        assertThat(selector.select(1)).isZero();
        assertThat(looks()).as("looks once all are cold").isEqualTo(looks);
    }

    private long looks() {
        return channels.stream().mapToLong(each -> each.looks.get()).sum();
    }

    private long armedForBell() {
        return channels.stream().filter(RingChannel::isArmedForBell).count();
    }

    @Test
    void shouldBeRungForAKeyThatIsHot() throws Exception {
        expectWoken(hotChannel());
    }

    @Test
    void shouldBeRungForAKeyThatIsCold() throws Exception {
        RingChannel channel = hotChannel();
        coolDown();
        assertThat(channel.isArmedForBell()).isTrue();
        expectWoken(channel);
    }

    @Test
    void shouldLookAtNobodyButWhoItIsRungFor() throws Exception {
        hotChannel();
        List<RingChannel> others = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            others.add(channel());
        }
        coolDown();
        for (RingChannel each : others) {
            long before = looks() - each.looks.get();
            expectWoken(each);
            assertThat(looks() - each.looks.get()).isEqualTo(before);
            coolDown();
        }
    }

    @Test
    void shouldBeAskedForNoMoreKeysThanAPipeHolds() throws Exception {
        hotChannel();
        for (int i = 0; i < Bells.MOST_ASKED + 20; i++) {
            channel();
        }
        coolDown();
        assertThat(armedForBell()).isEqualTo(Bells.MOST_ASKED);
        assertThat(channels).allMatch(each -> each.armedFor() == OP_READ);

        for (RingChannel each : channels) {
            each.peerMakesReady(OP_READ);
        }
        while (selector.selectedKeys().size() < channels.size()) {
            assertThat(selector.select(LONG_MILLIS)).isPositive();
        }
    }

    @Test
    void shouldMakeRoomWhereKeysAreCancelled() throws Exception {
        hotChannel();
        for (int i = 0; i < Bells.MOST_ASKED; i++) {
            channel();
        }
        coolDown();
        for (RingChannel each : channels) {
            each.close();
        }
        channels.clear();
        selector.selectNow();
        RingChannel channel = channel();
        coolDown();
        assertThat(channel.isArmedForBell()).isTrue();
        expectWoken(channel);
    }

    /** Whose name it is that nobody knows, nobody knows either: the place in it may be another key's. */
    @ParameterizedTest
    @ValueSource(longs = {0x0102_0304_0506_0708L, 0, 1, 2, -1})
    void shouldLookAtAllWhereItIsRungForNobody(long name) throws Exception {
        hotChannel();
        RingChannel channel = channel();
        coolDown();
        channel.forgetsToRing();
        select(() -> {
            channel.peerMakesReady(OP_READ);
            channel.ring(ByteBuffer.allocate(Bell.BYTES).putLong(0, name).array());
        });
        assertThat(selector.selectedKeys()).containsExactly(channel.keyFor(selector));
    }

    @Test
    void shouldGiveThePlaceOfAKeyThatHasGoneToAnotherUnderAnotherName() throws IOException {
        try (Selector inner = SelectorProvider.provider().openSelector();
                Doorbell bell = Doorbell.open(inner)) {
            UcxSelectionKey gone = TestKeys.key();
            long first = bell.of(gone).name();
            bell.forget(gone);
            long second = bell.of(TestKeys.key()).name();
            assertThat((int) second).isEqualTo((int) first);
            assertThat(second).isNotEqualTo(first);
        }
    }

    @Test
    void shouldUnderstandItAgainBehindAPartOfAName() throws Exception {
        RingChannel channel = hotChannel();
        RingChannel other = channel();
        coolDown();
        channel.ring((byte) 1, (byte) 2, (byte) 3);
        assertThat(selector.select(20)).isZero();
        coolDown();
        long looks = other.looks.get();
        expectWoken(channel);
        assertThat(other.looks).hasValue(looks);
    }

    /** It sleeps on an epoll instance of its own then. */
    @Test
    void shouldBeHeardBesideAWorkerOfUcx() throws Exception {
        selector.close();
        selector = SelectorFixture.with("block").open();
        RingChannel cold = hotChannel();
        coolDown();
        try (TestChannel withWorker = TestChannel.withWorker()) {
            SelectionKey key = withWorker.register(selector, OP_READ);
            selector.select(10);
            assertThat(cold.isArmedForBell()).isTrue();
            expectWoken(cold);
            coolDown();
            expectWoken(cold);
            key.cancel();
            selector.selectNow();
            expectWoken(cold);
        }
    }
}
