package org.ucxnio.selector;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a selector does with channels whose bytes come by rings, which tell nobody. */
@Timeout(60)
class RingKeysTest extends RingSelection {
    /** One that the selector has stopped to look at. */
    private RingChannel coldChannel(int interest) throws IOException {
        RingChannel channel = channel(OP_READ | OP_WRITE);
        channel.register(selector, interest);
        coolDown();
        assertThat(channel.armedFor()).isEqualTo(interest);
        return channel;
    }

    /** Sleeps until all keys are cold. */
    private void coolDown() throws IOException {
        for (int i = 0; i < 100 && channels.stream().anyMatch(each -> each.armedFor() == 0); i++) {
            assertThat(selector.select(5)).isZero();
        }
    }

    // -- hot and cold ------------------------------------------------------------------------------------------------

    @Test
    void shouldSelectWhatARingHas() throws IOException {
        RingChannel channel = channel(OP_READ);
        SelectionKey key = channel.register(selector, OP_READ);
        assertThat(selector.selectNow()).isZero();

        channel.peerMakesReady(OP_READ);

        assertThat(channel.tokens).as("nobody slept").hasValue(0);
        assertThat(selector.selectNow()).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(OP_READ);
        selector.selectedKeys().clear();
        channel.use(OP_READ);
        assertThat(selector.selectNow()).isZero();
    }

    @Test
    void shouldBeWokenByAHotKey() throws IOException {
        RingChannel channel = channel(OP_READ);
        SelectionKey key = channel.register(selector, OP_READ);
        after(50, () -> channel.peerMakesReady(OP_READ));

        selectWoken();

        assertThat(selector.selectedKeys()).containsExactly(key);
        assertThat(channel.tokens).hasValue(1);
        assertThat(channel.armedFor())
                .as("disarmed while the selector is awake")
                .isZero();
    }

    @Test
    void shouldBeWokenByAKeyThatCouldNotBeArmedForLong() throws IOException {
        RingChannel channel = channel(OP_READ);
        SelectionKey key = channel.register(selector, OP_READ);
        channel.busy.set(2 * ActiveKeys.COLD_LOOKS);
        after(50, () -> {
            while (channel.armedFor() == 0) {
                Thread.onSpinWait();
            }
            channel.peerMakesReady(OP_READ);
        });

        selectWoken();

        assertThat(channel.busy).hasValue(0);
        assertThat(selector.selectedKeys()).containsExactly(key);
    }

    @Test
    void shouldLookNoMoreAtAKeyThatIsCold() throws IOException {
        RingChannel channel = channel(OP_READ);
        channel.register(selector, OP_READ);
        coolDown();
        assertThat(channel.armedFor()).isEqualTo(OP_READ);
        assertThat(selector.kernel.looks()).as("sleeps").isEqualTo(8);

        long looks = channel.looks.get();
        for (int i = 0; i < 100; i++) {
            selector.selectNow();
        }
        assertThat(channel.looks).hasValue(looks);
        assertThat(channel.armedFor()).isEqualTo(OP_READ);
    }

    @Test
    void shouldBeWokenByAColdKey() throws IOException {
        RingChannel channel = coldChannel(OP_READ);
        after(50, () -> channel.peerMakesReady(OP_READ));

        selectWoken();

        assertThat(selector.selectedKeys()).containsExactly(channel.keyFor(selector));
        assertThat(channel.tokens).hasValue(1);
        channel.use(OP_READ);
        selector.selectedKeys().clear();
        selector.selectNow();
        channel.peerMakesReady(OP_READ);
        assertThat(selector.selectNow()).as("hot again").isEqualTo(1);
        assertThat(channel.tokens).as("hot again").hasValue(1);
    }

    @Test
    void shouldSelectAColdKeyWithSelectNow() throws IOException {
        RingChannel channel = coldChannel(OP_READ);
        channel.peerMakesReady(OP_READ);

        assertThat(selector.selectNow()).isEqualTo(1);

        assertThat(channel.keyFor(selector).readyOps()).isEqualTo(OP_READ);
    }

    @Test
    void shouldFindATokenWithoutBytesHarmless() throws IOException {
        RingChannel channel = coldChannel(OP_READ);
        channel.peerSends();

        assertThat(selector.select(20)).isZero();

        assertThat(channel.tokens).hasValue(1);
        assertThat(channel.kernelEvents).as("not again and again").hasValueLessThan(3);
    }

