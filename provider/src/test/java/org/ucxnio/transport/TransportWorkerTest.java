package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.config.Config;
import org.ucxnio.posix.Epoll;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.fake.FakeEndpoint;

/** A worker that connections share: its links, its sleep, its end. */
@Timeout(30)
class TransportWorkerTest {
    private static TwoSides open() throws IOException {
        return TwoSides.open(Processes.sharedStepped()).switched();
    }

    private static List<FakeEndpoint> endpoints(TwoSides sides) {
        return sides.left.fake().endpoints();
    }

    /** As a channel does it that is closed and has nothing unread. */
    private static void end(TwoSides sides) {
        for (TwoSides.Side side : List.of(sides.left, sides.right)) {
            side.sink.end(false);
            side.source.leave(false);
        }
        sides.move();
    }

    // -- links -------------------------------------------------------------------------------------------------------

    @Test
    void shouldShareOneEndpointAmongConnections() throws IOException {
        try (TwoSides first = open();
                TwoSides second = first.another().switched();
                TwoSides third = first.another().switched()) {
            assertThat(second.left.worker).isSameAs(first.left.worker);
            assertThat(third.right.worker).isSameAs(first.right.worker);
            assertThat(endpoints(first)).hasSize(1);
        }
    }

    @Test
    void shouldKeepAnEndpointForTheNextConnection() throws IOException {
        try (TwoSides first = open()) {
            FakeEndpoint endpoint = endpoints(first).get(0);
            end(first);

            try (TwoSides second = first.another().switched()) {
                assertThat(endpoints(second)).containsExactly(endpoint);
                Pattern.write(second.left.sink, 0, 10);
                second.move();
                assertThat(Pattern.read(second.right.source, 20)).hasSize(10);
            }
        }
    }

    @Test
    void shouldBreakEveryConnectionOfAFailedEndpoint() throws IOException {
        try (TwoSides first = open();
                TwoSides second = first.another().switched()) {
            first.faults.stall();
            Pattern.write(first.left.sink, 0, 30_000);
            FakeEndpoint endpoint = endpoints(first).get(0);
            endpoint.fail(UcsStatus.ERR_CONNECTION_RESET);
            first.settle();

            assertThat(endpoint.isClosed()).isTrue();
            assertThat(endpoints(first)).isEmpty();
            assertThat(first.left.worker.lanes()).isEmpty();
            for (TwoSides broken : List.of(first, second)) {
                assertThat(broken.left.carried.broken).hasValue(1);
                assertThatThrownBy(() -> Pattern.read(broken.left.source, 1))
                        .isInstanceOf(SocketException.class)
                        .hasMessageContaining("ERR_CONNECTION_RESET");
            }
        }
    }

    @Test
    void shouldOpenANewEndpointInPlaceOfABrokenOne() throws IOException {
        try (OneSide first = OneSide.open();
                OneSide second = first.another()) {
            second.switched();
            second.endpoint().fail(UcsStatus.ERR_ENDPOINT_TIMEOUT);
            second.worker.progressIfFree();

            // Bound before, and of another connection of the peer.
            first.switched();
            assertThat(first.write(0, 10)).isEqualTo(10);
            first.settle();

            assertThat(first.stream()).isEqualTo(Pattern.bytes(0, 10));
        }
    }

    @Test
    void shouldForgetAnUnusedEndpointThatBreaks() throws IOException {
        try (TwoSides first = open()) {
            FakeEndpoint endpoint = endpoints(first).get(0);
            end(first);
            endpoint.fail(UcsStatus.ERR_ENDPOINT_TIMEOUT);
            first.left.progress();

            assertThat(endpoint.isClosed()).isTrue();
            try (TwoSides second = first.another().switched()) {
                assertThat(endpoints(second)).hasSize(1).doesNotContain(endpoint);
            }
        }
    }

    @Test
    void shouldRefuseAPeerThatUcxCannotReach() throws IOException {
        try (OneSide side = OneSide.open()) {
            side.faults.connectStatus = UcsStatus.ERR_UNREACHABLE;

            assertThatThrownBy(side::join).isInstanceOf(IOException.class).hasMessageContaining("UNREACHABLE");

            side.faults.clear();
            side.join();
        }
    }

