package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.config.Config;
import org.ucxnio.ucx.UcsStatus;

/** How what goes out ends: by us, or as the peer reads no more. */
@Timeout(30)
class SinkEndTest {
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

    /** Whether the connection has gone: its number is the next one's. */
    private boolean isGone() throws IOException {
        try (OneSide next = side.another()) {
            return (next.id & 0xfffff) == (side.id & 0xfffff);
        }
    }

    /** Lets so much time pass that a closed connection is given up, and the poller do what is due then. */
    private void passDrain() {
        AtomicBoolean later = new AtomicBoolean();
        side.processes.left.poller().schedule(2 * DRAIN_NANOS, () -> later.set(true));
        await().until(() -> {
            side.settle();
            return later.get();
        });
    }

    // -- our output --------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({"false, " + Frame.FIN, "true, " + Frame.RESET})
    void shouldSayTheEndBehindTheLastByte(boolean reset, int type) throws IOException {
        side.switched();
        side.faults.stall();
        for (int i = 0; i < 30; i++) {
            side.write(i * 100, 100);
        }

        assertThat(side.sink.end(reset)).as("all is with the peer").isFalse();
        side.settle();
        assertThat(side.carried.drained).hasValue(0);
        side.faults.clear();
        side.settle();

        assertThat(side.stream()).isEqualTo(Pattern.bytes(0, 3000));
        List<Integer> types = side.types();
        assertThat(types.get(types.size() - 1)).isEqualTo(type);
        assertThat(side.got(type)).hasSize(1);
        assertThat(side.got(type).get(0).position()).isEqualTo(3000);
        assertThat(side.carried.drained).as("told once").hasValue(1);
    }

    @Test
    void shouldBeDoneAtOnceWhereNothingIsUnderWay() throws IOException {
        side.switched();
        side.write(0, 3000);

        assertThat(side.sink.end(false)).isTrue();
        side.settle();

        assertThat(side.stream()).hasSize(3000);
        assertThat(side.carried.drained).as("it was answered already").hasValue(0);
    }

    /** The end of its socket alone would look to the peer like the end of the stream. */
    @Test
    void shouldNotBeDoneBeforeThePeerKnowsOfTheSwitch() throws IOException {
        side.paired();
        side.sink.switchAt(0);
        side.write(0, 10);

        assertThat(side.sink.end(false)).isFalse();
        side.settle();
        assertThat(side.types()).containsExactly(Frame.SWITCH, Frame.DATA, Frame.FIN);
        assertThat(side.carried.drained).hasValue(0);

        side.send(Frame.SWITCHED, 0);
        side.settle();

        assertThat(side.carried.drained).hasValue(1);
    }

    @Test
    void shouldNotWaitForAnAnswerOfAPeerThatNobodyHasASessionWith() throws IOException {
        side.paired();
        side.sink.switchAt(0);
        side.write(0, 10);
        side.sink.end(false);
        side.settle();

        side.bond.end();
        side.settle();

        assertThat(side.carried.drained).hasValue(1);
        assertThat(side.isBroken()).isFalse();
    }

    @Test
    void shouldWaitForPendingMessagesThoughTheSessionEnds() throws IOException {
        side.switched();
        side.faults.stall();
        side.write(0, 10);
        side.sink.end(false);
        side.bond.end();
        side.settle();
        assertThat(side.carried.drained).hasValue(0);

        side.faults.clear();
        side.settle();

        assertThat(side.stream()).hasSize(10);
        assertThat(side.carried.drained).hasValue(1);
    }

    @Test
    void shouldWaitForCompletionsBeforeItIsDone() throws IOException {
        side.switched();
        side.faults.holdCompletions = true;
        side.faults.sendStatus = () -> UcsStatus.INPROGRESS;
        side.write(0, 10);

        assertThat(side.sink.end(false)).isFalse();
        side.settle();
        assertThat(side.types()).containsExactly(Frame.DATA, Frame.FIN);
        assertThat(side.carried.drained).as("UCX reads the slices still").hasValue(0);

        side.faults.clear();
        side.settle();
        assertThat(side.carried.drained).hasValue(1);
    }

    @Test
    void shouldGiveUpAClosedConnectionWhosePeerTakesNothing() throws IOException {
        side.switched();
        side.faults.stall();
        side.write(0, 100);
        side.sink.end(false);
        side.source.leave(false);

        await().until(() -> {
            side.settle();
            return side.carried.drained.get() > 0;
        });

        assertThat(side.isBroken()).as("what was written is lost").isTrue();
        assertThat(isGone()).isTrue();
        assertThat(side.fake().endpoints()).as("nothing more is tried over it").isEmpty();
    }

    @Test
    void shouldGiveUpWhicheverEndsFirst() throws IOException {
        side.switched();
        side.faults.stall();
        side.write(0, 100);
        side.source.leave(false);
        side.sink.end(false);

        await().until(() -> {
            side.settle();
            return side.carried.drained.get() > 0;
        });

        assertThat(isGone()).isTrue();
    }

