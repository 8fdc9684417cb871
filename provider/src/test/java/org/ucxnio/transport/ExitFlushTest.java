package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.config.Config;

/** What the exit of the JVM still does for open connections. */
@Timeout(30)
class ExitFlushTest {
    private static final String[] SETTINGS = {Config.EXIT_FLUSH, "100ms"};

    private static void flushForExit(Transport transport) {
        transport.flushForExit(System.nanoTime() + transport.config().exitFlushNanos());
    }

    @Test
    void shouldTellThePeerHowLongTheStreamIs() throws IOException {
        Processes processes = Processes.fresh(SETTINGS);
        try (OneSide side = OneSide.open(processes).bind().attach()) {
            side.write(0, 1000);
            side.faults.stall();
            side.write(1000, 1000);
            side.faults.clear();

            flushForExit(processes.left);
            side.settle();

            assertThat(side.control.last(TestControl.Kind.EXIT).value()).isEqualTo(2000);
            assertThat(side.peer.stream()).isEqualTo(Pattern.bytes(0, 2000));
        }
    }

    @Test
    void shouldTellPeersOfConnectionsThatWereNeverUsed() throws IOException {
        Processes processes = Processes.fresh(SETTINGS);
        try (OneSide side = OneSide.open(processes)) {
            flushForExit(processes.left);

            assertThat(side.control.kinds()).containsExactly(TestControl.Kind.EXIT);
            assertThat(side.control.last(TestControl.Kind.EXIT).value()).isZero();
        }
    }

    @Test
    void shouldSendOverTheControlConnectionWhatHasNoOtherWay() throws IOException {
        Processes processes = Processes.fresh(SETTINGS);
        try (OneSide side = OneSide.open(processes).bind()) {
            side.write(0, 1000);

            flushForExit(processes.left);

            assertThat(side.control.kinds())
                    .containsExactly(TestControl.Kind.BOUND, TestControl.Kind.DATA, TestControl.Kind.EXIT);
            assertThat(side.control.last(TestControl.Kind.DATA).bytes()).isEqualTo(Pattern.bytes(0, 1000));
            assertThat(side.control.last(TestControl.Kind.EXIT).value()).isEqualTo(1000);
        }
    }

    @Test
    void shouldNotWaitLongerThanItMay() throws IOException {
        Processes processes = Processes.fresh(SETTINGS);
        try (OneSide side = OneSide.open(processes).bind().attach()) {
            side.faults.stall();
            side.write(0, 1000);
            long start = System.nanoTime();

            flushForExit(processes.left);

            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            assertThat(millis).isBetween(99L, 5000L);
            assertThat(side.control.last(TestControl.Kind.EXIT).value()).isEqualTo(1000);
        }
    }

    /** While one connection is waited for, the others must not repeat themselves. */
    @Test
    void shouldTellEachPeerOnce() throws IOException {
        Processes processes = Processes.fresh(SETTINGS);
        try (OneSide stuck = OneSide.open(processes).bind().attach();
                OneSide idle = OneSide.open(processes)) {
            stuck.faults.stall();
            stuck.write(0, 1000);

            flushForExit(processes.left);

            assertThat(stuck.control.count(TestControl.Kind.EXIT)).isEqualTo(1);
            assertThat(idle.control.count(TestControl.Kind.EXIT)).isEqualTo(1);
        }
    }

    /** Over a network what UCX calls sent may still be here. */
    @Test
    void shouldWaitUntilUcxHasSentWhatItTookForANetwork() throws IOException {
        Processes processes = Processes.fresh(Config.TRUST, "10.0.0.0/8");
        Connection connection = OverNetwork.bound(processes);
        processes.faults.holdFlush = true;
        long start = System.nanoTime();
        processes.left.flushForExit(start + TimeUnit.MILLISECONDS.toNanos(100));
        assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(99));
        processes.faults.clear();
        processes.left.flushForExit(System.nanoTime() + TimeUnit.HOURS.toNanos(1));
        connection.reset();
    }

    @Test
    void shouldLeaveClosedConnectionsAlone() throws IOException {
        Processes processes = Processes.fresh(SETTINGS);
        try (OneSide side = OneSide.open(processes).bind().attach()) {
            side.connection.close();
            side.settle();

            flushForExit(processes.left);

            assertThat(side.control.count(TestControl.Kind.EXIT)).isZero();
        }
    }
}
