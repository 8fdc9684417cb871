package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.config.Config;

/** What a peer says before our side is bound to a worker. */
@Timeout(30)
class EarlyControlTest {
    private static final int WINDOW = 16 << 10;

    private OneSide side;

    @BeforeEach
    void open() throws IOException {
        side = OneSide.open(Config.WINDOW, "16k");
    }

    @AfterEach
    void close() {
        side.close();
    }

    @Test
    void shouldBeWritableBeforeItIsBound() {
        assertThat(side.connection.readyOps()).isEqualTo(SelectionKey.OP_WRITE);
        assertThat(side.connection.available()).isZero();
        assertThat(side.connection.boundWorker()).isNull();
    }

    @Test
    void shouldTellThePeerWhereItReceivesOnceItIsBound() throws IOException {
        assertThat(side.control.said()).isEmpty();

        side.bind();

        assertThat(side.control.kinds()).containsExactly(TestControl.Kind.BOUND);
        TestControl.Event bound = side.control.last(TestControl.Kind.BOUND);
        assertThat(bound.bytes()).isEqualTo(side.worker().address());
        assertThat((int) bound.value()).isEqualTo(side.id());
    }

    @Test
    void shouldTellThePeerBehindTheWriteThatBindsIt() throws IOException {
        side.connection.onPeerBound(side.peer.address(), OneSide.REMOTE_ID);

        side.connection.bindForWrite(side.group);
        side.connection.bind(side.group);
        assertThat(side.write(0, 10)).isEqualTo(10);
        assertThat(side.control.said()).isEmpty();
        side.connection.tellBound();
        side.connection.tellBound();

        assertThat(side.control.kinds()).containsExactly(TestControl.Kind.BOUND);
        assertThat((int) side.control.last(TestControl.Kind.BOUND).value()).isEqualTo(side.id());
    }

    @Test
    void shouldBindOnce() throws IOException {
        TransportWorker worker = side.bind().worker();

        assertThat(side.connection.bind(side.group)).isSameAs(worker);
        assertThat(side.connection.bind(side.processes.left.newGroup())).isSameAs(worker);
        assertThat(side.control.said()).hasSize(1);
    }

    @Test
    void shouldRememberEverythingInOrder() throws IOException {
        side.connection.onPeerBound(side.peer.address(), OneSide.REMOTE_ID);
        side.connection.onControlData(ByteBuffer.wrap(Pattern.bytes(0, 100)), false);
        side.connection.onControlData(ByteBuffer.wrap(Pattern.bytes(100, 100)), false);
        side.connection.onControlFin(200);
        side.connection.onControlClosed();

        side.bind();

        assertThat(Pattern.read(side.connection, 1000)).isEqualTo(Pattern.bytes(0, 200));
        assertThat(Pattern.read(side.connection, 1000)).isNull();
        assertThatThrownBy(() -> side.write(0, 1))
                .isInstanceOf(SocketException.class)
                .hasMessage("Broken pipe");
    }

    @Test
    void shouldTakeAFullWindowEarly() throws IOException {
        side.connection.onControlData(ByteBuffer.wrap(Pattern.bytes(0, WINDOW)), false);
        side.bind();

        assertThat(Pattern.read(side.connection, 2 * WINDOW)).isEqualTo(Pattern.bytes(0, WINDOW));
        assertThat(side.control.isAborted()).isFalse();
    }

    @Test
    void shouldBreakOnMoreThanAWindowBeforeItIsBound() throws IOException {
        for (int i = 0; i < 1000; i++) {
            ByteBuffer bytes = ByteBuffer.wrap(Pattern.bytes(i * 100L, 100));
            side.connection.onControlData(bytes, false);
            assertThat(bytes.hasRemaining()).isFalse();
        }
        side.bind();

        int most = WINDOW / 100 * 100;
        assertThat(Pattern.read(side.connection, 2 * WINDOW)).isEqualTo(Pattern.bytes(0, most));
        assertThatThrownBy(() -> Pattern.read(side.connection, 1)).isInstanceOf(SocketException.class);
        assertThat(side.control.isAborted()).isTrue();
    }

