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

    @Test
    void shouldTellThePeerHowLongTheStreamIs() throws IOException {
        Processes processes = Processes.fresh(SETTINGS);
        try (OneSide side = OneSide.open(processes).bind().attach()) {
            side.write(0, 1000);
            side.faults.stall();
            side.write(1000, 1000);
            side.faults.clear();

            processes.left.flushForExit();
            side.settle();

            assertThat(side.control.last(TestControl.Kind.EXIT).value()).isEqualTo(2000);
            assertThat(side.peer.stream()).isEqualTo(Pattern.bytes(0, 2000));
        }
    }

    @Test
    void shouldTellPeersOfConnectionsThatWereNeverUsed() throws IOException {
        Processes processes = Processes.fresh(SETTINGS);
        try (OneSide side = OneSide.open(processes)) {
            processes.left.flushForExit();

            assertThat(side.control.kinds()).containsExactly(TestControl.Kind.EXIT);
            assertThat(side.control.last(TestControl.Kind.EXIT).value()).isZero();
        }
    }

    @Test
    void shouldSendOverTheControlConnectionWhatHasNoOtherWay() throws IOException {
        Processes processes = Processes.fresh(SETTINGS);
        try (OneSide side = OneSide.open(processes).bind()) {
            side.write(0, 1000);

            processes.left.flushForExit();

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

            processes.left.flushForExit();

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

            processes.left.flushForExit();

            assertThat(stuck.control.count(TestControl.Kind.EXIT)).isEqualTo(1);
            assertThat(idle.control.count(TestControl.Kind.EXIT)).isEqualTo(1);
        }
    }

    @Test
    void shouldLeaveClosedConnectionsAlone() throws IOException {
        Processes processes = Processes.fresh(SETTINGS);
        try (OneSide side = OneSide.open(processes).bind().attach()) {
            side.connection.close();
            side.settle();

            processes.left.flushForExit();

            assertThat(side.control.count(TestControl.Kind.EXIT)).isZero();
        }
    }
}
