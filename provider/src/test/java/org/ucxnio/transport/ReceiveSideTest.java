package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.config.Config;

@Timeout(30)
class ReceiveSideTest {
    private static final int WINDOW = 16 << 10;
    private static final int MESSAGES = 16;

    private OneSide side;

    @BeforeEach
    void open() throws IOException {
        side = OneSide.bound(Config.WINDOW, "16k", Config.WINDOW_MESSAGES, String.valueOf(MESSAGES));
    }

    @AfterEach
    void close() {
        side.close();
    }

    /** The peer sends {@code count} bytes of the pattern. */
    private void arrives(long position, int count) throws IOException {
        side.peer.data(side.id(), position, Pattern.bytes(position, count));
        side.settle();
    }

    private void assertReads(long position, int count) throws IOException {
        assertThat(Pattern.read(side.connection, count)).isEqualTo(Pattern.bytes(position, count));
    }

    private void assertBroken() {
        assertThatThrownBy(() -> Pattern.read(side.connection, 1)).isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> side.write(0, 1)).isInstanceOf(SocketException.class);
        assertThat(side.control.isAborted()).as("the peer is told").isTrue();
        assertThat(side.readable()).isTrue();
        assertThat(side.writable()).isTrue();
    }

    private List<RawPeer.Message> acknowledgements() {
        return side.peer.received(Frame.ACK);
    }

    @Test
    void shouldReadNothingWhereNothingArrived() throws IOException {
        assertThat(side.readable()).isFalse();
        assertThat(Pattern.read(side.connection, 10)).isEmpty();
        assertThat(side.connection.available()).isZero();
    }

    @Test
    void shouldReadWhatArrivedInPiecesOfAnySize() throws IOException {
        arrives(0, 1000);
        arrives(1000, 5000);
        assertThat(side.connection.available()).isEqualTo(6000);
        assertThat(side.readable()).isTrue();
        assertThat(side.signals).hasPositiveValue();

        assertReads(0, 1);
        assertReads(1, 4095);
        assertReads(4096, 1904);

        assertThat(side.readable()).isFalse();
        assertThat(side.connection.available()).isZero();
    }

    @Test
    void shouldScatterOverBuffersInRange() throws IOException {
        arrives(0, 100);
        ByteBuffer before = ByteBuffer.allocate(10);
        ByteBuffer heap = ByteBuffer.allocate(30).position(10);
        ByteBuffer full = ByteBuffer.allocate(0);
        ByteBuffer direct = ByteBuffer.allocateDirect(200);

        assertThat(side.connection.read(new ByteBuffer[] {before, heap, full, direct}, 1, 3))
                .isEqualTo(100);

        assertThat(before.position()).isZero();
        assertThat(heap.slice(10, 20)).isEqualTo(ByteBuffer.wrap(Pattern.bytes(0, 20)));
        assertThat(direct.flip()).isEqualTo(ByteBuffer.wrap(Pattern.bytes(20, 80)));
    }

    @Test
    void shouldTakeInWhatWaitsInTheWorkerWhenItIsRead() throws IOException {
        side.peer.data(side.id(), 0, Pattern.bytes(0, 10));

        assertReads(0, 10);
    }

    @Test
    void shouldConfirmWhenHalfOfTheWindowIsRead() throws IOException {
        arrives(0, WINDOW);
        assertReads(0, WINDOW / 2 - 1);
        side.settle();
        assertThat(acknowledgements()).isEmpty();

        assertReads(WINDOW / 2 - 1, 1);
        side.settle();

        assertThat(acknowledgements()).hasSize(1);
        RawPeer.Message message = acknowledgements().get(0);
        assertThat(message.id()).isEqualTo(OneSide.REMOTE_ID);
        assertThat(message.length()).isEqualTo(Frame.ACK_PAYLOAD_LENGTH);
        assertThat(message.position()).isEqualTo(WINDOW / 2);
        assertThat(message.payloadLong()).isEqualTo(1);
    }

    @Test
    void shouldConfirmWhenHalfOfTheMessagesCame() throws IOException {
        for (int i = 0; i < MESSAGES / 2 - 1; i++) {
            arrives(i, 1);
        }
        assertThat(acknowledgements()).isEmpty();

        arrives(MESSAGES / 2 - 1, 1);

        assertThat(acknowledgements()).hasSize(1);
        assertThat(acknowledgements().get(0).position()).as("nothing was read").isZero();
        assertThat(acknowledgements().get(0).payloadLong()).isEqualTo(MESSAGES / 2);
    }

    @Test
    void shouldNotConfirmThatItGotConfirmations() throws IOException {
        side.write(0, 1);
        side.settle();
        for (int i = 0; i < 5 * MESSAGES; i++) {
            side.peer.acknowledge(side.id(), 1, 1);
        }
        side.settle();

        assertThat(acknowledgements()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1, 99, 101, 1000, Long.MIN_VALUE, Long.MAX_VALUE})
    void shouldBreakOnBytesAtAnotherPosition(long position) throws IOException {
        arrives(0, 100);
        side.peer.data(side.id(), position, new byte[10]);
        side.settle();

        assertReads(0, 100);
        assertBroken();
    }

    @Test
    void shouldTakeAFullWindowButNotAByteMore() throws IOException {
        arrives(0, WINDOW);
        assertThat(side.control.isAborted()).isFalse();

        arrives(WINDOW, 1);

        assertThat(side.connection.available()).isEqualTo(WINDOW);
        assertReads(0, WINDOW);
        assertBroken();
    }

    @Test
    void shouldBreakOnAMessageLargerThanTheWindow() throws IOException {
        arrives(0, WINDOW + 1);

        assertBroken();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 9, 11, 1000, (1 << 28) - 1})
    void shouldBreakOnALengthThatIsNotTheMessages(int length) throws IOException {
        side.peer.send(side.id(), Frame.DATA, length, 0, new byte[10]);
        side.settle();

        assertBroken();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 6, 9, 15})
    void shouldBreakOnAnUnknownType(int type) throws IOException {
        side.peer.send(side.id(), type, 0, 0);
        side.settle();

        assertBroken();
    }

    @Test
    void shouldBreakOnAConfirmationWithoutItsPayload() throws IOException {
        side.peer.send(side.id(), Frame.ACK, 0, 0);
        side.settle();

        assertBroken();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 15})
    void shouldIgnoreMessagesShorterThanTheirHeader(int length) throws IOException {
        side.peer.sendBytes(new byte[length]);
        side.settle();

        arrives(0, 10);
        assertReads(0, 10);
    }

    @Test
    void shouldIgnoreMessagesForNobody() throws IOException {
        int id = side.id();
        for (int stranger : new int[] {0, -1, id + 1, id ^ 1 << 20, id ^ 1 << 31, Integer.MIN_VALUE}) {
            side.peer.data(stranger, 0, new byte[10]);
            side.peer.fin(stranger, 0);
            side.peer.send(stranger, 9, 0, 0);
        }
        side.settle();

        assertThat(side.readable()).isFalse();
        arrives(0, 10);
        assertReads(0, 10);
    }

    @Test
    void shouldNotGiveALateMessageToTheNextConnection() throws IOException {
        int old = side.id();
        side.connection.close();
        side.settle();
        side.peer.data(old, 0, new byte[10]);
        try (OneSide next = side.another().bind().attach()) {
            assertThat(next.worker()).isSameAs(side.worker());
            assertThat(next.id() & 0xfffff).as("the same slot").isEqualTo(old & 0xfffff);
            next.settle();

            assertThat(next.readable()).isFalse();
            next.peer.data(next.id(), 0, Pattern.bytes(0, 5));
            next.settle();
            assertThat(Pattern.read(next.connection, 10)).isEqualTo(Pattern.bytes(0, 5));
        }
    }

    @Test
    void shouldSpareTheOtherConnectionsOfALyingPeer() throws IOException {
        try (OneSide other = side.another().bind().attach()) {
            other.write(0, 10);
            side.peer.data(side.id(), 7, new byte[1]);
            side.settle();
            assertBroken();

            other.peer.data(other.id(), 0, Pattern.bytes(0, 10));
            other.settle();
            assertThat(Pattern.read(other.connection, 10)).isEqualTo(Pattern.bytes(0, 10));
            assertThat(other.write(10, 10)).isEqualTo(10);
            other.settle();
            assertThat(other.peer.stream()).isEqualTo(Pattern.bytes(0, 20));
        }
    }

    @Test
    void shouldTellTheEndOfStreamOnlyBehindTheLastByte() throws IOException {
        arrives(0, 10);
        side.peer.fin(side.id(), 10);
        side.settle();

        assertThat(side.readable()).isTrue();
        assertReads(0, 10);
        assertThat(Pattern.read(side.connection, 10)).isNull();
        assertThat(Pattern.read(side.connection, 10)).isNull();
        assertThat(side.readable()).isTrue();
        assertThat(side.write(0, 10)).as("the other direction goes on").isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 9, -1, Long.MIN_VALUE})
    void shouldBreakOnAnEndBeforeWhatArrived(long total) throws IOException {
        arrives(0, 10);
        side.peer.fin(side.id(), total);
        side.settle();

        assertReads(0, 10);
        assertBroken();
    }

    @Test
    void shouldBreakOnBytesBehindTheEnd() throws IOException {
        side.peer.fin(side.id(), 0);
        arrives(0, 1);

        assertThat(Pattern.read(side.connection, 10)).as("the end was told").isNull();
        assertThat(side.control.isAborted()).isTrue();
    }

    @Test
    void shouldBreakOnTwoDifferentEnds() throws IOException {
        side.peer.fin(side.id(), 5);
        side.peer.fin(side.id(), 6);
        side.settle();

        assertBroken();
    }

    @Test
    void shouldTakeTheSameEndTwice() throws IOException {
        side.peer.fin(side.id(), 0);
        side.peer.fin(side.id(), 0);
        side.connection.onControlFin(0);
        side.settle();

        assertThat(Pattern.read(side.connection, 10)).isNull();
        assertThat(side.control.isAborted()).isFalse();
    }

    @Test
    void shouldThrowAwayWhatArrivesAfterTheInputWasShutDown() throws IOException {
        arrives(0, 100);
        side.connection.shutdownInput();
        assertThat(Pattern.read(side.connection, 10)).isNull();
        assertThat(side.readable()).isTrue();

        long position = 100;
        for (int i = 0; i < 10; i++) {
            arrives(position, WINDOW / 2);
            position += WINDOW / 2;
        }

        assertThat(Pattern.read(side.connection, 10)).isNull();
        assertThat(side.control.isAborted()).isFalse();
        assertThat(acknowledgements().get(acknowledgements().size() - 1).position())
                .as("the sender is not held up")
                .isEqualTo(position);
    }

    @Test
    void shouldTakeBytesOverTheControlConnectionInOrder() throws IOException {
        side.connection.onControlData(ByteBuffer.wrap(Pattern.bytes(0, 5000)), false);
        side.connection.onControlData(ByteBuffer.wrap(Pattern.bytes(5000, 5000)), false);
        side.connection.onControlFin(10_000);

        assertReads(0, 10_000);
        assertThat(Pattern.read(side.connection, 1)).isNull();
    }

    @Test
    void shouldBreakOnMoreThanTheWindowOverTheControlConnection() throws IOException {
        side.connection.onControlData(ByteBuffer.wrap(Pattern.bytes(0, WINDOW)), false);
        side.connection.onControlData(ByteBuffer.wrap(Pattern.bytes(WINDOW, 1)), false);

        assertReads(0, WINDOW);
        assertBroken();
    }

    @Test
    void shouldTakeTheCallersBufferOfControlDataAsReadAtOnce() throws IOException {
        byte[] bytes = Pattern.bytes(0, 10);
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        side.connection.onControlData(buffer, false);
        Arrays.fill(bytes, (byte) 0);

        assertThat(buffer.hasRemaining()).isFalse();
        assertReads(0, 10);
    }

    @Test
    void shouldThrowUrgentBytesAwayButCountThem() throws IOException {
        arrives(0, 10);
        side.peer.send(side.id(), Frame.URGENT, 1, 10, new byte[1]);
        side.settle();
        arrives(11, 10);

        assertReads(0, 10);
        assertReads(11, 10);
        assertThat(side.connection.available()).isZero();
        assertThat(side.control.isAborted()).isFalse();
    }

    @Test
    void shouldReadUrgentBytesInlineInTheirPlace() throws IOException {
        side.connection.setUrgentInline(true);
        arrives(0, 10);
        side.peer.send(side.id(), Frame.URGENT, 1, 10, Pattern.bytes(10, 1));
        side.settle();
        arrives(11, 10);

        assertReads(0, 21);
    }
}