    @Test
    void shouldResetAPeerThatSaysMoreThanItMayBeforeItIsBound() {
        side.connection.onControlData(ByteBuffer.wrap(new byte[WINDOW]), false);
        assertThat(side.control.isAborted()).isFalse();
        side.connection.onControlData(ByteBuffer.wrap(new byte[1]), false);

        assertThat(side.control.isAborted()).isTrue();
    }

    /** Each costs memory, even if it has no bytes. */
    @Test
    void shouldResetAPeerThatSaysTooOftenWhatHasNoBytes() throws IOException {
        int most = side.processes.left.config().windowMessages();
        for (int i = 0; i < most; i++) {
            side.connection.onControlData(ByteBuffer.allocate(0), false);
        }
        assertThat(side.control.isAborted()).as("as many as the window has").isFalse();

        for (int i = 0; i < 100; i++) {
            side.connection.onPeerBound(side.peer.address(), i);
        }

        assertThat(side.control.isAborted()).isTrue();
        side.bind();
        assertThatThrownBy(() -> Pattern.read(side.connection, 1))
                .isInstanceOf(SocketException.class)
                .hasMessage("The peer sent more than it may");
    }

    @Test
    void shouldBearMoreDataAfterABreakForTooMuch() throws IOException {
        side.connection.onControlData(ByteBuffer.wrap(new byte[WINDOW]), false);
        side.connection.onControlData(ByteBuffer.wrap(new byte[1]), false);
        side.bind();

        // What the control thread had taken from the socket already.
        assertThatCode(() -> side.connection.onControlData(ByteBuffer.wrap(new byte[1]), false))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldTellAnEarlyResetToTheFirstUse() throws IOException {
        side.connection.onControlClosed();
        side.bind();

        assertThatThrownBy(() -> Pattern.read(side.connection, 1))
                .isInstanceOf(SocketException.class)
                .hasMessage("Connection reset");
    }

    @Test
    void shouldEndWithoutAWorkerWhenItWasNeverUsed() {
        side.connection.close();
        side.connection.close();

        assertThat(side.control.kinds()).containsExactly(TestControl.Kind.FIN, TestControl.Kind.END);
        assertThat(side.control.last(TestControl.Kind.FIN).value()).isZero();
        assertThatThrownBy(side::bind).isInstanceOf(SocketException.class);
    }

    @Test
    void shouldSendWhatWasWrittenOverTheControlConnectionWhenClosedBeforeThePeerIsBound() throws IOException {
        side.bind();
        for (int i = 0; i < 10; i++) {
            side.write(i * 1000, 1000);
        }
        side.connection.close();

        List<TestControl.Event> said = side.control.said();
        assertThat(said.get(0).kind()).isEqualTo(TestControl.Kind.BOUND);
        long position = 0;
        for (TestControl.Event event : said.subList(1, said.size() - 2)) {
            assertThat(event.kind()).isEqualTo(TestControl.Kind.DATA);
            assertThat(event.bytes()).isEqualTo(Pattern.bytes(position, event.bytes().length));
            position += event.bytes().length;
        }
        assertThat(position).isEqualTo(10_000);
        assertThat(said.get(said.size() - 2).kind()).isEqualTo(TestControl.Kind.FIN);
        assertThat(said.get(said.size() - 2).value()).isEqualTo(10_000);
        assertThat(said.get(said.size() - 1).kind()).isEqualTo(TestControl.Kind.END);
        assertThat(side.peer.received).isEmpty();
    }

    @Test
    void shouldCarryAWholeExchangeWithAPeerThatIsBoundLate() throws IOException {
        try (TwoSides sides = TwoSides.open()) {
            sides.left.bind();
            Pattern.write(sides.left.connection, 0, 3000);
            sides.left.connection.close();
            sides.deliverControl();
            sides.right.bind();
            sides.deliverControl();

            assertThat(Pattern.read(sides.right.connection, 5000)).isEqualTo(Pattern.bytes(0, 3000));
            assertThat(Pattern.read(sides.right.connection, 5000)).isNull();
        }
    }
}
