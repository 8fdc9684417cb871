package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.config.Config;
import org.ucxnio.ucx.UcsStatus;

/** What comes in: the switch, bytes, confirmations. */
@Timeout(30)
class MessageSourceTest {
    private static final int WINDOW = 16 << 10;
    private static final int MESSAGES = 16;

    private OneSide side;

    @BeforeEach
    void open() throws IOException {
        side = OneSide.open(Config.WINDOW, "16k", Config.WINDOW_MESSAGES, String.valueOf(MESSAGES));
    }

    @AfterEach
    void close() {
        side.close();
    }

    private void assertReads(long position, int count) throws IOException {
        assertThat(side.read(count)).isEqualTo(Pattern.bytes(position, count));
    }

    private List<RawPeer.Message> acknowledgements() {
        return side.got(Frame.ACK);
    }

    // -- the switch --------------------------------------------------------------------------------------------------

    @Test
    void shouldKnowWhereThePeerSwitchesAndConfirmIt() throws IOException {
        side.join().hear();
        assertThat(side.source.switchedAt()).isNegative();

        side.send(Frame.SWITCH, 1L << 40);
        side.settle();

        assertThat(side.source.switchedAt()).isEqualTo(1L << 40);
        assertThat(side.types()).containsExactly(Frame.SWITCHED);
    }

    /** Nobody else would: the application may sleep in the kernel until the token comes that the answer brings about. */
    @Test
    void shouldHaveThePollerAnswerTheSwitch() throws IOException {
        side.join().hear();
        side.settle();
        side.send(Frame.SWITCH, 7);

        for (int i = 0; i < 3; i++) {
            side.processes.step();
            side.peer.progress();
        }

        assertThat(side.types()).containsExactly(Frame.SWITCHED);
    }

    @Test
    void shouldTakeInASwitchThatWaitsWhenItIsAskedTo() throws IOException {
        side.join().hear();
        side.send(Frame.SWITCH, 7);
        assertThat(side.source.switchedAt()).isNegative();

        side.source.catchUp();

        assertThat(side.source.switchedAt()).isEqualTo(7);
    }

    @Test
    void shouldKeepWhatComesBehindTheSwitchUntilItIsRead() throws IOException {
        side.paired();
        side.send(Frame.SWITCH, 7);
        side.arrives(0, 100);
        side.source.enter();

        assertReads(0, 100);
    }

    // -- bytes -------------------------------------------------------------------------------------------------------

    @Test
    void shouldReadNothingWhereNothingArrived() throws IOException {
        side.switched();
        assertThat(side.source.isReadable()).isFalse();
        assertThat(side.read(10)).isEmpty();
        assertThat(side.source.available()).isZero();
        assertThat(side.source.hasSomething()).isFalse();
        assertThat(side.source.hasUnread()).isFalse();
    }

    @Test
    void shouldReadWhatArrivedInPiecesOfAnySize() throws IOException {
        side.switched();
        side.arrives(0, 1000);
        side.arrives(1000, 5000);
        assertThat(side.source.available()).isEqualTo(6000);
        assertThat(side.source.isReadable()).isTrue();
        assertThat(side.source.hasUnread()).isTrue();
        assertThat(side.carried.signals).hasPositiveValue();

        assertReads(0, 1);
        assertReads(1, 4095);
        assertReads(4096, 1904);

        assertThat(side.source.isReadable()).isFalse();
        assertThat(side.source.available()).isZero();
        assertThat(side.source.hasUnread()).isFalse();
    }

    @Test
    void shouldScatterOverBuffersInRange() throws IOException {
        side.switched();
        side.arrives(0, 100);
        ByteBuffer before = ByteBuffer.allocate(10);
        ByteBuffer heap = ByteBuffer.allocate(30).position(10);
        ByteBuffer full = ByteBuffer.allocate(0);
        ByteBuffer direct = ByteBuffer.allocateDirect(200);

        assertThat(side.source.read(new ByteBuffer[] {before, heap, full, direct}, 1, 3))
                .isEqualTo(100);

        assertThat(before.position()).isZero();
        assertThat(heap.slice(10, 20)).isEqualTo(ByteBuffer.wrap(Pattern.bytes(0, 20)));
        assertThat(direct.flip()).isEqualTo(ByteBuffer.wrap(Pattern.bytes(20, 80)));
    }

    @Test
    void shouldTakeInWhatWaitsInTheWorkerWhenItIsRead() throws IOException {
        side.switched();
        side.peer.data(side.id, 0, Pattern.bytes(0, 10));
        assertReads(0, 10);

        side.peer.data(side.id, 10, Pattern.bytes(10, 10));
        assertThat(side.source.available()).isEqualTo(10);
        assertReads(10, 10);

        side.peer.data(side.id, 20, Pattern.bytes(20, 10));
        assertThat(side.source.hasSomething()).isTrue();
        assertReads(20, 10);

        side.peer.data(side.id, 30, Pattern.bytes(30, 10));
        assertThat(side.source.hasUnread()).isTrue();
    }

