package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.config.Config;
import org.ucxnio.link.Sink;
import org.ucxnio.ucx.UcsStatus;

/** What goes out: the switch, frames, windows. */
@Timeout(30)
class MessageSinkTest {
    private static final int WINDOW = 16 << 10;
    private static final int MESSAGES = 40;
    private static final int FRAME = 1 << 10;
    private static final int MAX_PAYLOAD = FRAME - Frame.HEADER_LENGTH;

    private OneSide side;

    @BeforeEach
    void open() throws IOException {
        side = OneSide.open(
                Config.WINDOW, "16k", Config.WINDOW_MESSAGES, String.valueOf(MESSAGES), Config.FRAME, FRAME + "");
    }

    @AfterEach
    void close() {
        side.close();
    }

    private List<RawPeer.Message> data() {
        return side.got(Frame.DATA);
    }

    // -- the switch --------------------------------------------------------------------------------------------------

    @Test
    void shouldSayWhereItSwitchesBeforeAnythingElse() throws IOException {
        side.paired();

        assertThat(side.sink.switchAt(123_456_789_012L)).as("the peer knows").isFalse();
        side.write(0, 10);
        side.settle();

        assertThat(side.types()).containsExactly(Frame.SWITCH, Frame.DATA);
        assertThat(side.got(Frame.SWITCH).get(0).position()).isEqualTo(123_456_789_012L);
        assertThat(data().get(0).position()).as("counted from the switch").isZero();
        assertThat(side.carried.switchesKnown).hasValue(0);
    }

    @Test
    void shouldTellOnceThatThePeerKnowsOfTheSwitch() throws IOException {
        side.paired();
        side.sink.switchAt(5);
        side.settle();

        side.send(Frame.SWITCHED, 0);
        side.settle();

        assertThat(side.carried.switchesKnown).hasValue(1);
        assertThat(side.isBroken()).isFalse();
    }

    /** Nobody else would: the application may sleep in the kernel until the token comes that the answer brings about. */
    @Test
    void shouldHaveThePollerTakeInTheAnswerToTheSwitch() throws IOException {
        side.paired();
        side.sink.switchAt(5);
        side.settle();
        side.send(Frame.SWITCHED, 0);
        side.peer.progress();

        for (int i = 0; i < 3 && side.carried.switchesKnown.get() == 0; i++) {
            side.processes.step();
        }

        assertThat(side.carried.switchesKnown).hasValue(1);
    }

    @Test
    void shouldBreakWhenUcxRefusesTheSwitch() throws IOException {
        side.paired();
        side.faults.sendStatus = () -> UcsStatus.ERR_NO_MEMORY;
        side.sink.switchAt(5);
        side.faults.clear();
        side.settle();

        assertThat(side.isBroken()).as("the peer would wait for ever").isTrue();
        assertThatThrownBy(() -> side.write(0, 1)).isInstanceOf(SocketException.class);
    }

    // -- frames ------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 983, 984, 985, MAX_PAYLOAD, MAX_PAYLOAD + 1, 5000, WINDOW})
    void shouldSendFramesOfAtMostTheConfiguredSize(int count) throws IOException {
        side.switched();

        assertThat(side.write(0, count)).isEqualTo(count);
        side.settle();

        assertThat(side.stream()).isEqualTo(Pattern.bytes(0, count));
        long position = 0;
        for (RawPeer.Message message : data()) {
            assertThat(message.position()).isEqualTo(position);
            assertThat(message.length()).isEqualTo(message.payload().length).isBetween(1, MAX_PAYLOAD);
            position += message.length();
        }
        assertThat(data()).hasSize((count + MAX_PAYLOAD - 1) / MAX_PAYLOAD);
    }

    @Test
    void shouldGatherSmallBuffersIntoOneFrame() throws IOException {
        side.switched();
        ByteBuffer heap = ByteBuffer.wrap(Pattern.bytes(0, 10));
        ByteBuffer direct =
                ByteBuffer.allocateDirect(20).put(Pattern.bytes(10, 20)).flip();
        ByteBuffer readOnly = ByteBuffer.wrap(Pattern.bytes(25, 35)).position(5).asReadOnlyBuffer();
        ByteBuffer[] buffers = {ByteBuffer.allocate(0), heap, direct, ByteBuffer.allocate(0), readOnly};

        assertThat(Pattern.write(side.sink, buffers)).isEqualTo(60);
        side.settle();

        assertThat(buffers).noneMatch(ByteBuffer::hasRemaining);
        assertThat(data()).hasSize(1);
        assertThat(side.stream()).isEqualTo(Pattern.bytes(0, 60));
    }

    @Test
    void shouldTouchOnlyTheBuffersInRange() throws IOException {
        side.switched();
        ByteBuffer before = ByteBuffer.wrap(new byte[4]);
        ByteBuffer within = ByteBuffer.wrap(Pattern.bytes(0, 4));
        ByteBuffer behind = ByteBuffer.wrap(new byte[4]);

        assertThat(side.sink.write(new ByteBuffer[] {before, within, behind}, 1, 1, Sink.MAX_BYTES))
                .isEqualTo(4);
        side.settle();

        assertThat(before.remaining()).isEqualTo(4);
        assertThat(behind.remaining()).isEqualTo(4);
        assertThat(side.stream()).isEqualTo(Pattern.bytes(0, 4));
    }

