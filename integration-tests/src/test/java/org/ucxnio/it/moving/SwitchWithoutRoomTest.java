package org.ucxnio.it.moving;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.BytePattern;
import org.ucxnio.it.harness.ChannelIo;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.Mode;

/**
 * A connection may move to rings while the peer reads nothing and the socket is full: not even the byte has room that wakes the peer behind
 * the switch. A writer that waits then does so as for any other byte.
 */
@Bounded
@ParameterizedClass
@MethodSource("settings")
class SwitchWithoutRoomTest {
    private static final int PIECE = 64 << 10;

    /** Longer than a connection takes to move, and than the kernel waits before it tries again. */
    private static final int SETTLE_MS = 500;

    private static final int PAUSE_MS = 50;

    @Parameter(0)
    private Flavour flavour;

    @Parameter(1)
    private Style style;

    private final BytePattern outgoing = new BytePattern(1);
    private final BytePattern incoming = new BytePattern(1);
    private final ByteBuffer piece = ByteBuffer.allocate(PIECE).position(PIECE);
    private Pair pair;
    private SocketChannel writer;

    private static java.util.stream.Stream<Arguments> settings() {
        return java.util.stream.Stream.of(Flavour.JDK, Flavour.RINGS)
                .flatMap(flavour -> java.util.stream.Stream.of(Style.BLOCKING, Style.BLOCKING_VIRTUAL)
                        .map(style -> Arguments.of(flavour, style)));
    }

    @BeforeEach
    void connect() throws Exception {
        pair = Pair.connect(flavour);
        writer = pair.client();
        fill();
        pair.accept();
        TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
    }

    @AfterEach
    void close() throws IOException {
        pair.close();
    }

    /**
     * Until there is no room for a single byte, nor after a while: where there is none for many there may be some for one, and the kernel
     * tries again and again what the other side has no room for.
     */
    private void fill() throws Exception {
        writer.configureBlocking(false);
        for (int idle = 0; idle < SETTLE_MS / PAUSE_MS; idle++) {
            while (writeSome(PIECE) > 0 || writeSome(1) > 0) {
                idle = 0;
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }
        writer.configureBlocking(true);
    }

    private int writeSome(int most) throws IOException {
        if (!piece.hasRemaining()) {
            outgoing.fill(piece.clear());
            piece.flip();
        }
        piece.limit(Math.min(PIECE, piece.position() + most));
        try {
            return writer.write(piece);
        } finally {
            piece.limit(PIECE);
        }
    }

    private Attempt<Long> writePieces(int count) {
        long end = outgoing.position() + (long) count * PIECE;
        return style.start(() -> {
            while (outgoing.position() < end || piece.hasRemaining()) {
                writeSome(PIECE);
            }
            return end;
        });
    }

    private Attempt<Integer> readOneByte() {
        return style.start(() -> writer.read(ByteBuffer.allocate(1)));
    }

    @Test
    void shouldCloseWhileCallsWait() throws Exception {
        Attempt<Integer> reading = readOneByte().awaitInside("read");
        Attempt<Long> writing = writePieces(1000).awaitInside("write");
        writer.close();
        assertThat(writing.failure()).isInstanceOf(ClosedChannelException.class);
        assertThat(reading.failure()).isInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void shouldDeliverWhatWasWrittenBeforeItWasClosed() throws Exception {
        long written = outgoing.position() - piece.remaining();
        Attempt<Long> writing = writePieces(1000).awaitInside("write");
        writer.close();
        assertThat(writing.failure()).isInstanceOf(ClosedChannelException.class);
        assertThat(readToEnd()).isGreaterThanOrEqualTo(written);
    }

    @Test
    void shouldInterruptAWriterThatWaits() throws Exception {
        Attempt<Long> writing = writePieces(1000).awaitInside("write");
        writing.thread().interrupt();
        assertThat(writing.failure()).isInstanceOf(ClosedByInterruptException.class);
        assertThat(writing.wasInterruptedAtEnd()).isTrue();
        assertThat(writer.isOpen()).isFalse();
    }

    @Test
    void shouldMoveOnceThePeerReads() throws Exception {
        int pieces = 200;
        long end = outgoing.position() + (long) pieces * PIECE;
        Attempt<Long> writing = writePieces(pieces).awaitInside("write");
        ChannelIo reader = ChannelIo.of(pair.server(), Mode.BLOCKING);
        ByteBuffer bytes = ByteBuffer.allocate(PIECE);
        while (incoming.position() < end) {
            reader.readSome(bytes.clear());
            incoming.verify(bytes.flip());
        }
        assertThat(writing.result()).isEqualTo(end);
        pair.awaitMoved();
        pair.expectOverRings(0);
        writer.write(ByteBuffer.allocate(1));
        assertThat(reader.readSome(bytes.clear())).isEqualTo(1);
        pair.expectOverRings(1);
    }

    private long readToEnd() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PIECE);
        while (pair.server().read(bytes.clear()) >= 0) {
            incoming.verify(bytes.flip());
        }
        return incoming.position();
    }
}
