package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.posix.Epoll;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.fake.FakeEndpoint;
import org.ucxnio.ucx.fake.FakeWorker;

@Timeout(30)
class TransportWorkerTest {
    private static FakeWorker fake(TwoSides.Side side, Processes processes) {
        return processes.ucx.workers().stream()
                .filter(worker -> Arrays.equals(worker.address(), side.worker().address()))
                .findFirst()
                .orElseThrow();
    }

    private static List<FakeEndpoint> endpoints(TwoSides sides) {
        return fake(sides.left, sides.processes).endpoints();
    }

    @Test
    void shouldShareOneEndpointAmongConnections() throws IOException {
        try (TwoSides first = TwoSides.open().bound();
                TwoSides second = first.another().bound();
                TwoSides third = first.another().bound()) {
            assertThat(second.left.worker()).isSameAs(first.left.worker());
            assertThat(third.right.worker()).isSameAs(first.right.worker());
            assertThat(endpoints(first)).hasSize(1);
        }
    }

    @Test
    void shouldKeepAnEndpointForTheNextConnection() throws IOException {
        try (TwoSides first = TwoSides.open().bound()) {
            FakeEndpoint endpoint = endpoints(first).get(0);
            first.left.connection.close();
            first.right.connection.close();
            first.settle();

            try (TwoSides second = first.another().bound()) {
                assertThat(endpoints(second)).containsExactly(endpoint);
                Pattern.write(second.left.connection, 0, 10);
                second.settle();
                assertThat(Pattern.read(second.right.connection, 20)).hasSize(10);
            }
        }
    }

    @Test
    void shouldOnlyBreakTheConnectionThatWasReset() throws IOException {
        try (TwoSides first = TwoSides.open().frozen();
                TwoSides second = first.another().bound()) {
            first.faults.stall();
            Pattern.write(first.left.connection, 0, 30_000);
            Pattern.write(second.left.connection, 0, 30_000);
            first.left.connection.reset();
            first.faults.clear();
            first.settle();
            second.settle();

            assertThat(Pattern.read(second.right.connection, 50_000)).isEqualTo(Pattern.bytes(0, 30_000));
            assertThat(endpoints(second)).hasSize(1);
        }
    }

    @Test
    void shouldCloseABrokenEndpointOnce() throws IOException {
        try (TwoSides first = TwoSides.open().frozen();
                TwoSides second = first.another().bound()) {
            first.faults.stall();
            Pattern.write(first.left.connection, 0, 30_000);
            FakeEndpoint endpoint = endpoints(first).get(0);
            endpoint.fail(UcsStatus.ERR_CONNECTION_RESET);
            first.left.worker().progress();

            assertThat(endpoint.isClosed()).isTrue();
            assertThat(endpoints(first)).isEmpty();
            assertThat(first.left.control.isAborted()).isTrue();
            assertThat(second.left.control.isAborted()).isTrue();
        }
    }

    @Test
    void shouldForgetAnUnusedEndpointThatBreaks() throws IOException {
        try (TwoSides first = TwoSides.open().bound()) {
            FakeEndpoint endpoint = endpoints(first).get(0);
            first.left.connection.close();
            first.right.connection.close();
            first.settle();
            endpoint.fail(UcsStatus.ERR_ENDPOINT_TIMEOUT);
            TwoSides.progress(first.left);

            assertThat(endpoint.isClosed()).isTrue();
            try (TwoSides second = first.another().bound()) {
                assertThat(endpoints(second)).hasSize(1).doesNotContain(endpoint);
            }
        }
    }

    @Test
    void shouldSayThatItIsArmedOnlyWhenEverythingIsTakenIn() throws IOException {
        try (TwoSides sides = TwoSides.open().frozen()) {
            Pattern.write(sides.left.connection, 0, 100_000);

            assertThat(sides.right.worker().arm()).isTrue();

            assertThat(sides.right.connection.readyOps() & 1).isEqualTo(1);
            assertThat(fake(sides.right, sides.processes).inboxSize()).isZero();
        }
    }

    @Test
    void shouldMakeItsDescriptorReadableWhenSomethingComesWhileItIsArmed() throws IOException {
        try (TwoSides sides = TwoSides.open().frozen();
                Epoll epoll = Processes.posix().openEpoll()) {
            assertThat(sides.right.worker().watch(epoll, 42)).isTrue();
            assertThat(sides.right.worker().arm()).isTrue();
            assertThat(epoll.await(0)).isZero();

            Pattern.write(sides.left.connection, 0, 1);

            assertThat(epoll.await(1000)).isEqualTo(1);
            assertThat(epoll.data(0)).isEqualTo(42);
            assertThat(sides.right.worker().arm()).isTrue();
            assertThat(epoll.await(0)).isZero();
            sides.right.worker().unwatch(epoll);
        }
    }