    @Test
    void shouldPackWhatIsWrittenWhileMessagesArePending() throws IOException {
        side.switched();
        side.faults.stall();
        int writes = 500;
        for (int i = 0; i < writes; i++) {
            assertThat(side.write(i, 1)).as("write %d", i).isEqualTo(1);
        }
        assertThat(side.endpoint().pendingSends()).as("messages UCX holds").isEqualTo(16);

        side.faults.clear();
        side.settle();

        assertThat(side.stream()).isEqualTo(Pattern.bytes(0, writes));
        assertThat(data()).hasSize(17);
        assertThat(data().get(16).length()).isEqualTo(writes - 16);
    }

    @Test
    void shouldKeepTheOrderWhenThePeersQueueIsFull() throws IOException {
        side.switched();
        int written = 0;
        for (int round = 0; round < 200; round++) {
            int count = 1 + round * 7 % 300;
            written += side.write(written, count);
            if (round % 3 == 0) {
                side.worker.progressIfFree();
            }
            if (round % 40 == 39) {
                side.settle();
                side.acknowledge(written, data().size());
            }
        }
        side.settle();
        assertThat(written).isGreaterThan(10_000);
        assertThat(side.stream()).isEqualTo(Pattern.bytes(0, written));
    }

    /** The application may never call again. */
    @Test
    void shouldHaveThePollerSendWhatIsPending() throws IOException {
        side.switched();
        side.faults.stall();
        side.write(0, WINDOW);
        side.faults.clear();

        for (int round = 0; round < 20 && side.stream().length < WINDOW; round++) {
            side.processes.step();
            side.peer.progress();
        }

        assertThat(side.stream()).isEqualTo(Pattern.bytes(0, WINDOW));
    }

    // -- urgent bytes ------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendAnUrgentByteInAFrameOfItsOwnInItsPlace(boolean stalled) throws IOException {
        side.switched();
        if (stalled) {
            side.faults.stall();
            for (int i = 0; i < 16; i++) {
                side.write(i, 1);
            }
        }
        int before = stalled ? 16 : 0;
        side.write(before, 10);
        assertThat(side.sink.writeUrgent((byte) 42)).isTrue();
        side.write(before + 11, 10);
        side.faults.clear();
        side.settle();

