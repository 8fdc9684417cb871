package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.config.Config;
import org.ucxnio.ucx.UcsStatus;

@Timeout(30)
class SendSideTest {
    private static final int WINDOW = 16 << 10;
    private static final int MESSAGES = 40;
    private static final int FRAME = 1 << 10;
    private static final int MAX_PAYLOAD = FRAME - Frame.HEADER_LENGTH;

    private OneSide side;

    @BeforeEach
    void open() throws IOException {
        side = OneSide.open(Config.WINDOW, "16k", Config.WINDOW_MESSAGES, String.valueOf(MESSAGES), Config.FRAME, "1k")
                .bind();
    }

    @AfterEach
    void close() {
        side.close();
    }

    private void acknowledge(long bytes, long messages) throws IOException {
        side.peer.acknowledge(side.id(), bytes, messages);
        side.settle();
    }

    private List<RawPeer.Message> data() {
        return side.peer.received(Frame.DATA);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 983, 984, 985, MAX_PAYLOAD, MAX_PAYLOAD + 1, 5000, WINDOW})
    void shouldSendFramesOfAtMostTheConfiguredSize(int count) throws IOException {
        side.attach();

        assertThat(side.write(0, count)).isEqualTo(count);
        side.settle();

        assertThat(side.peer.stream()).isEqualTo(Pattern.bytes(0, count));
        long position = 0;
        for (RawPeer.Message message : data()) {
            assertThat(message.id()).isEqualTo(OneSide.REMOTE_ID);
            assertThat(message.position()).isEqualTo(position);
            assertThat(message.length()).isEqualTo(message.payload().length).isBetween(1, MAX_PAYLOAD);
            position += message.length();
        }
        assertThat(data()).hasSize((count + MAX_PAYLOAD - 1) / MAX_PAYLOAD);
    }

    @Test
    void shouldGatherSmallBuffersIntoOneFrame() throws IOException {
        side.attach();
        ByteBuffer heap = ByteBuffer.wrap(Pattern.bytes(0, 10));
        ByteBuffer direct =
                ByteBuffer.allocateDirect(20).put(Pattern.bytes(10, 20)).flip();
        ByteBuffer readOnly = ByteBuffer.wrap(Pattern.bytes(25, 35)).position(5).asReadOnlyBuffer();
        ByteBuffer[] buffers = {ByteBuffer.allocate(0), heap, direct, ByteBuffer.allocate(0), readOnly};

        assertThat(Pattern.write(side.connection, buffers)).isEqualTo(60);
        side.settle();

        assertThat(buffers).noneMatch(ByteBuffer::hasRemaining);
        assertThat(data()).hasSize(1);
        assertThat(side.peer.stream()).isEqualTo(Pattern.bytes(0, 60));
    }

    @Test
    void shouldTouchOnlyTheBuffersInRange() throws IOException {
        side.attach();
        ByteBuffer before = ByteBuffer.wrap(new byte[4]);
        ByteBuffer within = ByteBuffer.wrap(Pattern.bytes(0, 4));
        ByteBuffer behind = ByteBuffer.wrap(new byte[4]);

        assertThat(side.connection.write(new ByteBuffer[] {before, within, behind}, 1, 1))
                .isEqualTo(4);
        side.settle();

        assertThat(before.remaining()).isEqualTo(4);
        assertThat(behind.remaining()).isEqualTo(4);
        assertThat(side.peer.stream()).isEqualTo(Pattern.bytes(0, 4));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldStopAtTheWindowInBytes(boolean attached) throws IOException {
        if (attached) {
            side.attach();
        }
        ByteBuffer buffer = ByteBuffer.wrap(Pattern.bytes(0, WINDOW + 100));

        assertThat(Pattern.write(side.connection, buffer)).isEqualTo(WINDOW);

        assertThat(buffer.remaining()).isEqualTo(100);
        assertThat(side.writable()).isFalse();
        assertThat(Pattern.write(side.connection, buffer)).isZero();
        if (!attached) {
            side.attach();
        }
        side.settle();
        assertThat(side.peer.stream()).isEqualTo(Pattern.bytes(0, WINDOW));
    }

    @Test
    void shouldStayWritableWhenTheWindowIsUsedUpExactly() throws IOException {
        side.attach();
        assertThat(side.write(0, WINDOW)).isEqualTo(WINDOW);

        assertThat(side.write(WINDOW, 1)).as("the write that finds no room").isZero();
        assertThat(side.writable()).isFalse();
    }

    @Test
    void shouldStopAtTheWindowInMessages() throws IOException {
        side.attach();
        for (int i = 0; i < MESSAGES; i++) {
            assertThat(side.write(i, 1)).isEqualTo(1);
            side.settle();
        }

        assertThat(side.write(MESSAGES, 1)).isZero();
        assertThat(side.writable()).isFalse();
        assertThat(data()).hasSize(MESSAGES);
    }

    @Test
    void shouldBecomeWritableWhenHalfOfTheBytesAreConfirmed() throws IOException {
        side.attach();
        side.write(0, WINDOW + 1);
        side.settle();
        long messages = data().size();
        side.signals.set(0);

        acknowledge(WINDOW / 2 - 1, messages);
        assertThat(side.writable()).isFalse();
        assertThat(side.write(WINDOW, 1)).isZero();
        assertThat(side.signals).hasValue(0);

        acknowledge(WINDOW / 2, messages);
        assertThat(side.signals).as("the selector hears of it once").hasValue(1);
        assertThat(side.writable()).isTrue();
        assertThat(side.write(WINDOW, WINDOW)).isEqualTo(WINDOW / 2);
    }

    @Test
    void shouldBecomeWritableWhenHalfOfTheMessagesAreConfirmed() throws IOException {
        side.attach();
        for (int i = 0; i <= MESSAGES; i++) {
            side.write(i, 1);
            side.settle();
        }

        acknowledge(MESSAGES, MESSAGES / 2 - 1);
        assertThat(side.writable()).isFalse();

        acknowledge(MESSAGES, MESSAGES / 2);
        assertThat(side.writable()).isTrue();
    }

    @Test
    void shouldGiveBackTheWindowOfEveryConfirmation() throws IOException {
        side.attach();
        long written = 0;
        for (int round = 0; round < 20; round++) {
            written += side.write(written, WINDOW + 1);
            side.settle();
            acknowledge(written, data().size());
        }
        assertThat(written).isEqualTo(20L * WINDOW);
        assertThat(side.peer.stream()).isEqualTo(Pattern.bytes(0, 20 * WINDOW));
    }

    @ParameterizedTest
    @CsvSource({"1001, 1", "-1, 1", "1000, 2", "1000, -1", "9223372036854775807, 1", "1000, 9223372036854775807"})
    void shouldBreakWhenThePeerConfirmsWhatWasNeverSent(long bytes, long messages) throws IOException {
        side.attach();
        side.write(0, 1000);
        side.settle();
        assertThat(data()).hasSize(1);

        acknowledge(bytes, messages);

        assertThatThrownBy(() -> side.write(1000, 1)).isInstanceOf(SocketException.class);
        assertThat(side.control.isAborted()).isTrue();
    }

    @Test
    void shouldBreakWhenAConfirmationGoesBackwards() throws IOException {
        side.attach();
        side.write(0, 2000);
        side.settle();
        acknowledge(1500, data().size());
        assertThat(side.control.isAborted()).isFalse();

        acknowledge(1499, data().size());

        assertThat(side.control.isAborted()).isTrue();
    }

    @Test
    void shouldPackWhatIsWrittenWhileMessagesArePending() throws IOException {
        side.attach();
        side.faults.stall();
        int writes = 500;
        for (int i = 0; i < writes; i++) {
            assertThat(side.write(i, 1)).as("write %d", i).isEqualTo(1);
        }
        assertThat(side.endpoint().pendingSends()).as("messages UCX holds").isEqualTo(16);

        side.faults.clear();
        side.settle();

        assertThat(side.peer.stream()).isEqualTo(Pattern.bytes(0, writes));
        assertThat(data()).hasSize(17);
        assertThat(data().get(16).length()).isEqualTo(writes - 16);
    }

    @Test
    void shouldKeepTheOrderWhenThePeersQueueIsFull() throws IOException {
        side.attach();
        int written = 0;
        side.peer.received.clear();
        for (int round = 0; round < 200; round++) {
            int count = 1 + round * 7 % 300;
            written += side.write(written, count);
            if (round % 3 == 0) {
                side.worker().progress();
            }
            if (round % 40 == 39) {
                side.settle();
                acknowledge(written, data().size());
            }
        }
        side.settle();
        assertThat(written).isGreaterThan(10_000);
        assertThat(side.peer.stream()).isEqualTo(Pattern.bytes(0, written));
    }

    @Test
    void shouldSendTheEndOfStreamExactlyBehindTheData() throws IOException {
        side.attach();
        side.faults.stall();
        for (int i = 0; i < 30; i++) {
            side.write(i * 100, 100);
        }
        side.connection.shutdownOutput();
        side.faults.holdPending = false;
        side.settle();

        List<RawPeer.Message> all = side.peer.received;
        assertThat(side.peer.stream()).isEqualTo(Pattern.bytes(0, 3000));
        assertThat(all.get(all.size() - 1).type()).isEqualTo(Frame.FIN);
        assertThat(all.get(all.size() - 1).position()).isEqualTo(3000);
        assertThat(side.peer.received(Frame.FIN)).hasSize(1);
    }

    @Test
    void shouldWriteNothingBehindTheEndOfStream() throws IOException {
        side.attach();
        side.connection.shutdownOutput();
        side.connection.shutdownOutput();
        side.settle();

        assertThat(side.writable()).as("so that a selector tells").isTrue();
        assertThatThrownBy(() -> side.write(0, 1)).isInstanceOf(ClosedChannelException.class);
        assertThat(side.control.isAborted())
                .as("a mistake of the application breaks nothing")
                .isFalse();
        assertThat(side.peer.received(Frame.FIN)).hasSize(1);
    }

    @Test
    void shouldKeepWhatIsWrittenUntilThePeerSaysWhereItReceives() throws IOException {
        for (int i = 0; i < 100; i++) {
            assertThat(side.write(i * 50, 50)).isEqualTo(50);
        }
        side.connection.shutdownOutput();
        side.settle();
        assertThat(side.peer.received).isEmpty();

        side.attach();
        side.settle();

        assertThat(side.peer.stream()).isEqualTo(Pattern.bytes(0, 5000));
        assertThat(side.peer.received(Frame.FIN)).hasSize(1);
        assertThat(data()).as("packed").hasSizeLessThan(10);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                UcsStatus.ERR_NO_MEMORY,
                UcsStatus.ERR_ENDPOINT_TIMEOUT,
                UcsStatus.ERR_IO_ERROR,
                UcsStatus.ERR_CANCELED
            })
    void shouldBreakWhenUcxRefusesAMessage(int status) throws IOException {
        side.attach();
        side.settle();
        side.peer.received.clear();
        side.faults.sendStatus = () -> status;
        assertThatThrownBy(() -> side.write(0, 100)).isInstanceOf(IOException.class);
        side.faults.clear();

        // The bytes are lost: nothing may follow them.
        assertThatThrownBy(() -> side.write(100, 100)).isInstanceOf(SocketException.class);
        side.settle();
        assertThat(side.peer.received).isEmpty();
        assertThat(side.control.isAborted()).isTrue();
    }

    @Test
    void shouldBreakWhenUcxRefusesTheEndOfStream() throws IOException {
        side.attach();
        side.faults.sendStatus = () -> UcsStatus.ERR_NO_MEMORY;
        catchThrowable(side.connection::shutdownOutput);
        side.faults.clear();
        side.settle();

        assertThat(side.control.isAborted()).as("the peer would wait for ever").isTrue();
    }

    @Test
    void shouldGiveTheBytesReadThoughUcxRefusesTheirConfirmation() throws IOException {
        side.attach();
        side.peer.data(side.id(), 0, Pattern.bytes(0, WINDOW / 2));
        side.settle();
        side.faults.sendStatus = () -> UcsStatus.ERR_NO_MEMORY;

        assertThat(Pattern.read(side.connection, WINDOW)).isEqualTo(Pattern.bytes(0, WINDOW / 2));
        assertThat(side.control.isAborted()).isTrue();
        assertThatThrownBy(() -> Pattern.read(side.connection, 1)).isInstanceOf(SocketException.class);
    }

    @Test
    void shouldBreakWhenAPendingMessageFails() throws IOException {
        side.attach();
        side.faults.stall();
        side.write(0, 100);
        side.endpoint().fail(UcsStatus.ERR_ENDPOINT_TIMEOUT);
        side.settle();

        assertThatThrownBy(() -> side.write(100, 1))
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("Connection reset")
                .hasMessageContaining("ERR_ENDPOINT_TIMEOUT");
        assertThat(side.writable()).isTrue();
        assertThat(side.readable()).isTrue();
    }
}
