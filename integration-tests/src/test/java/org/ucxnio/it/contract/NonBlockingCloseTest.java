package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;

/** Closing channels in non-blocking mode, most of them registered. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#selecting")
class NonBlockingCloseTest {
    @Parameter
    private Setting setting;

    private Connection connection;
    private SocketChannel channel;

    @BeforeEach
    void connect() throws IOException {
        connection = Connection.open(setting);
        channel = connection.channel();
    }

    @AfterEach
    void close() throws IOException {
        connection.close();
    }

    @Test
    void shouldDeliverWhatWasAcceptedByANonBlockingChannelBeforeClose() throws IOException {
        long written = fill();
        channel.close();
        assertThat(connection.peer("readToEnd")).isEqualTo(Long.toString(written));
    }

    private long fill() throws IOException {
        long total = 0;
        ByteBuffer buffer = ByteBuffer.allocateDirect(64 << 10);
        int count = -1;
        while (count != 0) {
            // Only what was accepted counts as sent: the pattern goes on behind it.
            buffer.compact();
            if (count == -1) {
                buffer.clear();
            }
            connection.outgoing().fill(buffer);
            count = channel.write(buffer.flip());
            total += count;
        }
        return total;
    }

    @Test
    void shouldIgnoreTheInterruptStatusWhenNonBlocking() throws IOException {
        Thread.currentThread().interrupt();
        try {
            assertThat(channel.read(ByteBuffer.allocate(1))).isZero();
            assertThat(channel.isOpen()).isTrue();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        connection.ping();
    }

    @Test
    void shouldLeaveTheSelectorWhenClosed() throws IOException {
        try (Selector selector = channel.provider().openSelector()) {
            SelectionKey key = channel.register(selector, SelectionKey.OP_WRITE);
            assertThat(selector.select(20_000)).isEqualTo(1);
            channel.close();
            assertThat(key.isValid()).isFalse();
            assertThat(selector.selectNow()).isZero();
            assertThat(selector.keys()).isEmpty();
            assertThat(selector.selectedKeys()).isEmpty();
        }
    }

    @Test
    void shouldCloseWhileAnotherThreadSelects() throws Exception {
        try (Selector selector = channel.provider().openSelector()) {
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            Attempt<Integer> select = Attempt.start(() -> selector.select()).awaitInside("select");
            channel.close();
            assertThat(key.isValid()).isFalse();
            // The peer must see the end although the selector still sleeps over the key.
            assertThat(connection.peer("readToEnd")).isEqualTo("0");
            selector.wakeup();
            assertThat(select.result()).isZero();
            assertThat(selector.selectNow()).isZero();
            assertThat(selector.keys()).isEmpty();
        }
    }

    @Test
    void shouldStayReadableAtTheEndOfTheStream() throws IOException {
        try (Selector selector = channel.provider().openSelector()) {
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            connection.peer("shutdownOutput");
            for (int round = 0; round < 3; round++) {
                assertThat(selector.select(20_000)).isEqualTo(1);
                assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_READ);
                assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
                selector.selectedKeys().clear();
            }
        }
    }

    @Test
    void shouldBecomeReadableByShutdownInput() throws IOException {
        try (Selector selector = channel.provider().openSelector()) {
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            assertThat(selector.selectNow()).isZero();
            channel.shutdownInput();
            assertThat(selector.select(20_000)).isEqualTo(1);
            assertThat(key.isReadable()).isTrue();
        }
    }

    @Test
    void shouldBecomeReadableWhenThePeerResets() throws IOException {
        try (Selector selector = channel.provider().openSelector()) {
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            connection.peer("reset");
            assertThat(selector.select(20_000)).isEqualTo(1);
            assertThat(key.isReadable()).isTrue();
            assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).isInstanceOf(IOException.class);
        }
    }

    /** The peer may write until it has heard of the close, which the kernel's own loopback tells it at once and others do not. */
    @Test
    void shouldFailThePeersWritesWhenClosedWithUnreadDataAndDeregistered() throws IOException {
        connection.peer("write 1000");
        connection.io().close();
        assertThat(connection.peer("writeInVain")).as("%s", setting).isIn("Broken pipe", "Connection reset by peer");
    }
}