    // -- confirmations -----------------------------------------------------------------------------------------------

    @Test
    void shouldConfirmWhenHalfOfTheWindowIsRead() throws IOException {
        side.switched();
        side.arrives(0, WINDOW);
        assertReads(0, WINDOW / 2 - 1);
        side.settle();
        assertThat(acknowledgements()).isEmpty();

        assertReads(WINDOW / 2 - 1, 1);
        side.settle();

        assertThat(acknowledgements()).hasSize(1);
        RawPeer.Message message = acknowledgements().get(0);
        assertThat(message.length()).isEqualTo(Frame.ACK_PAYLOAD_LENGTH);
        assertThat(message.position()).isEqualTo(WINDOW / 2);
        assertThat(message.payloadLong()).isEqualTo(1);
    }

    @Test
    void shouldConfirmWhenHalfOfTheMessagesCame() throws IOException {
        side.switched();
        for (int i = 0; i < MESSAGES / 2 - 1; i++) {
            side.arrives(i, 1);
        }
        assertThat(acknowledgements()).isEmpty();

        side.arrives(MESSAGES / 2 - 1, 1);

        assertThat(acknowledgements()).hasSize(1);
        assertThat(acknowledgements().get(0).position()).as("nothing was read").isZero();
        assertThat(acknowledgements().get(0).payloadLong()).isEqualTo(MESSAGES / 2);
    }

    @Test
    void shouldNotConfirmThatItGotConfirmations() throws IOException {
        side.switched();
        side.write(0, 1);
        side.settle();
        for (int i = 0; i < 5 * MESSAGES; i++) {
            side.peer.acknowledge(side.id, 1, 1);
        }
        side.settle();

        assertThat(acknowledgements()).isEmpty();
    }

    @Test
    void shouldTakeFurtherWindowsForWhatWasRead() throws IOException {
        side.switched();
        for (int i = 0; i < 10; i++) {
            side.arrives((long) i * WINDOW, WINDOW);
            assertReads((long) i * WINDOW, WINDOW);
        }
        side.settle();

        assertThat(acknowledgements().get(acknowledgements().size() - 1).position())
                .isEqualTo(10 * WINDOW);
        assertThat(side.isBroken()).isFalse();
    }

    @Test
    void shouldGiveTheBytesReadThoughUcxRefusesTheirConfirmation() throws IOException {
        side.switched();
        side.arrives(0, WINDOW / 2);
        side.faults.sendStatus = () -> UcsStatus.ERR_NO_MEMORY;

        assertReads(0, WINDOW / 2);

        side.faults.clear();
        side.settle();
        assertThat(side.isBroken()).isTrue();
        assertThatThrownBy(() -> side.read(1)).isInstanceOf(SocketException.class);
    }

    // -- urgent bytes ------------------------------------------------------------------------------------------------

    private void urgentArrives(long position) throws IOException {
        side.peer.send(side.id, Frame.URGENT, 1, position, Pattern.bytes(position, 1));
        side.settle();
    }

    @Test
    void shouldThrowUrgentBytesAwayButCountThem() throws IOException {
        side.switched();
        side.arrives(0, 10);
        urgentArrives(10);
        side.arrives(11, 10);

        assertReads(0, 10);
        assertReads(11, 10);
        assertThat(side.source.available()).isZero();
        assertThat(side.source.hasUnread()).isFalse();
        assertThat(side.isBroken()).isFalse();
    }

    @Test
    void shouldReadUrgentBytesInlineInTheirPlace() throws IOException {
        side.switched();
        side.source.urgentInline(true);
        side.arrives(0, 10);
        urgentArrives(10);
        side.source.urgentInline(false);
        urgentArrives(11);
        side.arrives(12, 10);

        assertReads(0, 11);
        assertReads(12, 10);
    }

    /** A selector that woke for it would find nothing. */
    @Test
    void shouldNotBeReadableForAnUrgentByteThatIsThrownAway() throws IOException {
        side.switched();
        urgentArrives(0);

        assertThat(side.source.isReadable()).isFalse();
        assertThat(side.carried.signals).hasValue(0);
    }

    @Test
    void shouldConfirmUrgentBytesThatItThrowsAway() throws IOException {
        side.switched();
        for (int i = 0; i < MESSAGES / 2; i++) {
            urgentArrives(i);
        }

        assertThat(acknowledgements()).hasSize(1);
        assertThat(acknowledgements().get(0).position()).isEqualTo(MESSAGES / 2);
    }
}