        assertThat(side.types().subList(before, before + 3)).containsExactly(Frame.DATA, Frame.URGENT, Frame.DATA);
        RawPeer.Message urgent = side.got(Frame.URGENT).get(0);
        assertThat(urgent.position()).isEqualTo(before + 10);
        assertThat(urgent.payload()).containsExactly(42);
        assertThat(data().get(before + 1).position()).isEqualTo(before + 11);
    }

    @Test
    void shouldSendNoUrgentByteBeyondTheWindow() throws IOException {
        side.switched();
        side.write(0, WINDOW);

        assertThat(side.sink.writeUrgent((byte) 1)).isFalse();
        side.settle();

        assertThat(side.got(Frame.URGENT)).isEmpty();
        assertThat(side.sink.isWritable()).isFalse();
    }

    // -- windows -----------------------------------------------------------------------------------------------------

    @Test
    void shouldStopAtTheWindowInBytes() throws IOException {
        side.switched();
        ByteBuffer buffer = ByteBuffer.wrap(Pattern.bytes(0, WINDOW + 100));

        assertThat(Pattern.write(side.sink, buffer)).isEqualTo(WINDOW);

        assertThat(buffer.remaining()).isEqualTo(100);
        assertThat(side.sink.isWritable()).isFalse();
        assertThat(side.sink.isWritableNow()).isFalse();
        assertThat(Pattern.write(side.sink, buffer)).isZero();
        side.settle();
        assertThat(side.stream()).isEqualTo(Pattern.bytes(0, WINDOW));
    }

    @Test
    void shouldStayWritableWhenTheWindowIsUsedUpExactly() throws IOException {
        side.switched();
        assertThat(side.write(0, WINDOW)).isEqualTo(WINDOW);
        assertThat(side.sink.isWritable()).isTrue();

        assertThat(side.write(WINDOW, 1)).as("the write that finds no room").isZero();
        assertThat(side.sink.isWritable()).isFalse();
    }

    @Test
    void shouldStopAtTheWindowInMessages() throws IOException {
        side.switched();
        for (int i = 0; i < MESSAGES; i++) {
            assertThat(side.write(i, 1)).isEqualTo(1);
            side.settle();
        }

        assertThat(side.write(MESSAGES, 1)).isZero();
        assertThat(side.sink.isWritable()).isFalse();
        assertThat(data()).hasSize(MESSAGES);
    }

    @Test
    void shouldBecomeWritableWhenHalfOfTheBytesAreConfirmed() throws IOException {
        side.switched();
        side.write(0, WINDOW + 1);
        side.settle();
        long messages = data().size();
        side.carried.signals.set(0);

        side.acknowledge(WINDOW / 2 - 1, messages);
        assertThat(side.sink.isWritable()).isFalse();
        assertThat(side.write(WINDOW, 1)).isZero();
        assertThat(side.carried.signals).hasValue(0);

        side.acknowledge(WINDOW / 2, messages);
        assertThat(side.carried.signals).as("selectors hear of it once").hasValue(1);
        assertThat(side.sink.isWritable()).isTrue();
        assertThat(side.write(WINDOW, WINDOW)).isEqualTo(WINDOW / 2);
    }

    @Test
    void shouldBecomeWritableWhenHalfOfTheMessagesAreConfirmed() throws IOException {
        side.switched();
        for (int i = 0; i <= MESSAGES; i++) {
            side.write(i, 1);
            side.settle();
        }

        side.acknowledge(MESSAGES, MESSAGES / 2 - 1);
        assertThat(side.sink.isWritable()).isFalse();

        side.acknowledge(MESSAGES, MESSAGES / 2);
        assertThat(side.sink.isWritable()).isTrue();
        assertThat(side.write(MESSAGES, 1)).isEqualTo(1);
    }

    /** What is to be written next must not wait for the poller. */
    @Test
    void shouldTakeInAConfirmationThatWaitsWhenItWrites() throws IOException {
        side.switched();
        side.write(0, WINDOW + 1);
        side.settle();
        side.peer.acknowledge(side.id, WINDOW, data().size());

        assertThat(side.write(WINDOW, 100)).isEqualTo(100);
    }

    @Test
    void shouldGiveBackTheWindowOfEveryConfirmation() throws IOException {
        side.switched();
        long written = 0;
        for (int round = 0; round < 20; round++) {
            written += side.write(written, WINDOW + 1);
            side.settle();
            side.acknowledge(written, data().size());
        }
        assertThat(written).isEqualTo(20L * WINDOW);
        assertThat(side.stream()).isEqualTo(Pattern.bytes(0, 20 * WINDOW));
    }

    /** The peer's window may be another than ours. */
    @Test
    void shouldKeepToTheWindowThatThePeerHasToldOf() throws IOException {
        Processes processes = side.processes;
        Peer small = new Peer(UUID.randomUUID(), true, WINDOW, 16, () -> true);
        MessageBond bond = new MessageBond(processes.left, small, () -> true);
        try (RawPeer peer = new RawPeer(processes)) {
            MessageLane lane = (MessageLane) bond.open(side.group);
            byte[] address = peer.address();
            lane.join(ByteBuffer.allocate(64)
                    .putInt(1)
                    .putShort((short) address.length)
                    .put(address)
                    .flip());
            Sink sink = lane.sink(new TestCarried());
            sink.switchAt(0);
            long written = 0;
            for (int i = 0; i < 20; i++) {
                written += Pattern.write(sink, written, 1);
            }
            assertThat(written).isEqualTo(16);
            lane.free();
        }
    }

    // -- failures ----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(
            ints = {
                UcsStatus.ERR_NO_MEMORY,
                UcsStatus.ERR_ENDPOINT_TIMEOUT,
                UcsStatus.ERR_IO_ERROR,
                UcsStatus.ERR_CANCELED
            })
    void shouldBreakWhenUcxRefusesAMessage(int status) throws IOException {
        side.switched();
        side.faults.sendStatus = () -> status;
        assertThatThrownBy(() -> side.write(0, 100)).isInstanceOf(SocketException.class);
        side.faults.clear();

        // The bytes are lost: nothing may follow them.
        assertThatThrownBy(() -> side.write(100, 100)).isInstanceOf(SocketException.class);
        side.settle();
        assertThat(side.types()).isEmpty();
        assertThat(side.isBroken()).isTrue();
    }

    @Test
    void shouldBreakWhenUcxRefusesTheEndOfStream() throws IOException {
        side.switched();
        side.faults.sendStatus = () -> UcsStatus.ERR_NO_MEMORY;
        side.sink.end(false);
        side.faults.clear();
        side.settle();

        assertThat(side.isBroken()).as("the peer would wait for ever").isTrue();
    }

    @Test
    void shouldBreakWhenAPendingMessageFails() throws IOException {
        side.switched();
        side.faults.stall();
        side.write(0, 100);
        side.endpoint().fail(UcsStatus.ERR_ENDPOINT_TIMEOUT);
        side.settle();

        assertThatThrownBy(() -> side.write(100, 1))
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("Connection reset")
                .hasMessageContaining("ERR_ENDPOINT_TIMEOUT");
        assertThat(side.sink.isWritable()).isTrue();
        assertThat(side.source.isReadable()).isTrue();
        assertThat(side.isBroken()).isTrue();
    }

    @Test
    void shouldTellAWriterThatThePeersSocketHasEnded() throws IOException {
        side.switched();
        side.write(0, WINDOW + 1);
        assertThat(side.sink.isWritable()).isFalse();

        side.carried.tokens().end();

        assertThat(side.sink.isWritable()).isTrue();
        assertThatThrownBy(() -> side.write(WINDOW, 1))
                .isInstanceOf(SocketException.class)
                .hasMessage("Connection reset");
    }
}
