package org.ucxnio.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The first connections between two processes: what they need is loaded first, then one moves, then more and more. */
class SlowStartTest extends SessionFixture {
    private static final Timing NEVER =
            timing(QUICK.patienceNanos(), TimeUnit.HOURS.toNanos(1), TimeUnit.HOURS.toNanos(1));

    /** A note of a ring's bond: a thread would sleep on a word. */
    private static final int FUTEX_WANTED = -1;

    private static Timing timing(long patienceNanos, long steadyStepNanos, long slowStepNanos) {
        return new Timing(
                QUICK.helloNanos(),
                patienceNanos,
                QUICK.firstDelayNanos(),
                QUICK.longestDelayNanos(),
                QUICK.firstNameNanos(),
                QUICK.longestNameNanos(),
                QUICK.lingerNanos(),
                QUICK.idleNanos(),
                steadyStepNanos,
                slowStepNanos);
    }

    @Test
    void shouldHaveThePeerPrepareBeforeItIsAsked() throws Exception {
        try (ServerSocketChannel server = fakeServer()) {
            process().request(connection(LISTENER), Pace.STEADILY);
            try (RawSession session = RawSession.accept(server).greet()) {
                assertThat(session.expect(Protocol.NOTE).getInt()).isEqualTo(FUTEX_WANTED);
                session.expect(Protocol.PAIR);
            }
        }
    }

    @Test
    void shouldPrepareNoSleepForThoseWhoDoNotSleep() throws Exception {
        FakeMovable end = connection(LISTENER);
        end.sleepers = false;
        try (ServerSocketChannel server = fakeServer()) {
            process().request(end, Pace.STEADILY);
            try (RawSession session = RawSession.accept(server).greet()) {
                assertThat(session.notesBefore(Protocol.PAIR)).doesNotContain(FUTEX_WANTED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"STEADILY", "SLOWLY"})
    void shouldLeaveThemWithTcpUntilTheirNeedsAreLoaded(Pace pace) {
        Pairings server = listening(LISTENER);
        Pairings client = process(MEMORY, NEVER);
        FakeMovable end = connection(LISTENER);
        server.accepted(end.mirrored());

        client.request(end, pace);

        eventually().until(() -> client.openSessions() == 1);
        expectStillWorking(process(), server);
        assertThat(end.events).isEmpty();
    }

    /** One at the second step, and at each that follows four times as many as there are by then. */
    @ParameterizedTest
    @EnumSource(names = {"STEADILY", "SLOWLY"})
    void shouldMoveMoreAndMore(Pace pace) {
        Pairings server = listening(LISTENER);
        Pairings client = process();
        List<FakeMovable> ends = new ArrayList<>();
        Map<FakeMovable, Long> asked = new ConcurrentHashMap<>();
        for (int i = 0; i < 20; i++) {
            FakeMovable end = connection(LISTENER);
            end.atIsEstablished = () -> asked.putIfAbsent(end, System.nanoTime());
            server.accepted(end.mirrored());
            ends.add(end);
        }

        long start = System.nanoTime();
        ends.forEach(end -> client.request(end, pace));

        ends.forEach(end -> expectEvents(end, "hear", "speak"));
        long step = pace == Pace.SLOWLY ? QUICK.slowStepNanos() : QUICK.steadyStepNanos();
        assertThat(asked.get(ends.get(0)) - start).isGreaterThanOrEqualTo(2 * step);
        for (int first : new int[] {1, 4, 16}) {
            assertThat(asked.get(ends.get(first)) - asked.get(ends.get(first - 1)))
                    .as("between number %d and the next", first)
                    .isGreaterThanOrEqualTo(step);
        }
    }

    @Test
    void shouldNotHoldUpThoseThatMoveAtOnce() {
        Pairings server = listening(LISTENER);
        expectStillWorking(process(MEMORY, NEVER), server);
    }

    /** The server does not know it yet when it is asked at last, which is later than anybody would have waited for. It is asked again at once. */
    @Test
    void shouldHavePatienceFromWhenItAsks() {
        Pairings server = listening(LISTENER);
        long patience = QUICK.patienceNanos() / 4;
        long step = 3 * patience;
        Pairings client = process(MEMORY, timing(patience, step, step));
        List<Long> asked = new CopyOnWriteArrayList<>();
        FakeMovable end = connection(LISTENER);
        end.atIsEstablished = () -> {
            asked.add(System.nanoTime());
            if (asked.size() == 2) {
                server.accepted(end.mirrored());
            }
        };

        client.request(end, Pace.STEADILY);

        expectEvents(end, "hear", "speak");
        assertThat(asked.get(1) - asked.get(0)).isLessThan(step);
    }
}
