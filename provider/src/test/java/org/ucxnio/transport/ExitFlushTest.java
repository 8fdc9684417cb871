package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.config.Config;

/** What the exit of the JVM still does for open connections. */
@Timeout(30)
class ExitFlushTest {
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Processes processes = Processes.freshStepped();

    private void flushForExit() {
        processes.left.flushForExit(System.nanoTime() + TimeUnit.SECONDS.toNanos(20));
    }

    /** For those that wait in vain; returns how long it took. */
    private long flushInVain() {
        long start = System.nanoTime();
        processes.left.flushForExit(start + SHORT_NANOS);
        return System.nanoTime() - start;
    }

    @Test
    void shouldTellThePeerHowLongTheStreamIsBehindItsLastByte() throws IOException {
        try (OneSide side = OneSide.open(processes).switched()) {
            side.write(0, 1000);
            side.faults.stall();
            side.write(1000, 1000);
            side.faults.clear();

            flushForExit();
            side.settle();

            assertThat(side.stream()).isEqualTo(Pattern.bytes(0, 2000));
            assertThat(side.types()).containsExactly(Frame.DATA, Frame.DATA, Frame.EXIT);
            assertThat(side.got(Frame.EXIT).get(0).position()).isEqualTo(2000);
        }
    }

    /** Nobody takes from the peer's queue while the process exits but the peer itself. */
    @Test
    void shouldWaitUntilThePeerTakesWhatIsPending() throws Exception {
        try (OneSide side = OneSide.open(processes).switched()) {
            for (int i = 0; i < 3 * Processes.FIFO; i++) {
                side.write(i * 10L, 10);
            }
            assertThat(side.endpoint().pendingSends()).isPositive();

            long before = side.worker.progressCount();
            CompletableFuture<Void> exit = CompletableFuture.runAsync(this::flushForExit);
            await().until(() -> side.worker.progressCount() > before + 2);
            while (!exit.isDone()) {
                side.peer.progress();
            }
            exit.get();
            side.settle();

            assertThat(side.stream()).isEqualTo(Pattern.bytes(0, 30 * Processes.FIFO));
            assertThat(side.got(Frame.EXIT)).hasSize(1);
            assertThat(side.types()).as("the last word").last().isEqualTo(Frame.EXIT);
        }
    }

    @Test
    void shouldWaitForTheAnswerToASwitch() throws Exception {
        try (OneSide side = OneSide.open(processes).paired()) {
            side.sink.switchAt(0);
            side.write(0, 10);

            assertThat(flushInVain()).as("the peer may not know where to read").isGreaterThanOrEqualTo(SHORT_NANOS);

            side.send(Frame.SWITCHED, 0);
            flushForExit();
            side.settle();
            assertThat(side.got(Frame.EXIT).get(0).position()).isEqualTo(10);
        }
    }

    @Test
    void shouldSayNothingOfAStreamThatTcpCarries() throws IOException {
        try (OneSide open = OneSide.open(processes);
                OneSide joined = open.another();
                OneSide paired = open.another()) {
            joined.join();
            paired.paired();

            flushForExit();
            paired.settle();

            assertThat(paired.types()).isEmpty();
            assertThat(joined.types()).isEmpty();
        }
    }

    @Test
    void shouldNotWaitLongerThanItMay() throws IOException {
        try (OneSide side = OneSide.open(processes).switched()) {
            side.faults.stall();
            side.write(0, 1000);

            assertThat(flushInVain()).isGreaterThanOrEqualTo(SHORT_NANOS);

            side.faults.clear();
            side.settle();
            assertThat(side.got(Frame.EXIT).get(0).position()).isEqualTo(1000);
        }
    }

    /** While one connection is waited for, the others must not repeat themselves. */
    @Test
    void shouldTellEachPeerOnce() throws IOException {
        try (OneSide stuck = OneSide.open(processes).switched();
                OneSide idle = OneSide.open(processes).switched()) {
            stuck.faults.stall();
            stuck.write(0, 1000);
            flushInVain();
            stuck.faults.clear();
            stuck.settle();
            idle.settle();

            assertThat(stuck.got(Frame.EXIT)).hasSize(1);
            assertThat(idle.got(Frame.EXIT)).hasSize(1);
        }
    }

    /** Shutdown hooks of the application may write still, and those of others may have been faster. */
    @Test
    void shouldSayAnewWhereTheStreamEndsWhenMoreIsWritten() throws IOException {
        try (OneSide side = OneSide.open(processes).switched()) {
            side.write(0, 10);
            flushForExit();
            side.write(10, 10);
            side.faults.stall();
            side.write(20, 10);
            side.faults.clear();
            side.settle();

            assertThat(side.stream()).hasSize(30);
            assertThat(side.got(Frame.EXIT).get(side.got(Frame.EXIT).size() - 1).position())
                    .isEqualTo(30);
        }
    }

    @Test
    void shouldSendTheEndOfAStreamThatHasEnded() throws IOException {
        try (OneSide side = OneSide.open(processes).switched()) {
            side.faults.stall();
            side.write(0, 1000);
            side.sink.end(false);
            side.faults.clear();

            flushForExit();
            side.settle();

            assertThat(side.types()).containsExactly(Frame.DATA, Frame.FIN);
        }
    }

    @Test
    void shouldNotWaitForConnectionsThatAreBrokenOrClosed() throws IOException {
        try (OneSide closed = OneSide.open(processes).switched();
                OneSide broken = closed.another().switched()) {
            closed.sink.end(false);
            closed.source.leave(false);
            broken.send(15, 0);
            broken.settle();
            closed.peer.received.clear();

            flushForExit();
            broken.settle();

            assertThat(closed.types()).isEmpty();
            assertThat(broken.types()).isEmpty();
        }
    }

    /** Over a network what UCX calls sent may still be here. */
    @Test
    void shouldWaitUntilUcxHasSentWhatItTookForANetwork() throws IOException {
        Processes far = Processes.freshStepped(Config.TRUST, "10.0.0.0/8");
        try (OneSide side = OneSide.far(far).switched()) {
            side.write(0, 10);
            far.faults.holdFlush = true;
            long start = System.nanoTime();
            far.left.flushForExit(start + SHORT_NANOS);
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SHORT_NANOS);

            far.faults.clear();
            far.left.flushForExit(System.nanoTime() + TimeUnit.HOURS.toNanos(1));
        }
    }
}
