package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.config.Config;

/** Messages that no peer in its senses sends: they break their connection off, which the peer hears by the socket, and nothing else. */
@Timeout(30)
class BadMessagesTest {
    private static final int WINDOW = 16 << 10;
    private static final int MESSAGES = 16;

    private OneSide side;

    /** Between the same two workers: what is wrong with one connection is not to harm it. */
    private OneSide other;

    @BeforeEach
    void open() throws IOException {
        side = OneSide.open(Config.WINDOW, "16k", Config.WINDOW_MESSAGES, String.valueOf(MESSAGES));
        other = side.another().switched();
    }

    @AfterEach
    void close() {
        other.close();
        side.close();
    }

    private void assertBroken() throws IOException {
        side.settle();
        assertThat(side.carried.broken).as("the peer is told, once").hasValue(1);
        assertThat(side.source.isReadable()).isTrue();
        assertThat(side.sink.isWritable()).isTrue();
        assertThatThrownBy(() -> side.read(1)).isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> side.write(0, 1)).isInstanceOf(SocketException.class);
        assertOtherLives();
    }

    private void assertOtherLives() throws IOException {
        assertThat(other.isBroken()).isFalse();
        other.arrives(0, 10);
        assertThat(other.read(20)).isEqualTo(Pattern.bytes(0, 10));
        assertThat(other.write(0, 10)).isEqualTo(10);
        other.settle();
        assertThat(other.stream()).isEqualTo(Pattern.bytes(0, 10));
    }

    private void assertUnharmed() throws IOException {
        side.settle();
        assertThat(side.isBroken()).isFalse();
        assertThat(side.source.isReadable()).isFalse();
        side.arrives(0, 10);
        assertThat(side.read(20)).isEqualTo(Pattern.bytes(0, 10));
        assertOtherLives();
    }

    // -- bytes -------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 1, 99, 101, 1000, Long.MIN_VALUE, Long.MAX_VALUE})
    void shouldBreakOnBytesAtAnotherPosition(long position) throws IOException {
        side.switched();
        side.arrives(0, 100);
        side.peer.data(side.id, position, new byte[10]);
        side.settle();

        assertThat(side.read(1000)).as("what came before").isEqualTo(Pattern.bytes(0, 100));
        assertBroken();
    }

    @Test
    void shouldTakeAFullWindowButNotAByteMore() throws IOException {
        side.switched();
        side.arrives(0, WINDOW);
        assertThat(side.isBroken()).isFalse();

        side.arrives(WINDOW, 1);

        assertThat(side.source.available()).isEqualTo(WINDOW);
        assertThat(side.read(WINDOW + 1)).isEqualTo(Pattern.bytes(0, WINDOW));
        assertBroken();
    }

    @ParameterizedTest
    @ValueSource(ints = {WINDOW + 1, 4 * WINDOW})
    void shouldBreakOnAMessageLargerThanTheWindow(int length) throws IOException {
        side.switched();
        side.arrives(0, length);

        assertBroken();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 9, 11, 1000, (1 << 28) - 1})
    void shouldBreakOnALengthThatIsNotTheMessages(int length) throws IOException {
        side.switched();
        side.peer.send(side.id, Frame.DATA, length, 0, new byte[10]);

        assertBroken();
    }

    @Test
    void shouldBreakOnUrgentBytesAtAnotherPlaceOrBeyondTheWindow() throws IOException {
        side.switched();
        side.arrives(0, WINDOW);
        side.peer.send(side.id, Frame.URGENT, 1, WINDOW, new byte[1]);
        side.settle();

        assertThat(side.read(WINDOW)).hasSize(WINDOW);
        assertBroken();
    }

    // -- types -------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {Frame.NOP, 10, 11, 12, 13, 14, 15})
    void shouldBreakOnATypeThatNoConnectionHas(int type) throws IOException {
        side.switched();
        side.send(type, 0);

        assertBroken();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 15})
    void shouldIgnoreMessagesShorterThanTheirHeader(int length) throws IOException {
        side.switched();
        side.peer.sendBytes(new byte[length]);
        byte[] named = ByteBuffer.allocate(Math.max(4, length))
                .order(ByteOrder.nativeOrder())
                .putInt(side.id)
                .array();
        side.peer.sendBytes(Arrays.copyOf(named, length));

        assertUnharmed();
    }

    // -- connections -------------------------------------------------------------------------------------------------

    @Test
    void shouldIgnoreMessagesForNobody() throws IOException {
        side.switched();
        int unused = side.id ^ 1 << 20;
        for (int stranger : new int[] {0, -1, side.id + 7, unused, side.id ^ 1 << 31, Integer.MIN_VALUE}) {
            side.peer.data(stranger, 0, new byte[10]);
            for (int type = 0; type < 16; type++) {
                side.peer.send(stranger, type, 0, 0);
            }
        }

        assertUnharmed();
    }

    @Test
    void shouldNotGiveALateMessageToTheNextConnection() throws IOException {
        side.switched();
        side.lane.free();
        try (OneSide next = side.another()) {
            assertThat(next.id & 0xfffff).as("the same slot").isEqualTo(side.id & 0xfffff);
            next.switched();
            side.peer.data(side.id, 0, new byte[10]);
            side.send(Frame.FIN, 10);
            side.send(Frame.LEFT, Frame.LEFT_UNREAD);
            next.settle();

            assertThat(next.source.isReadable()).isFalse();
            next.arrives(0, 5);
            assertThat(next.read(10)).isEqualTo(Pattern.bytes(0, 5));
            assertThat(next.write(0, 5)).isEqualTo(5);
        }
    }

    // -- confirmations -----------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({"1001, 1", "-1, 1", "1000, 2", "1000, -1", "9223372036854775807, 1", "1000, 9223372036854775807"})
    void shouldBreakWhenThePeerConfirmsWhatWasNeverSent(long bytes, long messages) throws IOException {
        side.switched();
        side.write(0, 1000);
        side.settle();

        side.acknowledge(bytes, messages);

        assertBroken();
    }

    @ParameterizedTest
    @CsvSource({"999, 2", "1000, 1"})
    void shouldBreakWhenAConfirmationGoesBackwards(long bytes, long messages) throws IOException {
        side.switched();
        side.write(0, 1000);
        side.write(1000, 1000);
        side.settle();
        side.acknowledge(1000, 2);
        assertThat(side.isBroken()).isFalse();

        side.acknowledge(bytes, messages);

        assertBroken();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7})
    void shouldBreakOnAConfirmationWithoutItsPayload(int length) throws IOException {
        side.switched();
        side.peer.send(side.id, Frame.ACK, length, 0, new byte[length]);

        assertBroken();
    }

    // -- the switch --------------------------------------------------------------------------------------------------

    @Test
    void shouldBreakOnASecondSwitch() throws IOException {
        side.switched();
        side.send(Frame.SWITCH, 0);

        assertBroken();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE})
    void shouldBreakOnASwitchThatIsNowhere(long position) throws IOException {
        side.paired();
        side.send(Frame.SWITCH, position);

        assertBroken();
        assertThat(side.source.switchedAt()).isNegative();
    }

    @Test
    void shouldBreakOnAnAnswerToASwitchThatWasNot() throws IOException {
        side.paired();
        side.send(Frame.SWITCHED, 0);

        assertBroken();
        assertThat(side.carried.switchesKnown).hasValue(0);
    }

    @Test
    void shouldBreakOnASecondAnswerToTheSwitch() throws IOException {
        side.switched();
        side.send(Frame.SWITCHED, 0);

        assertBroken();
    }

    // -- ends --------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(longs = {0, 9, -1, Long.MIN_VALUE})
    void shouldBreakOnAnEndBeforeWhatArrived(long total) throws IOException {
        side.switched();
        side.arrives(0, 10);
        side.send(Frame.FIN, total);
        side.settle();

        assertThat(side.read(20)).isEqualTo(Pattern.bytes(0, 10));
        assertBroken();
    }

    @Test
    void shouldBreakOnBytesBehindTheEnd() throws IOException {
        side.switched();
        side.send(Frame.FIN, 10);
        side.arrives(0, 11);

        assertBroken();
    }

    @Test
    void shouldBreakOnTwoDifferentEnds() throws IOException {
        side.switched();
        side.send(Frame.FIN, 5);
        side.send(Frame.FIN, 6);

        assertBroken();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3, -1, Long.MAX_VALUE})
    void shouldBreakOnAReaderThatLeavesAsNobodyCan(long how) throws IOException {
        side.switched();
        side.send(Frame.LEFT, how);

        assertBroken();
    }

    // -- a connection that nobody uses yet ---------------------------------------------------------------------------

    /** Our end is open, and the peer, which knows its number, sends before we know where it receives. */
    @Test
    void shouldKeepNoMoreThanAWindowForAConnectionThatNobodyUsesYet() throws IOException {
        long before = side.worker.slices().bytes();
        for (int i = 0; i < 64; i++) {
            side.peer.data(side.id, (long) i * WINDOW / 4, new byte[WINDOW / 4]);
        }
        side.settle();

        // One slab for each size of slices.
        long most = 2 * WINDOW + 8 * (SlicePool.LARGE_BYTES + SlicePool.SMALL_BYTES);
        assertThat(side.worker.slices().bytes() - before).isLessThanOrEqualTo(most);
        assertNotTaken();
    }

    /** It broke before it was used: it stays with TCP. */
    private void assertNotTaken() throws IOException {
        side.join().hear();
        assertThat(side.source).isNull();
        side.lane.free();
        side.settle();
        assertThat(side.isBroken()).as("a connection that TCP carries").isFalse();
        assertOtherLives();
    }

    @Test
    void shouldKeepLittleForManyMessagesThatSayNothing() throws IOException {
        long before = side.worker.slices().bytes();
        for (int i = 0; i < 5000; i++) {
            side.peer.send(side.id, Frame.DATA, 0, 0);
            if (i % 32 == 0) {
                side.settle();
            }
        }
        side.settle();

        assertThat(side.worker.slices().bytes()).isEqualTo(before);
        assertOtherLives();
    }

    @ParameterizedTest
    @CsvSource({
        Frame.SWITCH + ", 0",
        Frame.SWITCHED + ", 0",
        Frame.FIN + ", -1",
        Frame.LEFT + ", 9",
        Frame.ACK + ", 0",
        "15, 0"
    })
    void shouldNotTakeAConnectionThatNobodyUsesYet(int type, long position) throws IOException {
        side.send(type, position);
        side.settle();

        assertNotTaken();
    }

    /** Whatever it is, the application hears of it when it has come so far, and the peer too. */
    private void assertBroken(int unread) throws IOException {
        side.settle();
        assertThat(side.read(2 * unread)).hasSize(unread);
        assertBroken();
    }

    @Test
    void shouldKeepWhatCameBeforeItIsUsed() throws IOException {
        side.arrives(0, 100);
        side.send(Frame.FIN, 100);
        side.settle();
        side.paired();

        assertThat(side.read(200)).isEqualTo(Pattern.bytes(0, 100));
        assertThat(side.read(200)).isNull();
        assertOtherLives();
    }

    // -- the words of a pairing --------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {0, 3073, 65535})
    void shouldRefuseAnAddressOfALengthThatNoneHas(int length) throws IOException {
        ByteBuffer words = ByteBuffer.allocate(70_000).putInt(1).putShort((short) length);
        assertThatThrownBy(() -> side.lane.join(words.position(words.capacity()).flip()))
                .isInstanceOf(IOException.class);
        assertOtherLives();
    }
}
