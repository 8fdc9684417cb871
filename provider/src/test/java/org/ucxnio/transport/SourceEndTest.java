package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.SocketException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.config.Config;

/** How what comes in ends: by the peer, with its socket, or as we read no more. */
@Timeout(30)
class SourceEndTest {
    private static final int WINDOW = 16 << 10;
    private static final long DRAIN_NANOS = 40_000_000;

    private OneSide side;

    @BeforeEach
    void open() throws IOException {
        side = OneSide.open(Config.WINDOW, "16k", Config.DRAIN, DRAIN_NANOS / 1_000_000 + "ms");
    }

    @AfterEach
    void close() {
        side.close();
    }

    private void assertReset() {
        assertThatThrownBy(() -> side.read(10))
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
    }

    // -- our input ---------------------------------------------------------------------------------------------------

    @Test
    void shouldTellTheEndOfStreamOnlyBehindTheLastByte() throws IOException {
        side.switched();
        side.arrives(0, 10);
        side.send(Frame.FIN, 10);
        side.settle();

        assertThat(side.source.isReadable()).isTrue();
        assertThat(side.source.isAtEnd()).isFalse();
        assertThat(side.read(10)).isEqualTo(Pattern.bytes(0, 10));
        assertThat(side.source.isAtEnd()).isTrue();
        assertThat(side.source.isReadable()).isTrue();
        assertThat(side.read(10)).isNull();
        assertThat(side.read(10)).isNull();
        assertThat(side.write(0, 10)).as("the other direction goes on").isEqualTo(10);
    }

    @Test
    void shouldWaitForBytesBeforeTheEndThatAreStillOnTheirWay() throws IOException {
        side.switched();
        side.send(Frame.FIN, 250);
        side.arrives(0, 100);
        assertThat(side.read(1000)).hasSize(100);
        assertThat(side.read(1000)).as("neither end nor reset").isEmpty();
        assertThat(side.source.isReadable()).isFalse();

        side.arrives(100, 150);

        assertThat(side.read(1000)).isEqualTo(Pattern.bytes(100, 150));
        assertThat(side.read(1000)).isNull();
    }

    @Test
    void shouldTakeTheSameEndTwice() throws IOException {
        side.switched();
        side.send(Frame.FIN, 0);
        side.send(Frame.FIN, 0);
        side.settle();

        assertThat(side.read(10)).isNull();
        assertThat(side.isBroken()).isFalse();
    }

    @Test
    void shouldReadWhatCameBeforeAReset() throws IOException {
        side.switched();
        side.arrives(0, 10);
        side.carried.signals.set(0);
        side.send(Frame.RESET, 10);
        side.settle();

        assertThat(side.carried.signals).hasPositiveValue();
        assertThat(side.read(20)).hasSize(10);
        assertThat(side.source.isReadable()).isTrue();
        assertReset();
        assertThat(side.isBroken()).as("it ends as the peer wants it to").isFalse();
    }

    // -- the end of the socket ---------------------------------------------------------------------------------------

    @Test
    void shouldTakeInEverythingThatLiesInTheWorkerWhenTheSocketEnds() throws IOException {
        side.switched();
        for (int i = 0; i < 60; i++) {
            side.peer.data(side.id, i * 100L, Pattern.bytes(i * 100L, 100));
        }
        side.send(Frame.FIN, 6000);
        side.carried.tokens().end();

        assertThat(side.read(10_000)).isEqualTo(Pattern.bytes(0, 6000));
        assertThat(side.read(1)).isNull();
    }

    /** A thread of the peer's may have stopped in the middle of a send, and keep back what others sent behind it. */
    @Test
    void shouldWaitForLateBytesOnOneHostWhileTheSessionLives() throws IOException {
        side.switched();
        side.carried.tokens().end();
        assertThat(side.read(1)).as("neither bytes nor an end").isEmpty();
        assertThat(side.source.isOver()).isFalse();

        side.arrives(0, 100);
        side.send(Frame.FIN, 100);
        side.settle();

        assertThat(side.read(200)).isEqualTo(Pattern.bytes(0, 100));
        assertThat(side.read(200)).isNull();
    }