    @Test
    void shouldSendOnIdleLinksOnly() throws IOException {
        try (OneSide side = OneSide.open().switched()) {
            side.worker.tidy();
            side.settle();
            assertThat(nops(side)).as("the switch was sent").isZero();
            side.worker.tidy();
            side.settle();
            assertThat(nops(side)).isOne();

            side.write(0, 1);
            side.worker.tidy();
            side.settle();
            assertThat(nops(side)).isOne();

            side.worker.tidy();
            side.settle();
            assertThat(nops(side)).isEqualTo(2);
        }
    }

    private static long nops(OneSide side) {
        return side.peer.received(0).stream()
                .filter(message -> message.type() == Frame.NOP)
                .count();
    }

    /** UCX opens the peer's memory at the first long message, which must be while the peer is known to be there. */
    @Test
    void shouldSendOneLongMessageOverALinkAsSoonAsItIsOpen() throws IOException {
        try (OneSide first = OneSide.open();
                OneSide sameLink = first.another()) {
            first.settle();
            assertThat(first.peer.received).isEmpty();

            first.join();
            sameLink.join();
            first.settle();

            assertThat(first.peer.received)
                    .as("once for a link")
                    .singleElement()
                    .satisfies(message -> {
                        assertThat(message.type()).isEqualTo(Frame.NOP);
                        assertThat(message.id()).isZero();
                        assertThat(message.payload()).hasSize(512);
                    });
        }
    }

    @Test
    void shouldCloseAnUnusedLinkThatIsIdle() throws IOException {
        try (TwoSides sides = open()) {
            end(sides);
            sides.left.worker.tidy();
            assertThat(endpoints(sides)).as("used since the last look").hasSize(1);

            sides.left.worker.tidy();

            assertThat(endpoints(sides)).isEmpty();
        }
    }

    @Test
    void shouldCloseALinkThatNobodyIsToTakeOnlyOnceItIsAnswered() throws IOException {
        try (OneSide side = OneSide.open();
                OneSide next = side.another()) {
            side.faults.stall();
            side.join().hear().speak();
            FakeEndpoint endpoint = side.endpoint();
            // What has no meaning breaks the connection.
            side.send(99, 0);
            side.settle();
            assertThat(side.carried.broken).hasValue(1);

            next.join();
            side.worker.tidy();
            assertThat(side.fake().endpoints())
                    .as("each has its own")
                    .hasSize(2)
                    .contains(endpoint);

            side.faults.clear();
            side.settle();
            assertThat(endpoint.isClosed()).isTrue();
            assertThat(side.fake().endpoints()).hasSize(1);
        }
    }

    /** A worker of the peer's is closed only once it is answered. */
    @Test
    void shouldBeTakenInByThePollerWhileNoConnectionUsesIt() throws IOException {
        try (OneSide side = OneSide.open().switched()) {
            side.lane.free();
            side.processes.step();
            side.send(Frame.NOP, 0);

            side.processes.step();

            assertThat(side.fake().inboxSize()).isZero();
        }
    }

    // -- sleeping ----------------------------------------------------------------------------------------------------

    @Test
    void shouldSayThatItIsArmedOnlyWhenEverythingIsTakenIn() throws IOException {
        try (TwoSides sides = open()) {
            Pattern.write(sides.left.sink, 0, 100_000);

            assertThat(sides.right.worker.events().arm()).isTrue();

            assertThat(sides.right.source.isReadable()).isTrue();
            assertThat(sides.right.fake().inboxSize()).isZero();
        }
    }

