package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Peer;

/** One channel, first blocking, then with one selector, then with another, while data flows. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#blocking")
class ModeSwitchTest {
    private static final long PATIENCE_MS = 20_000;

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
    void shouldKeepTheOrderOfBytesThroughAllModes() throws IOException {
        CompletableFuture<String> written = connection.peerStarts("write 3000000");
        for (int round = 0; round < 10; round++) {
            connection.read(100_000);
            try (Selector selector = channel.provider().openSelector()) {
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ);
                readSelecting(selector, 100_000);
            }
            channel.configureBlocking(false);
            readPolling(100_000);
            channel.configureBlocking(true);
        }
        Peer.await(written);
        connection.ping();
    }

    private void readSelecting(Selector selector, int count) throws IOException {
        int left = count;
        while (left > 0) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(left);
            left -= Math.max(0, channel.read(buffer));
            connection.incoming().verify(buffer.flip());
            if (left > 0) {
                selector.select(PATIENCE_MS);
                selector.selectedKeys().clear();
            }
        }
    }

    private void readPolling(int count) throws IOException {
        int left = count;
        while (left > 0) {
            ByteBuffer buffer = ByteBuffer.allocate(left);
            left -= Math.max(0, channel.read(buffer));
            connection.incoming().verify(buffer.flip());
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldWriteThroughAllModes() throws IOException {
        CompletableFuture<String> received = connection.peerStarts("read 600000");
        for (int round = 0; round < 3; round++) {
            connection.write(100_000);
            channel.configureBlocking(false);
            try (Selector selector = channel.provider().openSelector()) {
                channel.register(selector, SelectionKey.OP_WRITE);
                ByteBuffer buffer = ByteBuffer.allocateDirect(100_000);
                connection.outgoing().fill(buffer);
                buffer.flip();
                while (buffer.hasRemaining()) {
                    assertThat(selector.select(PATIENCE_MS)).isEqualTo(1);
                    selector.selectedKeys().clear();
                    channel.write(buffer);
                }
            }
            channel.configureBlocking(true);
        }
        Peer.await(received);
    }

    @Test
    void shouldMoveToAnotherSelectorWithDataUnread() throws IOException {
        channel.configureBlocking(false);
        try (Selector first = channel.provider().openSelector();
                Selector second = channel.provider().openSelector()) {
            SelectionKey key = channel.register(first, SelectionKey.OP_READ);
            connection.peer("write 1000");
            assertThat(first.select(PATIENCE_MS)).isEqualTo(1);
            key.cancel();
            assertThat(first.selectNow()).isZero();
            channel.register(second, SelectionKey.OP_READ);
            assertThat(second.select(PATIENCE_MS)).isEqualTo(1);
            readSelecting(second, 1000);
            connection.peer("write 1000");
            assertThat(first.selectNow()).isZero();
            second.selectedKeys().clear();
            assertThat(second.select(PATIENCE_MS)).isEqualTo(1);
            readSelecting(second, 1000);
        }
    }

    @Test
    void shouldRefuseToBlockWhileRegistered() throws IOException {
        channel.configureBlocking(false);
        assertThat(channel.isBlocking()).isFalse();
        try (Selector selector = channel.provider().openSelector()) {
            SelectionKey key = channel.register(selector, 0);
            assertThatThrownBy(() -> channel.configureBlocking(true)).isInstanceOf(IllegalBlockingModeException.class);
            key.cancel();
            selector.selectNow();
            channel.configureBlocking(true);
            assertThat(channel.isBlocking()).isTrue();
        }
        connection.ping();
    }

    @Test
    void shouldNotBlockInNonBlockingModeWithoutASelector() throws IOException {
        channel.configureBlocking(false);
        assertThat(channel.read(ByteBuffer.allocate(1))).isZero();
        connection.peer("write 10");
        readPolling(10);
        assertThat(channel.read(ByteBuffer.allocate(1))).isZero();
        connection.peer("close");
        int count = 0;
        while (count == 0) {
            count = channel.read(ByteBuffer.allocate(1));
            Thread.onSpinWait();
        }
        assertThat(count).isEqualTo(-1);
    }
}