    /** UCX does not tell that a process on this host has died, and the worker would be kept as long. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotWaitLongForAPeerWhoseSessionIsOver(boolean overFirst) throws IOException {
        try (OneSide patient = OneSide.open(Config.DRAIN, "10m")) {
            patient.switched();
            patient.faults.stall();
            patient.write(0, 100);
            if (overFirst) {
                patient.bond.end();
            }
            patient.sink.end(false);
            patient.source.leave(false);
            if (!overFirst) {
                patient.bond.end();
            }

            await().until(() -> {
                patient.settle();
                return patient.carried.drained.get() > 0;
            });
        }
    }

    /** As with TCP: a peer that takes its time to read what it was sent may still answer. */
    @Test
    void shouldNotGiveUpAConnectionOnlyWhoseOutputHasEnded() throws IOException {
        side.switched();
        side.faults.stall();
        side.write(0, 100);
        side.sink.end(false);

        passDrain();

        assertThat(side.isBroken()).isFalse();
        side.faults.clear();
        side.arrives(0, 10);
        assertThat(side.read(20)).hasSize(10);
        assertThat(side.stream()).hasSize(100);
        assertThat(side.got(Frame.FIN)).hasSize(1);
    }

    /** What was given up must not come back later, nor be told of twice. */
    @Test
    void shouldForgetTheDeadlineOfWhatWasDeliveredInTime() throws IOException {
        side.switched();
        side.faults.stall();
        side.write(0, 100);
        side.sink.end(false);
        side.source.leave(false);
        side.faults.clear();
        side.settle();

        passDrain();

        assertThat(side.carried.drained).hasValue(1);
        assertThat(side.isBroken()).isFalse();
    }

    // -- the peer's reader leaves ------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({Frame.READ_TO_THE_END + ", Broken pipe", Frame.LEFT_UNREAD + ", Connection reset"})
    void shouldTellTheWriterThatNobodyReads(int how, String message) throws IOException {
        side.switched();
        side.write(0, WINDOW + 1);
        assertThat(side.sink.isWritable()).isFalse();
        side.settle();
        side.carried.signals.set(0);

        side.send(Frame.LEFT, how);
        side.settle();

        assertThat(side.carried.signals).hasPositiveValue();
        assertThat(side.sink.isWritable()).isTrue();
        assertThatThrownBy(() -> side.write(WINDOW, 1))
                .isInstanceOf(SocketException.class)
                .hasMessage(message);
        assertThat(side.isBroken()).isFalse();
        side.arrives(0, 10);
        assertThat(side.read(20)).as("the other direction goes on").hasSize(10);
    }

    @Test
    void shouldTellTheWriterThatNobodyReadsWhateverIsFirst() throws IOException {
        side.switched();
        // More than one progress takes in.
        for (int i = 0; i < 40; i++) {
            side.peer.data(side.id, i, Pattern.bytes(i, 1));
        }
        side.send(Frame.LEFT, Frame.READ_TO_THE_END);
        side.carried.tokens().end();

        assertThatThrownBy(() -> side.write(0, 1)).hasMessage("Broken pipe");
    }

    @Test
    void shouldForgetWhatThePeerWillNeverRead() throws IOException {
        side.switched();
        side.faults.stall();
        for (int i = 0; i < 30; i++) {
            side.write(i * 100, 100);
        }
        side.send(Frame.LEFT, Frame.LEFT_UNREAD);
        side.settle();

        assertThat(side.sink.end(false)).as("nobody waits for it").isTrue();
        side.faults.clear();
        side.settle();
        assertThat(side.stream()).as("what UCX had").hasSize(1600);
    }

    @Test
    void shouldBeDoneWhenTheReaderLeavesWhileItDrains() throws IOException {
        side.switched();
        side.faults.stall();
        side.write(0, WINDOW);
        side.sink.end(false);
        side.send(Frame.LEFT, Frame.READ_TO_THE_END);
        side.settle();

        assertThat(side.carried.drained).hasValue(1);
    }

    // -- gone --------------------------------------------------------------------------------------------------------

    @Test
    void shouldGoOnlyWhenBothHaveEnded() throws IOException {
        side.switched();
        side.sink.end(false);
        side.settle();
        assertThat(isGone()).isFalse();

        side.source.leave(false);

        assertThat(isGone()).isTrue();
    }

    @Test
    void shouldStayUntilItsOutputIsDrained() throws IOException {
        side.switched();
        side.faults.stall();
        side.write(0, 10);
        side.source.leave(false);
        side.sink.end(false);
        side.settle();
        assertThat(isGone()).isFalse();

        side.faults.clear();
        side.settle();

        assertThat(isGone()).isTrue();
    }

    @Test
    void shouldGoWithTheSessionThatDidNotAgreeOnIt() throws IOException {
        side.join();
        side.bond.end();

        assertThat(isGone()).isTrue();
    }

    @Test
    void shouldNotGoWithTheSessionThatHasPairedIt() throws IOException {
        side.switched();
        side.bond.end();
        side.arrives(0, 10);

        assertThat(side.read(20)).hasSize(10);
        assertThat(side.write(0, 10)).isEqualTo(10);
    }

    @Test
    void shouldGoWhenItIsGivenBackOrNothingCameOfIt() throws IOException {
        side.join().hear();
        side.lane.retire();
        assertThat(isGone()).isFalse();
        side.source.leave(false);
        assertThat(isGone()).isTrue();

        try (OneSide unused = side.another()) {
            unused.lane.free();
            try (OneSide next = side.another()) {
                assertThat(next.id & 0xfffff).isEqualTo(unused.id & 0xfffff);
            }
        }
    }
}
