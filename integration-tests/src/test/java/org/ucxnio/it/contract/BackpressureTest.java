package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;

/** A reader that stops reading makes its writer unwritable, and writable again when it goes on. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#selecting")
class BackpressureTest {
    private static final long PATIENCE_MS = 20_000;

    /** More than the kernel's largest buffers of both ends, and than any window. */
    private static final long TOO_MUCH = 128L << 20;

    @Parameter
    private Setting setting;

    private Connection connection;
    private SocketChannel channel;
    private Selector selector;
    private SelectionKey key;

    @BeforeEach
    void connect() throws IOException {
        connection = Connection.open(setting);
        channel = connection.channel();
        selector = channel.provider().openSelector();
        key = channel.register(selector, SelectionKey.OP_WRITE);
    }

    @AfterEach
    void close() throws IOException {
        selector.close();
        connection.close();
    }

    /** Writes pieces until a write takes nothing and the key is not ready either. */
    private long fill(int pieceBytes) throws IOException {
        long total = 0;
        ByteBuffer piece = ByteBuffer.allocateDirect(pieceBytes);
        piece.flip();
        int idle = 0;
        while (idle < 3) {
            selector.selectedKeys().clear();
            if (selector.select(50) == 0) {
                idle++;
                continue;
            }
            idle = 0;
            int count = 1;
            while (count > 0) {
                if (!piece.hasRemaining()) {
                    piece.clear();
                    connection.outgoing().fill(piece);
                    piece.flip();
                }
                count = channel.write(piece);
                total += count;
                assertThat(total).isLessThan(TOO_MUCH);
            }
        }
        leftOver = piece;
        return total;
    }

    private ByteBuffer leftOver;

    @Test
    void shouldStopAndGoWithLargeWrites() throws IOException {
        stopAndGo(1 << 20);
    }

    @Test
    void shouldStopAndGoWithSmallWrites() throws IOException {
        stopAndGo(1000);
    }

    private void stopAndGo(int pieceBytes) throws IOException {
        long total = fill(pieceBytes);
        assertThat(total).isPositive();
        assertThat(selector.selectNow()).isZero();
        assertThat(connection.peer("read " + total)).isEqualTo(Long.toString(total));
        selector.selectedKeys().clear();
        assertThat(selector.select(PATIENCE_MS)).isEqualTo(1);
        assertThat(key.isWritable()).isTrue();
        // How much fits at once is each provider's own affair; that it goes on and on is not.
        while (leftOver.hasRemaining()) {
            int count = channel.write(leftOver);
            if (count == 0) {
                selector.selectedKeys().clear();
                assertThat(selector.select(PATIENCE_MS)).isEqualTo(1);
            } else {
                assertThat(connection.peer("read " + count)).isEqualTo(Integer.toString(count));
            }
        }
        connection.write(1000);
        connection.peer("read 1000");
    }

    /** There are programs that write megabytes before they read: an HTTP client its body, while the server answers already. */
    @Test
    void shouldTakeMegabytesThatNobodyReads() throws IOException {
        assertThat(fill(64 << 10)).isGreaterThan(2 << 20);
    }

    @Test
    void shouldStillReadWhileItCannotWrite() throws IOException {
        fill(1 << 20);
        connection.peer("write 100000");
        connection.read(100_000);
        key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        connection.peer("write 1");
        selector.selectedKeys().clear();
        assertThat(selector.select(PATIENCE_MS)).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_READ);
        connection.read(1);
    }

    @Test
    void shouldNotHoldUpAnotherConnection() throws IOException {
        fill(1 << 20);
        try (Connection another = Connection.open(setting)) {
            for (int i = 0; i < 20; i++) {
                another.ping();
            }
        }
    }

    @Test
    void shouldDeliverWhatWasAcceptedWhenClosedWhileFull() throws IOException {
        long total = fill(64 << 10);
        selector.close();
        connection.io().close();
        assertThat(connection.peer("readToEnd")).isEqualTo(Long.toString(total));
    }
}