    @Test
    void shouldBeOverWithTheSocketAndTheSessionOnOneHost() throws IOException {
        side.switched();
        side.carried.tokens().end();
        assertThat(side.source.isOver()).isFalse();
        side.carried.signals.set(0);

        side.bond.end();

        await().until(() -> {
            side.settle();
            return side.carried.signals.get() > 0;
        });
        assertThat(side.source.isOver()).isTrue();
    }

    @Test
    void shouldBeOverOnOneHostWhenNothingHasComeForLong() throws IOException {
        side.switched();
        side.carried.tokens().end();
        assertThat(side.source.isOver()).isFalse();
        side.carried.signals.set(0);

        await().until(() -> {
            side.settle();
            return side.carried.signals.get() > 0;
        });

        assertThat(side.source.isOver()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTakeTheTotalOfAnExitForTheEndOnceTheSocketHasEnded(boolean exitFirst) throws IOException {
        side.switched();
        if (exitFirst) {
            side.send(Frame.EXIT, 100);
        }
        side.arrives(0, 100);
        if (!exitFirst) {
            side.send(Frame.EXIT, 100);
        }
        side.settle();
        assertThat(side.read(1000)).hasSize(100);
        assertThat(side.read(1000)).as("the peer may go on").isEmpty();
        assertThat(side.source.isReadable()).isFalse();

        side.carried.tokens().end();

        assertThat(side.source.isReadable()).isTrue();
        assertThat(side.read(1000)).isNull();
    }

    @Test
    void shouldTakeTheLastWordOfAPeerThatWentOnWhileItExited() throws IOException {
        side.switched();
        side.send(Frame.EXIT, 0);
        side.arrives(0, 100);
        side.send(Frame.EXIT, 100);
        side.settle();
        side.carried.tokens().end();

        assertThat(side.read(1000)).hasSize(100);
        assertThat(side.read(1000)).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {101, 99, 0, -1})
    void shouldNotTakeAnotherTotalOfAnExitForTheEnd(long total) throws IOException {
        side.switched();
        side.arrives(0, 100);
        side.send(Frame.EXIT, total);
        side.settle();
        side.carried.tokens().end();

        assertThat(side.read(1000)).hasSize(100);
        assertThat(side.read(1000)).as("bytes are missing").isEmpty();
        side.bond.end();
        assertThat(side.source.isOver()).isTrue();
    }

    // -- we leave ----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({
        "0, 0, false, " + Frame.READ_TO_THE_END,
        "100, 100, false, " + Frame.READ_TO_THE_END,
        "100, 99, false, " + Frame.LEFT_UNREAD,
        "100, 0, false, " + Frame.LEFT_UNREAD,
        "100, 100, true, " + Frame.LEFT_UNREAD
    })
    void shouldSayHowItLeaves(int arrived, int read, boolean abort, int how) throws IOException {
        side.switched();
        if (arrived > 0) {
            side.arrives(0, arrived);
        }
        if (read > 0) {
            assertThat(side.read(read)).hasSize(read);
        }
        side.source.leave(abort);
        side.settle();

        assertThat(side.types()).containsExactly(Frame.LEFT);
        assertThat(side.got(Frame.LEFT).get(0).position()).isEqualTo(how);
    }

    /** The peer would send a token to a socket that is gone by then. */
    @Test
    void shouldConfirmNoSwitchThatItRefuses() throws IOException {
        side.paired();
        assertThat(side.source.refuseSwitch()).as("a token comes").isFalse();

        side.send(Frame.SWITCH, 0);
        side.settle();

        assertThat(side.types()).containsExactly(Frame.LEFT);
        assertThat(side.got(Frame.LEFT).get(0).position()).isEqualTo(Frame.READ_TO_THE_END);
        assertThat(side.isBroken()).isFalse();
    }

