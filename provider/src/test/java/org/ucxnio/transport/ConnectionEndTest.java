package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.config.Config;
import org.ucxnio.ucx.UcsStatus;

/** How a connection ends: in order, late, never, or by the death of its peer. */
@Timeout(30)
class ConnectionEndTest {
    private static final int WINDOW = 16 << 10;

    private OneSide side;

    @BeforeEach
    void open() throws IOException {
        side = OneSide.bound(Config.WINDOW, "16k", Config.FRAME, "1k", Config.DRAIN, "50ms");
    }

    @AfterEach
    void close() {
        side.close();
    }

    private void arrives(long position, int count) throws IOException {
        side.peer.data(side.id(), position, Pattern.bytes(position, count));
    }

    private void assertReset() {
        assertThatThrownBy(() -> Pattern.read(side.connection, 1))
                .isInstanceOf(SocketException.class)
                .hasMessage("Connection reset");
        assertThatThrownBy(() -> side.write(0, 1)).isInstanceOf(SocketException.class);
    }

    // -- we close ----------------------------------------------------------------------------------------------------

    @Test
    void shouldSayWhereTheStreamEndsWhenItIsClosed() throws IOException {
        side.write(0, 3000);
        side.connection.close();
        side.settle();

        assertThat(side.peer.stream()).isEqualTo(Pattern.bytes(0, 3000));
        assertThat(side.peer.received(Frame.FIN))
                .as("the control connection says it")
                .isEmpty();
        assertThat(side.control.kinds())
                .containsExactly(TestControl.Kind.BOUND, TestControl.Kind.FIN, TestControl.Kind.END);
        assertThat(side.control.last(TestControl.Kind.FIN).value()).isEqualTo(3000);
    }

    @Test
    void shouldKeepTheControlConnectionUntilWhatWasWrittenHasLeft() throws IOException {
        side.faults.stall();
        side.write(0, WINDOW);
        side.connection.close();
        side.settle();
        assertThat(side.control.isClosed()).isFalse();

        side.faults.clear();
        side.settle();

        assertThat(side.peer.stream()).isEqualTo(Pattern.bytes(0, WINDOW));
        assertThat(side.peer.received(Frame.FIN)).hasSize(1);
        assertThat(side.control.isClosed()).isTrue();
        assertThat(side.control.isAborted()).isFalse();
    }

    @Test
    void shouldDeliverWhatWasWrittenWhoeverProgressesTheWorker() throws IOException {
        side.faults.stall();
        side.write(0, WINDOW);
        side.connection.close();
        side.faults.clear();
        side.thaw();

        // Nobody but the poller is left to do it.
        await().until(side.control::isClosed);
        side.peer.progress();
        while (side.peer.progress() > 0) {
            // until all is taken in
        }
        assertThat(side.peer.stream()).isEqualTo(Pattern.bytes(0, WINDOW));
        assertThat(side.control.kinds()).contains(TestControl.Kind.FIN);
    }

    @Test
    void shouldLeaveTheWorkerOnceWhenTheCloseItselfDeliversTheRest() throws Exception {
        try (OneSide other = side.another().bind().attach()) {
            TransportWorker shared = side.worker();
            side.group.close();
            side.faults.stall();
            side.write(0, 100);
            side.connection.shutdownOutput();
            side.faults.clear();

            side.connection.close();
            assertLeavesTheWorkerTo(other, shared);
        }
    }

    @Test
    void shouldLeaveTheWorkerOnceWhenTheCloseMeetsAFailure() throws Exception {
        try (OneSide other = side.another().bind().attach()) {
            TransportWorker shared = side.worker();
            side.group.close();
            arrives(5, 10);

            side.connection.close();
            assertLeavesTheWorkerTo(other, shared);
        }
    }