    @Test
    void shouldMakeItsDescriptorReadableWhenSomethingComesWhileItIsArmed() throws IOException {
        try (TwoSides sides = open();
                Epoll epoll = Processes.posix().openEpoll()) {
            assertThat(sides.right.worker.events().watch(epoll, 42)).isTrue();
            assertThat(sides.right.worker.events().arm()).isTrue();
            assertThat(epoll.await(0)).isZero();

            Pattern.write(sides.left.sink, 0, 1);

            assertThat(epoll.await(1000)).isEqualTo(1);
            assertThat(epoll.data(0)).isEqualTo(42);
            assertThat(sides.right.worker.events().arm()).isTrue();
            assertThat(epoll.await(0)).isZero();
            sides.right.worker.events().unwatch(epoll);
        }
    }

    @Test
    void shouldNotBeWatchedByAnybodyOnceItIsClosed() throws IOException {
        try (TwoSides sides = open();
                Epoll epoll = Processes.posix().openEpoll()) {
            TransportWorker worker = sides.right.worker;
            worker.events().watch(epoll, 1);
            worker.dispose();

            assertThat(worker.events().watch(epoll, 1)).isFalse();
            assertThat(worker.events().arm()).isTrue();
            assertThat(worker.progressIfFree()).isFalse();
            assertThat(epoll.await(0)).isZero();
        }
    }

    /** Nobody else takes in what comes for threads of the application that sleep in the kernel. */
    @Test
    void shouldBeTakenInByThePollerForAsLongAsItIsHandedOver() throws IOException {
        try (TwoSides sides = open()) {
            assertThat(sides.right.worker.events().handToPoller()).isTrue();
            sides.right.carried.signals.set(0);
            Pattern.write(sides.left.sink, 0, 10);
            sides.processes.step();

            assertThat(sides.right.source.isReadable()).isTrue();
            assertThat(sides.right.carried.signals).hasPositiveValue();

            sides.right.worker.events().handBack();
            Pattern.read(sides.right.source, 10);
            Pattern.write(sides.left.sink, 10, 10);
            // The first event finds that nobody waits.
            sides.processes.step();
            sides.processes.step();
            assertThat(sides.right.source.isReadable()).isFalse();
        }
    }

    // -- errors ------------------------------------------------------------------------------------------------------

    /** A listener is code of others, and memory may run out anywhere. */
    @Test
    void shouldBreakOnlyTheConnectionThatBringsAboutAnError() throws IOException {
        try (TwoSides first = open();
                TwoSides second = first.another().switched()) {
            AtomicBoolean thrown = new AtomicBoolean();
            first.right.carried.onReady = () -> {
                if (!thrown.getAndSet(true)) {
                    throw new OutOfMemoryError("on purpose");
                }
            };
            Pattern.write(first.left.sink, 0, 10);
            Pattern.write(second.left.sink, 0, 10);
            first.settle();

            assertThat(first.right.carried.broken).hasValue(1);
            assertThat(second.right.carried.broken).hasValue(0);
            assertThat(Pattern.read(second.right.source, 20)).hasSize(10);
        }
    }

    @Test
    void shouldBeGivenUpWhenItThrowsInThePoller() throws IOException {
        Processes processes = Processes.freshStepped();
        try (TwoSides sides = TwoSides.open(processes).switched()) {
            sides.faults.stall();
            sides.faults.broken = sides.left.fake();
            sides.left.worker.lock();
            try {
                // Without a progress of our own.
                sides.left.worker.events().attendIfPending();
                processes.left.poller().attend(sides.left.worker.events());
            } finally {
                sides.left.worker.unlock();
            }
            processes.step();
            processes.step();

            assertThat(sides.faults.thrown.get()).isOne();
            assertThat(sides.left.worker.isClosed()).isTrue();
            assertThat(sides.left.carried.broken).hasValue(1);
            assertThatThrownBy(() -> Pattern.read(sides.left.source, 1)).isInstanceOf(SocketException.class);
            assertThatThrownBy(() -> Pattern.write(sides.left.sink, 0, 1)).isInstanceOf(SocketException.class);
        }
        assertThat(processes.left.bytesSent()).isZero();
    }

    // -- the end -----------------------------------------------------------------------------------------------------