    @Test
    void shouldNotBeWatchedByAnybodyOnceItIsClosed() throws IOException {
        try (TwoSides sides = TwoSides.open().bound();
                Epoll epoll = Processes.posix().openEpoll()) {
            TransportWorker worker = sides.right.worker();
            worker.watch(epoll, 1);
            worker.dispose();

            assertThat(worker.watch(epoll, 1)).isFalse();
            assertThat(worker.arm()).isTrue();
            assertThat(worker.progressIfFree()).isFalse();
            assertThat(epoll.await(0)).isZero();
        }
    }

    @Test
    void shouldBeProgressedByThePollerWhileItHasSomethingToSend() throws IOException {
        try (TwoSides sides = TwoSides.open().bound()) {
            sides.faults.stall();
            Pattern.write(sides.left.connection, 0, 50_000);
            sides.faults.clear();

            await().until(() -> {
                TwoSides.progress(sides.right);
                return sides.right.connection.available() == 50_000;
            });
        }
    }

    @Test
    void shouldSendOnIdleLinksOnly() throws IOException {
        try (OneSide side = OneSide.bound()) {
            side.worker().tidy();
            side.settle();
            assertThat(side.peer.received).extracting(RawPeer.Message::type).containsExactly(Frame.NOP);

            side.write(0, 1);
            side.worker().tidy();
            side.settle();
            assertThat(side.peer.received(Frame.NOP)).hasSize(1);

            side.worker().tidy();
            side.settle();
            assertThat(side.peer.received(Frame.NOP)).hasSize(2);
        }
    }

    /** UCX opens the peer's memory at the first long message, which must be while the peer is known to be there. */
    @Test
    void shouldSendOneLongMessageOverEachLinkAsSoonAsItIsConfirmed() throws IOException {
        try (OneSide first = OneSide.open().bind();
                OneSide sameWorker = first.another().bind();
                OneSide otherWorker = first.another().bind()) {
            first.control.holdConfirmations();
            first.attach();
            first.settle();
            assertThat(first.peer.received).as("nobody knows whose it is").isEmpty();

            first.control.confirmNow();
            first.settle();
            assertThat(first.peer.received).singleElement().satisfies(message -> {
                assertThat(message.type()).isEqualTo(Frame.NOP);
                assertThat(message.id()).isZero();
                assertThat(message.payload()).hasSize(512);
            });

            sameWorker.connection.onPeerBound(first.peer.address(), OneSide.REMOTE_ID + 1);
            otherWorker.attach();
            first.settle();
            otherWorker.settle();
            assertThat(first.peer.received).as("once for a link").hasSize(1);
            assertThat(otherWorker.peer.received)
                    .as("and for each link")
                    .singleElement()
                    .satisfies(message -> assertThat(message.payload()).hasSize(512));
        }
    }

    @Test
    void shouldTakeNoNoticeOfANop() throws IOException {
        try (OneSide side = OneSide.bound()) {
            side.peer.send(0, Frame.NOP, 0, 0);
            side.settle();

            assertThat(side.readable()).isFalse();
            assertThat(side.control.isAborted()).isFalse();
        }
    }

    /** A listener is code of others, and memory may run out anywhere. */
    @Test
    void shouldBreakOnlyTheConnectionThatBringsAboutAnError() throws IOException {
        try (TwoSides first = TwoSides.open().frozen();
                TwoSides second = first.another().bound()) {
            AtomicBoolean thrown = new AtomicBoolean();
            first.right.connection.setListener(() -> {
                if (!thrown.getAndSet(true)) {
                    throw new OutOfMemoryError("on purpose");
                }
            });
            Pattern.write(first.left.connection, 0, 10);
            Pattern.write(second.left.connection, 0, 10);
            first.settle();

            assertThat(first.right.connection.isFailed()).isTrue();
            assertThat(Pattern.read(second.right.connection, 20)).hasSize(10);
        }
    }

    @Test
    void shouldBeGivenUpWhenItThrowsInThePoller() throws IOException {
        try (TwoSides sides = TwoSides.open(Processes.fresh()).bound()) {
            sides.faults.stall();
            sides.faults.broken = fake(sides.left, sides.processes);
            Pattern.write(sides.left.connection, 0, 10);

            await().until(() -> sides.left.worker().isClosed());
            assertThat(sides.faults.thrown.get()).isOne();
            assertThat(sides.left.connection.isFailed()).isTrue();
        }
    }

    @Test
    void shouldCountBytesThatAWorkerThatIsGoneMoved() throws IOException {
        Processes processes = Processes.fresh();
        try (TwoSides sides = TwoSides.open(processes).frozen()) {
            Pattern.write(sides.left.connection, 0, 5000);
            sides.settle();
            assertThat(processes.left.bytesSent()).isEqualTo(5000);
            assertThat(processes.right.bytesReceived()).isEqualTo(5000);
        }
        await().atMost(5, TimeUnit.SECONDS).until(() -> processes.ucx.workers().isEmpty());
        assertThat(processes.left.bytesSent()).isEqualTo(5000);
        assertThat(processes.right.bytesReceived()).isEqualTo(5000);
    }
}