    /** Our connection is over, and the worker goes on for the other one. */
    private void assertLeavesTheWorkerTo(OneSide other, TransportWorker shared) throws Exception {
        side.thaw();
        other.thaw();

        assertThat(side.control.isClosed()).isTrue();
        awaitPoller();
        assertThat(shared.isClosed()).as("another connection uses it").isFalse();
        assertThat(other.write(0, 100)).isEqualTo(100);
    }

    /** Waits until the poller has done what it was given so far. */
    private void awaitPoller() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        side.processes.left.poller().execute(done::countDown);
        done.await();
    }

    @Test
    void shouldGiveUpDrainingAtTheDeadline() throws IOException {
        side.faults.stall();
        side.write(0, WINDOW);
        side.connection.close();
        side.thaw();

        await().until(side.control::isClosed);

        assertThat(side.control.kinds())
                .as("without an end of stream the peer sees a reset")
                .containsExactly(TestControl.Kind.BOUND, TestControl.Kind.END);
    }

    @Test
    void shouldNotGiveUpWhatWasDeliveredInTime() throws IOException {
        side.faults.stall();
        side.write(0, 100);
        side.connection.close();
        side.faults.clear();
        side.settle();
        long said = side.control.said().size();
        side.thaw();

        try (OneSide later = side.another().bind().attach()) {
            later.faults.stall();
            later.write(0, 100);
            later.connection.close();
            later.thaw();
            // Its deadline comes after ours.
            await().until(later.control::isClosed);
        }
        assertThat(side.control.said()).hasSize((int) said);
    }

    @Test
    void shouldEndAsAResetWhenBytesAreLeftUnread() throws IOException {
        side.write(0, 3000);
        arrives(0, 5000);
        side.connection.close();
        side.settle();

        assertThat(side.peer.stream()).as("what was written arrives").isEqualTo(Pattern.bytes(0, 3000));
        assertThat(side.peer.received(Frame.FIN)).isEmpty();
        assertThat(side.control.kinds()).containsExactly(TestControl.Kind.BOUND, TestControl.Kind.END);
    }

    @Test
    void shouldThrowUnreadBytesAwayWhereNobodyMinds() throws IOException {
        arrives(0, 5000);
        side.connection.close(false);
        side.settle();

        assertThat(side.control.last(TestControl.Kind.FIN).value()).isZero();
        assertThat(side.control.isAborted()).isFalse();
        assertThat(side.control.isClosed()).isTrue();
    }

    @Test
    void shouldEndInOrderWhenEverythingWasRead() throws IOException {
        arrives(0, 5000);
        assertThat(Pattern.read(side.connection, 5000)).hasSize(5000);
        side.connection.close();
        side.settle();

        assertThat(side.control.last(TestControl.Kind.FIN).value()).isZero();
    }

    @Test
    void shouldGoOnTakingBytesInWhileItDrains() throws IOException {
        side.faults.stall();
        side.write(0, 100);
        side.connection.close();
        for (int i = 0; i < 10; i++) {
            arrives(i * 5000L, 5000);
            side.settle();
        }
        assertThat(side.control.isAborted()).isFalse();
        side.faults.clear();
        side.settle();

        assertThat(side.peer.received(Frame.ACK)).isNotEmpty();
        assertThat(side.peer.stream()).isEqualTo(Pattern.bytes(0, 100));
    }

    @Test
    void shouldEndOnceWhenClosedTwice() {
        side.connection.close();
        side.connection.close();
        side.settle();
        side.connection.close();

        assertThat(side.control.count(TestControl.Kind.FIN)).isEqualTo(1);
        assertThat(side.control.count(TestControl.Kind.END)).isEqualTo(1);
    }

    @Test
    void shouldNotSayAnEndWhenReset() throws IOException {
        side.write(0, 10);
        side.connection.reset();

        assertThat(side.control.kinds()).containsExactly(TestControl.Kind.BOUND, TestControl.Kind.END);
    }

    @Test
    void shouldCloseBehindAShutdown() throws IOException {
        side.write(0, 100);
        side.connection.shutdownOutput();
        side.settle();
        assertThat(side.control.isClosed()).isFalse();
        side.connection.close();
        side.settle();

        assertThat(side.peer.received(Frame.FIN)).hasSize(1);
        assertThat(side.control.isClosed()).isTrue();
    }

    // -- the peer closes ---------------------------------------------------------------------------------------------

    @Test
    void shouldSeeAResetWhenThePeerEndsWithoutAnEndOfStream() throws IOException {
        arrives(0, 100);

        side.connection.onControlClosed();

        assertThat(Pattern.read(side.connection, 1000))
                .as("what arrived is read first")
                .isEqualTo(Pattern.bytes(0, 100));
        assertReset();
    }

    @Test
    void shouldSeeTheEndWhenThePeerSaidItBefore() throws IOException {
        arrives(0, 100);
        side.peer.fin(side.id(), 100);

        side.connection.onControlClosed();

        assertThat(Pattern.read(side.connection, 1000)).isEqualTo(Pattern.bytes(0, 100));
        assertThat(Pattern.read(side.connection, 1000)).isNull();
        assertThatThrownBy(() -> side.write(0, 1))
                .isInstanceOf(SocketException.class)
                .hasMessage("Broken pipe");
        assertThat(side.writable()).isTrue();
    }

    @Test
    void shouldTakeInEverythingThatLiesInTheWorkerWhenThePeerEnds() throws IOException {
        for (int i = 0; i < 60; i++) {
            arrives(i * 100L, 100);
        }
        side.connection.onControlFin(6000);
        side.connection.onControlClosed();

        assertThat(Pattern.read(side.connection, 10_000)).isEqualTo(Pattern.bytes(0, 6000));
        assertThat(Pattern.read(side.connection, 1)).isNull();
    }

    @Test
    void shouldWaitForBytesThatAreStillOnTheirWay() throws IOException {
        arrives(0, 100);
        side.connection.onControlFin(250);
        side.connection.onControlClosed();
        assertThat(Pattern.read(side.connection, 1000)).hasSize(100);
        assertThat(Pattern.read(side.connection, 1000))
                .as("neither end nor reset")
                .isEmpty();

        arrives(100, 150);
        side.settle();

        assertThat(Pattern.read(side.connection, 1000)).isEqualTo(Pattern.bytes(100, 150));
        assertThat(Pattern.read(side.connection, 1000)).isNull();
    }

    @Test
    void shouldSeeAResetWhenTheRestNeverComes() throws IOException {
        side.connection.onControlFin(1);
        side.connection.onControlClosed();
        assertThat(side.readable()).isFalse();
        side.thaw();

        await().until(side::readable);

        assertReset();
    }

    @Test
    void shouldForgetWhatThePeerWillNeverRead() throws IOException {
        side.faults.stall();
        side.write(0, WINDOW + 1);
        assertThat(side.writable()).isFalse();
        side.connection.onControlFin(0);
        side.connection.onControlClosed();

        assertThat(side.writable()).isTrue();
        assertThatThrownBy(() -> side.write(0, 1)).isInstanceOf(SocketException.class);
        side.connection.close();
        assertThat(side.control.isClosed()).isTrue();
    }

    @Test
    void shouldBreakWhenTheControlConnectionSaysAnEndBeforeWhatArrived() throws IOException {
        arrives(0, 10);
        side.settle();
        side.connection.onControlFin(9);

        assertThat(side.control.isAborted()).isTrue();
    }

    @Test
    void shouldSignalItsListenerOfEveryEnd() {
        side.signals.set(0);
        side.connection.onControlFin(0);
        assertThat(side.signals.getAndSet(0)).isPositive();

        side.connection.onControlClosed();
        assertThat(side.signals.get()).isPositive();
    }

    // -- the peer's JVM exits ----------------------------------------------------------------------------------------

    @Test
    void shouldTakeTheTotalOfAnExitForTheEnd() throws IOException {
        arrives(0, 100);
        side.connection.onControlExit(100);
        side.settle();
        assertThat(side.readable()).isTrue();
        assertThat(Pattern.read(side.connection, 1000)).hasSize(100);
        assertThat(Pattern.read(side.connection, 1000)).as("not yet").isEmpty();

        side.connection.onControlClosed();

        assertThat(Pattern.read(side.connection, 1000)).isNull();
    }

    @Test
    void shouldTakeWhatWasWrittenAfterTheTotalOfAnExitToo() throws IOException {
        side.connection.onControlExit(50);
        arrives(0, 100);
        side.connection.onControlClosed();

        assertThat(Pattern.read(side.connection, 1000)).isEqualTo(Pattern.bytes(0, 100));
        assertThat(Pattern.read(side.connection, 1000)).isNull();
    }

    @Test
    void shouldSeeAResetWhenTheTotalOfAnExitNeverArrives() throws IOException {
        arrives(0, 100);
        side.connection.onControlExit(101);
        side.connection.onControlClosed();
        assertThat(Pattern.read(side.connection, 1000)).hasSize(100);
        assertThat(side.readable()).isFalse();
        side.thaw();

        await().until(side::readable);

        assertReset();
    }

    @Test
    void shouldIgnoreANegativeTotalOfAnExit() {
        side.connection.onControlExit(-1);
        side.connection.onControlClosed();

        assertReset();
    }

    // -- the link breaks ---------------------------------------------------------------------------------------------

    @Test
    void shouldBreakEveryConnectionOfAFailedEndpoint() throws IOException {
        try (OneSide other = side.another()) {
            other.connection.bind(other.group);
            other.connection.onPeerBound(side.peer.address(), 77);
            assertThat(side.worker().lanes()).as("they share an endpoint").hasSize(1);

            side.endpoint().fail(UcsStatus.ERR_ENDPOINT_TIMEOUT);
            side.worker().progress();

            for (Connection broken : List.of(side.connection, other.connection)) {
                assertThatThrownBy(() -> Pattern.read(broken, 1))
                        .isInstanceOf(SocketException.class)
                        .hasMessageContaining("ERR_ENDPOINT_TIMEOUT");
            }
            assertThat(side.control.isAborted()).isTrue();
            assertThat(other.control.isAborted()).isTrue();
            assertThat(side.worker().lanes()).isEmpty();
        }
    }

    /** A process that exits ends its endpoints and its control connection at once; which is heard of first is chance. */
    @Test
    void shouldReadToTheEndWhereTheEndpointBreaksBecauseThePeerIsDone() throws IOException {
        arrives(0, 100);
        side.settle();
        side.control.holdConfirmations();
        side.endpoint().fail(UcsStatus.ERR_ENDPOINT_TIMEOUT);
        side.settle();
        side.connection.onControlExit(100);
        side.control.confirmNow();
        side.connection.onControlClosed();

        assertThat(Pattern.read(side.connection, 1000)).isEqualTo(Pattern.bytes(0, 100));
        assertThat(Pattern.read(side.connection, 1000)).isNull();
    }

    @Test
    void shouldOpenANewEndpointInPlaceOfABrokenOne() throws IOException {
        side.endpoint().fail(UcsStatus.ERR_ENDPOINT_TIMEOUT);
        side.worker().progress();

        try (OneSide next = side.another()) {
            next.connection.bind(next.group);
            next.connection.onPeerBound(side.peer.address(), 78);
            Pattern.write(next.connection, 0, 10);
            side.settle();
            assertThat(side.peer.stream()).isEqualTo(Pattern.bytes(0, 10));
        }
    }

    @Test
    void shouldBreakWhenThePeersAddressCannotBeReachedForLong() throws IOException {
        try (OneSide other = side.another()) {
            other.connection.bind(other.group);
            other.faults.connectStatus = UcsStatus.ERR_UNREACHABLE;
            other.connection.onPeerBound(side.another().peer.address(), 5);
            assertThat(other.control.isAborted()).isFalse();
            side.thaw();

            await().until(other.control::isAborted);
            assertThatThrownBy(() -> Pattern.write(other.connection, 0, 1))
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("UNREACHABLE");
        }
    }

    @Test
    void shouldSendNothingBeforeThePeerIsKnownToBeThere() throws IOException {
        try (OneSide other = side.another().bind()) {
            other.control.holdConfirmations();
            other.attach();
            assertThat(other.write(0, 100)).isEqualTo(100);
            other.settle();
            assertThat(other.peer.received).isEmpty();

            other.control.confirmNow();
            other.settle();
            assertThat(other.peer.stream()).isEqualTo(Pattern.bytes(0, 100));
        }
    }

    /** Its worker may have been closed before the link was opened, and another one taken its place. */
    @Test
    void shouldSendNothingToAPeerThatSaidItsLastWordBeforeItWasKnownToBeThere() throws IOException {
        try (OneSide other = side.another().bind()) {
            other.control.holdConfirmations();
            other.attach();
            other.write(0, 100);
            other.connection.onControlFin(0);
            other.control.confirmNow();
            other.settle();
            other.connection.onControlClosed();
            other.settle();

            assertThat(other.peer.received).isEmpty();
            assertThat(other.worker().lanes())
                    .as("the link of another connection")
                    .hasSize(1);
        }
    }

    @Test
    void shouldTryAgainToReachThePeer() throws IOException {
        try (OneSide other = side.another()) {
            other.bindThawed();
            other.faults.connectStatus = UcsStatus.ERR_UNREACHABLE;
            other.attach();
            assertThat(other.write(0, 100)).isEqualTo(100);
            other.faults.clear();
            side.thaw();

            await().until(() -> {
                other.peer.progress();
                return other.peer.stream().length == 100;
            });
        }
    }

    @Test
    void shouldReadToTheEndWhatAPeerSentThatCannotBeReachedAnyMore() throws IOException {
        try (OneSide other = side.another().bind()) {
            other.faults.connectStatus = UcsStatus.ERR_UNREACHABLE;
            other.attach();
            other.peer.data(other.id(), 0, Pattern.bytes(0, 100));
            other.peer.fin(other.id(), 100);
            other.settle();
            other.connection.onControlFin(100);
            other.connection.onControlClosed();

            assertThat(Pattern.read(other.connection, 1000)).isEqualTo(Pattern.bytes(0, 100));
            assertThat(Pattern.read(other.connection, 1000)).isNull();
        }
    }

    @Test
    void shouldIgnoreThatThePeerSaysTwiceWhereItReceives() throws IOException {
        side.connection.onPeerBound(side.another().peer.address(), 9);
        side.write(0, 10);
        side.settle();

        assertThat(side.peer.received(Frame.DATA))
                .extracting(RawPeer.Message::id)
                .containsExactly(OneSide.REMOTE_ID);
    }

    /** The control thread may have the worker's lock, and open the way, at the very moment of the reset. */
    @Test
    void shouldEndAsItWasAskedToThoughTheWayOpensMeanwhile() throws Exception {
        try (TwoSides sides = TwoSides.open()) {
            sides.left.bind();
            sides.right.bind();
            TransportWorker worker = sides.left.worker();
            Thread resetting = new Thread(sides.left.connection::reset);
            worker.lock();
            try {
                resetting.start();
                await().until(() -> resetting.getState() == Thread.State.WAITING);
                sides.deliverControl();
                assertThat(sides.left.connection.linkReady()).isTrue();
            } finally {
                worker.unlock();
            }
            resetting.join();
            assertThat(sides.left.control.kinds()).doesNotContain(TestControl.Kind.FIN);
        }
    }
}
