package org.ucxnio.selector;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.transport.TestWorkers;

/** Keys of channels that are the kernel's alone: what they are interested in is told to the platform's key at once, until they move. */
@Timeout(60)
class KernelsAloneTest extends RingSelection {
    /** A key of the platform's at which something happens when it is told of an interest the next time, before it is. */
    private static final class HookedKey extends SelectionKey {
        private final SelectionKey real;
        private Step beforeNext;

        HookedKey(SelectionKey real, Step beforeNext) {
            this.real = real;
            this.beforeNext = beforeNext;
        }

        @Override
        public SelectionKey interestOps(int ops) {
            Step step = beforeNext;
            if (step != null) {
                beforeNext = null;
                try {
                    step.run();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }
            real.interestOps(ops);
            return this;
        }

        @Override
        public int interestOps() {
            return real.interestOps();
        }

        @Override
        public SelectableChannel channel() {
            return real.channel();
        }

        @Override
        public Selector selector() {
            return real.selector();
        }

        @Override
        public boolean isValid() {
            return real.isValid();
        }

        @Override
        public void cancel() {
            real.cancel();
        }

        @Override
        public int readyOps() {
            return real.readyOps();
        }
    }

    private UcxSelectionKey plainKey(RingChannel channel) throws IOException {
        UcxSelectionKey key = (UcxSelectionKey) channel.register(selector, 0);
        assertThat(selector.selectNow()).isZero();
        assertThat(key.isKernelsAlone()).isTrue();
        return key;
    }

    @Test
    void shouldTellThePlatformsKeyOfANewInterestAtOnceUntilTheConnectionMoves() throws IOException {
        RingChannel channel = channel(0);
        UcxSelectionKey key = plainKey(channel);
        key.interestOps(OP_READ | OP_WRITE);
        assertThat(key.kernelKey.interestOps()).isEqualTo(OP_READ | OP_WRITE);
        key.interestOpsAnd(OP_WRITE);
        assertThat(key.kernelKey.interestOps()).isEqualTo(OP_WRITE);
        key.interestOpsOr(OP_READ);
        assertThat(key.kernelKey.interestOps()).isEqualTo(OP_READ | OP_WRITE);
        long looks = channel.looks.get();
        assertThat(selector.selectNow()).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(OP_WRITE);
        assertThat(channel.looks).as("looks of ours").hasValue(looks);
        selector.selectedKeys().clear();

        channel.switchTo(OP_READ | OP_WRITE);
        assertThat(selector.selectNow()).isZero();
        assertThat(key.kernelKey.interestOps()).as("for tokens").isEqualTo(OP_READ);
        key.interestOps(0);
        assertThat(key.kernelKey.interestOps())
                .as("not before the next selection")
                .isEqualTo(OP_READ);
        assertThat(selector.selectNow()).isZero();
        assertThat(key.kernelKey.interestOps()).isZero();
    }

    @Test
    void shouldSelectWhatMovesWhileTheKernelIsAskedByTheInterestThatThePlatformsKeyWasTold() throws IOException {
        RingChannel channel = channel(0);
        SelectionKey key = plainKey(channel);
        key.interestOps(OP_READ);
        channel.switchAtNextKernelEvent(OP_READ);
        channel.peerMakesReady(OP_READ);
        channel.peerSends();

        assertThat(selector.select(LONG_MILLIS)).isEqualTo(1);

        assertThat(key.readyOps()).isEqualTo(OP_READ);
    }

    @Test
    void shouldSelectWhatMovesWhileItSleepsByTheInterestThatThePlatformsKeyWasTold() throws IOException {
        RingChannel channel = channel(0);
        SelectionKey key = plainKey(channel);
        key.interestOps(OP_READ);
        after(50, () -> {
            channel.peerMakesReady(OP_READ);
            channel.switchTo(OP_READ);
        });

        selectWoken();

        assertThat(selector.selectedKeys()).containsExactly(key);
    }

    @Test
    void shouldSelectAKeyOfAnotherProviderByTheInterestThatWasTold() throws IOException {
        Pipe pipe = Pipe.open();
        try (Pipe.SourceChannel source = pipe.source();
                Pipe.SinkChannel sink = pipe.sink()) {
            source.configureBlocking(false);
            UcxSelectionKey key = (UcxSelectionKey) source.register(selector, 0);
            assertThat(selector.selectNow()).isZero();
            sink.write(ByteBuffer.allocate(1));
            key.interestOps(OP_READ);
            assertThat(key.kernelKey.interestOps()).isEqualTo(OP_READ);
            selectWoken();
            assertThat(selector.selectedKeys()).containsExactly(key);
        }
    }

    // -- at the moment that a thread tells the platform's key -------------------------------------------------------

    @Test
    void shouldWakeTheSelectorForAnInterestThatWasToldTooLate() throws Exception {
        UcxSelectionKey key = plainKey(channel(0));
        key.kernelKey = new HookedKey(key.kernelKey, () -> key.interestOps(OP_READ));
        Thread selecting = after(0, () -> selector.select(LONG_MILLIS));
        until(() -> {
            StackTraceElement[] trace = selecting.getStackTrace();
            return trace.length > 0 && trace[0].getClassName().endsWith("EPoll");
        });

        key.interestOps(OP_WRITE);

        until(() -> key.kernelKey.interestOps() == OP_READ);
        assertThat(key.interestOps()).isEqualTo(OP_READ);
        selector.wakeup();
        selecting.join(LONG_MILLIS);
    }

    private static void until(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofMillis(LONG_MILLIS / 2)).until(condition);
    }

    @Test
    void shouldSeeThatTheConnectionHasMovedMeanwhile() throws IOException {
        RingChannel channel = channel(0);
        UcxSelectionKey key = plainKey(channel);
        key.kernelKey = new HookedKey(key.kernelKey, () -> {
            channel.switchTo(OP_READ | OP_WRITE);
            assertThat(selector.selectNow()).isZero();
        });

        key.interestOps(OP_WRITE);

        assertThat(selector.selectNow()).isZero();
        assertThat(key.kernelKey.interestOps()).as("for tokens").isEqualTo(OP_READ);
    }

    @Test
    void shouldTellTheSelectorOnceItSleepsWithDescriptorsOfItsOwn() throws IOException {
        selector.close();
        selector = SelectorFixture.with("block").open();
        RingChannel plain = channel(0);
        UcxSelectionKey key = plainKey(plain);
        try (TestChannel withWorker = TestChannel.withWorker()) {
            withWorker.register(selector, OP_READ);
            selector.select(10);
            assertThat(key.isKernelsAlone()).isFalse();

            key.interestOps(OP_READ);
            plain.peerSends();

            selectWoken();
            assertThat(selector.selectedKeys()).containsExactly(key);
        }
    }

    @Test
    void shouldProgressAWorkerInSelectionsThatFindNothing() throws IOException {
        selector.close();
        selector = SelectorFixture.with("block").open();
        plainKey(channel(0));
        try (TestChannel withWorker = TestChannel.withWorker()) {
            UcxSelectionKey key = (UcxSelectionKey) withWorker.register(selector, OP_READ);
            selector.selectNow();
            long before = TestWorkers.progressCount(key.worker);
            for (int i = 0; i < 10; i++) {
                selector.selectNow();
            }
            assertThat(TestWorkers.progressCount(key.worker) - before)
                    .as("unless the poller was at it")
                    .isGreaterThan(5);
        }
    }
}