    @Test
    void shouldRefuseNoSwitchThatHasCome() throws IOException {
        side.paired();
        side.send(Frame.SWITCH, 0);

        assertThat(side.source.refuseSwitch()).as("a token comes").isTrue();

        side.settle();
        assertThat(side.types()).containsExactly(Frame.SWITCHED);
    }

    @Test
    void shouldCountAsUnreadWhatWaitsInTheWorker() throws IOException {
        side.switched();
        side.peer.data(side.id, 0, new byte[1]);
        side.source.leave(false);
        side.settle();

        assertThat(side.got(Frame.LEFT).get(0).position()).isEqualTo(Frame.LEFT_UNREAD);
    }

    @Test
    void shouldNotSayThatItLeavesAWriterThatHasEnded() throws IOException {
        side.switched();
        side.send(Frame.FIN, 0);
        side.source.leave(false);
        side.settle();

        assertThat(side.types()).isEmpty();
    }

    @Test
    void shouldThrowAwayWhatArrivesOnceItHasLeft() throws IOException {
        side.switched();
        side.source.leave(false);
        side.settle();

        long position = 0;
        for (int i = 0; i < 10; i++) {
            side.arrives(position, WINDOW / 2);
            position += WINDOW / 2;
        }

        assertThat(side.isBroken()).isFalse();
        assertThat(side.source.isReadable()).as("nothing is kept").isFalse();
        List<RawPeer.Message> acknowledgements = side.got(Frame.ACK);
        assertThat(acknowledgements.get(acknowledgements.size() - 1).position())
                .as("the sender is not held up")
                .isEqualTo(position);
        assertThat(side.write(0, 10)).as("the output goes on").isEqualTo(10);
    }

    @Test
    void shouldGoOnTakingBytesInWhileItDrains() throws IOException {
        side.switched();
        side.faults.stall();
        side.write(0, 100);
        side.sink.end(false);
        side.arrives(0, WINDOW);
        assertThat(side.read(WINDOW)).isEqualTo(Pattern.bytes(0, WINDOW));
        side.faults.clear();
        side.settle();

        assertThat(side.got(Frame.ACK)).isNotEmpty();
        assertThat(side.stream()).isEqualTo(Pattern.bytes(0, 100));
    }

    // -- over a network ----------------------------------------------------------------------------------------------

    /** What was sent before the socket ended may come behind its end. */
    @Test
    void shouldWaitForLateBytesOverANetworkWhileTheSessionLives() throws IOException {
        try (OneSide far = OneSide.far(Processes.freshStepped(Config.TRUST, "10.0.0.0/8", Config.DRAIN, "10m"))) {
            far.switched();
            far.carried.tokens().end();
            assertThat(far.read(10)).isEmpty();
            assertThat(far.source.isOver()).isFalse();

            far.arrives(0, 100);
            far.send(Frame.FIN, 100);
            far.settle();

            assertThat(far.read(200)).isEqualTo(Pattern.bytes(0, 100));
            assertThat(far.read(200)).isNull();
        }
    }

    @Test
    void shouldBeOverWhenNothingHasComeForLong() throws IOException {
        try (OneSide far = OneSide.far(Processes.freshStepped(Config.TRUST, "10.0.0.0/8", Config.DRAIN, "30ms"))) {
            far.switched();
            far.carried.tokens().end();
            assertThat(far.source.isOver()).isFalse();
            far.carried.signals.set(0);

            await().until(() -> {
                far.settle();
                return far.carried.signals.get() > 0;
            });

            assertThat(far.source.isOver()).isTrue();
        }
    }

    /** A selector looks only when it is told to. */
    @Test
    void shouldTellThatItIsOverSoonAfterTheSession() throws IOException {
        try (OneSide far = OneSide.far(Processes.freshStepped(Config.TRUST, "10.0.0.0/8", Config.DRAIN, "10m"))) {
            far.switched();
            far.carried.tokens().end();
            assertThat(far.source.isOver()).isFalse();
            far.bond.end();
            far.carried.signals.set(0);

            await().until(() -> {
                far.settle();
                return far.carried.signals.get() > 0;
            });

            assertThat(far.source.isOver()).isTrue();
        }
    }
}