    /** What a killed sender left half-written would keep the worker busy for ever. */
    @Test
    void shouldBeRetiredWhenAllItsConnectionsHaveBroken() throws IOException {
        Processes processes = Processes.freshStepped();
        OneSide first = OneSide.open(processes).switched();
        OneSide second = first.another().switched();
        TransportWorker worker = first.worker;
        first.send(15, 0);
        first.settle();
        try (OneSide next = first.another()) {
            assertThat(next.worker).as("one still works").isSameAs(worker);
        }
        second.send(15, 0);
        second.settle();

        OneSide next = first.another();
        assertThat(next.worker).as("a new one").isNotSameAs(worker);
        assertThat(worker.isClosed())
                .as("a peer may be about to open its memory")
                .isFalse();
        await().until(() -> {
            processes.step();
            return worker.isClosed();
        });
        assertThat(next.worker.isClosed()).isFalse();
        // What had come before can be read still.
        assertThat(worker.slices().bytes()).isPositive();
        first.lane.free();
        second.lane.free();
        assertThat(worker.slices().bytes()).isZero();
        next.lane.free();
        first.close();
    }

    /** One that broke and has gone counts no more. */
    @Test
    void shouldNotBeRetiredWhileAConnectionWorks() throws IOException {
        try (OneSide first = OneSide.open().switched();
                OneSide second = first.another().switched();
                OneSide third = first.another().switched()) {
            second.send(15, 0);
            second.settle();
            second.lane.free();
            first.send(15, 0);
            first.settle();

            try (OneSide next = first.another()) {
                assertThat(next.worker).isSameAs(third.worker);
            }
            assertThat(third.write(0, 10)).isEqualTo(10);
        }
    }

    @Test
    void shouldReadFromARetiredWorkerWhatCameBefore() throws IOException {
        Processes processes = Processes.freshStepped();
        try (OneSide side = OneSide.open(processes).switched()) {
            side.arrives(0, 5000);
            side.send(15, 0);
            side.settle();
            await().until(() -> {
                processes.step();
                return side.worker.isClosed();
            });

            assertThat(side.source.available()).isEqualTo(5000);
            assertThat(side.read(10_000)).isEqualTo(Pattern.bytes(0, 5000));
            assertThatThrownBy(() -> side.read(1)).isInstanceOf(SocketException.class);
            assertThatThrownBy(() -> side.write(0, 1)).isInstanceOf(SocketException.class);
            assertThat(side.source.arm(0)).isFalse();
            side.source.disarm();
            side.sink.end(false);
            side.source.leave(false);
            assertThat(side.worker.slices().bytes()).isZero();
        }
    }

    @Test
    void shouldCountBytesThatAWorkerThatIsGoneMoved() throws IOException {
        Processes processes = Processes.freshStepped();
        try (TwoSides sides = TwoSides.open(processes).switched()) {
            Pattern.write(sides.left.sink, 0, 5000);
            sides.move();
            assertThat(processes.left.bytesSent()).isEqualTo(5000);
            assertThat(processes.right.bytesReceived()).isEqualTo(5000);
        }
        await().until(() -> {
            processes.step();
            return processes.ucx.workers().isEmpty();
        });
        assertThat(processes.left.bytesSent()).isEqualTo(5000);
        assertThat(processes.right.bytesReceived()).isEqualTo(5000);
    }

    // -- over a network ----------------------------------------------------------------------------------------------

    /** What UCX has in a buffer of its own leaves with the progress that nobody else makes. */
    @Test
    void shouldGoOnBeingProgressedAfterAnErrorWhereItHasSentOverANetwork() throws IOException {
        Processes processes = Processes.freshStepped(Config.TRUST, "10.0.0.0/8");
        try (OneSide side = OneSide.far(processes).switched()) {
            side.faults.broken = side.fake();
            await().until(() -> {
                processes.step();
                return side.faults.thrown.get() > 2 || side.worker.isClosed();
            });
            assertThat(side.worker.isClosed()).isFalse();
            side.faults.clear();

            long before = side.worker.progressCount();
            await().until(() -> {
                processes.step();
                return side.worker.progressCount() > before + 2;
            });
        }
    }
}