    @Test
    void shouldCoolDownWhatHasNothingWhileOthersKeepTheSelectorBusy() throws IOException {
        RingChannel busy = channel(OP_READ);
        RingChannel quiet = channel(OP_READ);
        busy.register(selector, OP_READ);
        SelectionKey key = quiet.register(selector, OP_READ);
        busy.peerMakesReady(OP_READ);
        for (int i = 0; i <= ActiveKeys.COLD_LOOKS; i++) {
            selector.select();
        }
        assertThat(quiet.armedFor()).isEqualTo(OP_READ);
        assertThat(quiet.looks).hasValueLessThan(ActiveKeys.COLD_LOOKS + 3);

        quiet.peerMakesReady(OP_READ);

        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!selector.selectedKeys().contains(key) && System.nanoTime() - end < 0) {
            selector.select();
        }
        assertThat(selector.selectedKeys()).contains(key);
    }

    @Test
    void shouldCostWhatIsHotAndNotWhatIsRegistered() throws IOException {
        int count = 512;
        for (int i = 0; i < count; i++) {
            channel(OP_READ).register(selector, OP_READ);
        }
        coolDown();
        long before = channels.stream().mapToLong(each -> each.looks.get()).sum();
        RingChannel hot = channels.get(count / 2);
        hot.peerMakesReady(OP_READ);

        for (int i = 0; i < 1000; i++) {
            selector.select();
        }

        long looks = channels.stream().mapToLong(each -> each.looks.get()).sum() - before;
        assertThat(looks).isBetween(1000L, 1010L);
        assertThat(selector.selectedKeys()).containsExactly(hot.keyFor(selector));
    }

    // -- system calls ------------------------------------------------------------------------------------------------

    @Test
    void shouldSelectManyTimesWithOneLookAtTheKernel() throws IOException {
        RingChannel channel = channel(OP_READ);
        channel.register(selector, OP_READ);
        channel.peerMakesReady(OP_READ);
        selector.select();
        int count = 100_000;
        long looks = selector.kernel.looks();
        long start = System.nanoTime();

        for (int i = 0; i < count; i++) {
            selector.select();
        }

        assertThat(selector.kernel.looks() - looks).isBetween(1L, (System.nanoTime() - start) / 1_000_000 + 1);
    }

    /** It has looked at the rings itself, and what sockets are left with can wait. */
    @Test
    void shouldNotAskTheKernelWhereItNeitherSleepsNorLeavesAKeyToIt() throws IOException {
        channel(OP_READ).register(selector, OP_READ);
        selector.selectNow();
        long looks = selector.kernel.looks();
        long start = System.nanoTime();

        for (int i = 0; i < ActiveKeys.COLD_LOOKS / 2 - 1; i++) {
            selector.selectNow();
            selector.wakeup();
            selector.select();
        }

        assertThat(selector.kernel.looks() - looks).isLessThanOrEqualTo((System.nanoTime() - start) / 1_000_000 + 1);
        coolDown();
        looks = selector.kernel.looks();
        selector.selectNow();
        selector.wakeup();
        selector.select();
        assertThat(selector.kernel.looks() - looks).as("left to the kernel").isEqualTo(2);
    }

    @Test
    void shouldNotStarveKernelChannelsWhileRingsAreReady() throws IOException {
        RingChannel channel = channel(OP_READ);
        SelectionKey key = channel.register(selector, OP_READ);
        channel.peerMakesReady(OP_READ);
        Pipe pipe = Pipe.open();
        try {
            pipe.source().configureBlocking(false);
            SelectionKey foreign = pipe.source().register(selector, OP_READ);
            selector.select();
            for (int i = 0; i < 100; i++) {
                pipe.sink().write(ByteBuffer.allocate(1));
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
                int selections = 0;
                do {
                    selector.select();
                    selections++;
                } while (!selector.selectedKeys().remove(foreign) && System.nanoTime() - end < 0);
                assertThat(System.nanoTime() - end).isNegative();
                assertThat(selections).isLessThan(10_000);
                pipe.source().read(ByteBuffer.allocate(1));
                assertThat(selector.selectedKeys().remove(key)).isTrue();
            }
        } finally {
            pipe.source().close();
            pipe.sink().close();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, LONG_MILLIS})
    void shouldAskTheKernelOnceForEachSelectionOfPlainChannels(long timeoutMillis) throws IOException {
        RingChannel plain = channel(0);
        SelectionKey key = plain.register(selector, OP_READ);
        selector.selectNow();
        long looks = selector.kernel.looks();
        for (int i = 1; i <= 100; i++) {
            plain.peerSends();
            assertThat(selector.select(timeoutMillis)).isEqualTo(1);
            assertThat(selector.kernel.looks() - looks).isEqualTo(i);
            ((SocketChannel) plain.kernelChannel()).read(ByteBuffer.allocate(8));
            selector.selectedKeys().clear();
            key.interestOps(0);
            key.interestOps(OP_READ);
        }
        selector.wakeup();
        selector.select();
        assertThat(selector.kernel.looks() - looks).as("after a wakeup").isEqualTo(101);
        selector.select(20);
        assertThat(selector.kernel.looks() - looks).as("after a timeout").isEqualTo(102);
        key.cancel();
        selector.selectNow();
        assertThat(selector.kernel.looks() - looks).as("after a cancelled key").isEqualTo(103);
    }

    @Test
    void shouldSleepOnceForEachTimeout() throws IOException {
        coldChannel(OP_READ);
        long looks = selector.kernel.looks();

        selector.select(300);

        assertThat(selector.kernel.looks() - looks).isLessThan(3);
    }

    // -- interest ----------------------------------------------------------------------------------------------------

    @Test
    void shouldNotLookWithoutInterest() throws IOException {
        RingChannel channel = channel(OP_READ);
        channel.register(selector, 0);
        channel.peerMakesReady(OP_READ);
        assertThat(selector.selectNow()).isZero();
        assertThat(channel.looks).hasValue(0);
    }

    @Test
    void shouldNotArmWithoutInterest() throws IOException {
        RingChannel channel = channel(OP_READ);
        SelectionKey key = channel.register(selector, OP_READ);
        selector.select(1);
        key.interestOps(0);
        selector.select(1);
        assertThat(channel.armedFor()).isZero();
        long looks = channel.looks.get();
        selector.select(1);
        assertThat(channel.looks).hasValue(looks);

        channel.peerMakesReady(OP_READ);
        assertThat(selector.selectNow()).isZero();
        key.interestOps(OP_READ);
        selectWoken();
        assertThat(selector.selectedKeys()).containsExactly(key);
    }

    @Test
    void shouldNotStayArmedForAColdKeyWithoutInterest() throws IOException {
        RingChannel channel = coldChannel(OP_READ);

        channel.keyFor(selector).interestOps(0);
        selector.selectNow();

        assertThat(channel.armedFor()).isZero();
    }

    @Test
    void shouldArmAColdKeyForWhatItBecomesInterestedIn() throws IOException {
        RingChannel channel = coldChannel(OP_READ);
        SelectionKey key = channel.keyFor(selector);
        key.interestOpsOr(OP_WRITE);
        after(50, () -> channel.peerMakesReady(OP_WRITE));

        selectWoken();

        assertThat(selector.selectedKeys()).containsExactly(key);
        assertThat(key.readyOps()).isEqualTo(OP_WRITE);
    }

    @Test
    void shouldArmForNewInterestAfterAWakeup() throws IOException {
        RingChannel channel = coldChannel(OP_READ);
        SelectionKey key = channel.keyFor(selector);
        channel.peerMakesReady(OP_WRITE);
        after(50, () -> {
            key.interestOps(OP_READ | OP_WRITE);
            selector.wakeup();
        });

        selectWoken();
        selectWoken();

        assertThat(key.readyOps()).isEqualTo(OP_WRITE);
        assertThat(selector.selectedKeys()).containsExactly(key);
    }

    @Test
    void shouldTakeInTheKernelsHalfAndTheRings() throws IOException {
        RingChannel channel = channel(OP_READ);
        SelectionKey key = channel.register(selector, OP_READ | OP_WRITE);
        assertThat(selector.select()).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(OP_WRITE);

        channel.peerMakesReady(OP_READ);

        assertThat(selector.select()).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(OP_READ | OP_WRITE);
    }

    // -- switching ---------------------------------------------------------------------------------------------------

    @Test
    void shouldFollowAConnectionIntoItsRings() throws IOException {
        RingChannel channel = channel(0);
        SelectionKey key = channel.register(selector, OP_READ | OP_WRITE);
        assertThat(selector.select()).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(OP_WRITE);
        selector.selectedKeys().clear();

        channel.switchTo(OP_READ | OP_WRITE);

        assertThat(selector.select(20))
                .as("the kernel's word on writing no longer counts")
                .isZero();
        after(50, () -> channel.peerMakesReady(OP_WRITE));
        selectWoken();
        assertThat(key.readyOps()).isEqualTo(OP_WRITE);
    }

    @Test
    void shouldFollowAConnectionIntoItsRingsWhileItSleeps() throws IOException {
        RingChannel channel = channel(0);
        SelectionKey key = channel.register(selector, OP_READ);
        selector.selectNow();
        after(50, () -> {
            channel.switchTo(OP_READ);
            // The bytes are there before the selector knows.
            channel.peerMakesReady(OP_READ);
        });

        selectWoken();

        assertThat(selector.selectedKeys()).containsExactly(key);
    }

    @Test
    void shouldNoLongerWatchTheKernelForWhatHasJustMoved() throws IOException {
        RingChannel channel = channel(0);
        SelectionKey key = channel.register(selector, OP_WRITE);
        channel.switchAtNextKernelEvent(OP_READ | OP_WRITE);

        assertThat(selector.select(50)).isZero();

        assertThat(channel.kernelEvents).hasValueLessThan(3);
        channel.peerMakesReady(OP_WRITE);
        selectWoken();
        assertThat(selector.selectedKeys()).containsExactly(key);
    }

    /** The program might wait for the rest alone, and another thread know that it has come. */
    @ParameterizedTest
    @ValueSource(longs = {0, LONG_MILLIS})
    void shouldFindAllThatIsReadyOfWhatMovesWhileTheKernelIsAsked(long timeoutMillis) throws IOException {
        RingChannel channel = channel(OP_WRITE);
        SelectionKey key = channel.register(selector, OP_READ | OP_WRITE);
        assertThat(selector.selectNow()).isZero();
        channel.switchAtNextKernelEvent(OP_READ);
        channel.peerMakesReady(OP_READ | OP_WRITE);
        channel.peerSends();
        assertThat(timeoutMillis == 0 ? selector.selectNow() : selector.select(timeoutMillis))
                .isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(OP_READ | OP_WRITE);
    }

    @Test
    void shouldFindWhatMovesWhileTheKernelIsAsked() throws IOException {
        RingChannel channel = channel(0);
        channel.announce();
        SelectionKey key = channel.register(selector, OP_WRITE);
        channel.peerMakesReady(OP_WRITE);
        channel.switchAtNextKernelEvent(OP_READ | OP_WRITE);

        assertThat(selector.selectNow()).as("writable all along").isEqualTo(1);

        assertThat(key.readyOps()).isEqualTo(OP_WRITE);
    }

    // -- the end of keys ---------------------------------------------------------------------------------------------

    @Test
    void shouldDisarmACancelledKey() throws IOException {
        RingChannel channel = coldChannel(OP_READ);
        channel.keyFor(selector).cancel();

        selector.selectNow();

        assertThat(channel.armedFor()).isZero();
        assertThat(channel.listeners()).isZero();
        channel.peerMakesReady(OP_READ);
        assertThat(channel.tokens).hasValue(0);
        SelectionKey again = channel.register(selector, OP_READ);
        selectWoken();
        assertThat(selector.selectedKeys()).containsExactly(again);
    }

    @Test
    void shouldDisarmAHotKeyThatIsCancelledWhileTheSelectorSleeps() throws Exception {
        RingChannel channel = channel(OP_READ);
        SelectionKey key = channel.register(selector, OP_READ);
        Thread other = after(50, () -> {
            key.cancel();
            selector.wakeup();
        });

        selectWoken();
        other.join();
        selector.selectNow();

        assertThat(channel.armedFor()).isZero();
        assertThat(selector.keys()).isEmpty();
    }

    @Test
    void shouldLetGoOfAChannelThatIsClosedWhileItIsArmed() throws Exception {
        RingChannel channel = channel(OP_READ);
        RingChannel other = channel(OP_READ);
        channel.register(selector, OP_READ);
        SelectionKey rest = other.register(selector, OP_READ);
        Thread closer = after(50, () -> {
            channel.close();
            other.peerMakesReady(OP_READ);
        });

        selectWoken();
        closer.join();
        selector.selectNow();

        assertThat(selector.selectedKeys()).containsExactly(rest);
        assertThat(selector.keys()).containsExactly(rest);
        assertThat(channel.kernelChannel().isRegistered()).isFalse();
        assertThat(channel.armedFor()).isZero();
    }

    @Test
    void shouldDisarmWhenTheSelectorIsClosed() throws IOException {
        RingChannel channel = coldChannel(OP_READ);

        selector.close();

        assertThat(channel.armedFor()).isZero();
        assertThat(channel.listeners()).isZero();
    }

    // -- two selectors -----------------------------------------------------------------------------------------------

    @Test
    void shouldShareAChannelWithAnotherSelector() throws Exception {
        RingChannel channel = channel(OP_READ | OP_WRITE);
        SelectionKey reading = channel.register(selector, OP_READ);
        try (UcxSelector second = SelectorFixture.openWithoutUcx("block")) {
            SelectionKey writing = channel.register(second, OP_WRITE);
            for (int i = 0; i < 200; i++) {
                int ops = i % 2 == 0 ? OP_READ : OP_WRITE;
                Thread peer = after(0, () -> channel.peerMakesReady(ops));
                // The other one's look may take the byte; its channel signals this one.
                (i % 2 == 0 ? second : selector).selectNow();
                UcxSelector woken = i % 2 == 0 ? selector : second;
                long start = System.nanoTime();
                woken.select(LONG_MILLIS);
                assertThat(System.nanoTime() - start).as("round %d", i).isLessThan(LONG_MILLIS * 900_000);
                assertThat(woken.selectedKeys()).containsExactly(i % 2 == 0 ? reading : writing);
                woken.selectedKeys().clear();
                channel.use(ops);
                peer.join();
            }
        }
    }
}
