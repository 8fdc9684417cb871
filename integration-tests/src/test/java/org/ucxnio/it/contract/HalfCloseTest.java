package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
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

/** One direction ends, the other goes on; the end of a stream is exact. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#all")
class HalfCloseTest {
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
    void shouldEndTheStreamExactlyAfterShutdownOutput() throws IOException {
        for (int length : new int[] {0, 1, 16, 92, 93, 4096, 65_535, 65_537, 1 << 20}) {
            try (Connection one = Connection.open(setting)) {
                CompletableFuture<String> received = one.peerStarts("readToEnd");
                one.write(length);
                assertThat(one.channel().shutdownOutput()).isSameAs(one.channel());
                assertThat(Peer.await(received)).isEqualTo(Integer.toString(length));
            }
        }
    }

    @Test
    void shouldEndTheStreamExactlyAfterThePeersShutdown() throws IOException {
        for (int length : new int[] {0, 1, 16, 92, 93, 4096, 65_535, 65_537, 1 << 20}) {
            try (Connection one = Connection.open(setting)) {
                CompletableFuture<String> written = one.peerStarts("write " + length);
                one.read(length);
                Peer.await(written);
                one.peer("shutdownOutput");
                assertThat(one.readToEnd()).isZero();
                assertThat(one.channel().read(ByteBuffer.allocate(1))).isEqualTo(-1);
                assertThat(one.channel().read(ByteBuffer.allocate(1))).isEqualTo(-1);
                assertThat(one.channel().read(new ByteBuffer[] {ByteBuffer.allocate(1)}))
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void shouldStillReadAfterItsOwnShutdown() throws IOException {
        connection.write(100);
        channel.shutdownOutput();
        assertThat(connection.peer("readToEnd")).isEqualTo("100");
        CompletableFuture<String> written = connection.peerStarts("write 200000");
        connection.read(200_000);
        Peer.await(written);
        connection.peer("shutdownOutput");
        assertThat(connection.readToEnd()).isZero();
        assertThat(channel.isOpen()).isTrue();
        assertThat(channel.isConnected()).isTrue();
    }

    @Test
    void shouldStillWriteAfterThePeersShutdown() throws IOException {
        connection.peer("write 100");
        connection.peer("shutdownOutput");
        assertThat(connection.readToEnd()).isEqualTo(100);
        CompletableFuture<String> received = connection.peerStarts("readToEnd");
        connection.write(200_000);
        channel.shutdownOutput();
        assertThat(Peer.await(received)).isEqualTo("200000");
    }

    @Test
    void shouldRefuseToWriteAfterShutdown() throws IOException {
        channel.shutdownOutput();
        assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1))).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(0))).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> channel.write(new ByteBuffer[] {ByteBuffer.allocate(1)}))
                .isInstanceOf(ClosedChannelException.class);
        assertThat(channel.shutdownOutput()).isSameAs(channel);
        assertThat(channel.isOpen()).isTrue();
        assertThat(channel.socket().isOutputShutdown()).isTrue();
        assertThat(channel.socket().isInputShutdown()).isFalse();
    }

    @Test
    void shouldReadTheEndAfterShutdownInput() throws IOException {
        connection.peer("write 100");
        assertThat(channel.shutdownInput()).isSameAs(channel);
        assertThat(channel.shutdownInput()).isSameAs(channel);
        assertThat(channel.read(ByteBuffer.allocate(10))).isEqualTo(-1);
        assertThat(channel.read(new ByteBuffer[] {ByteBuffer.allocate(10)})).isEqualTo(-1);
        assertThat(channel.socket().isInputShutdown()).isTrue();
        assertThat(channel.socket().isOutputShutdown()).isFalse();
        connection.write(1000);
        connection.peer("read 1000");
    }

    @Test
    void shouldEndWhenBothShutDown() throws IOException {
        channel.shutdownOutput();
        connection.peer("shutdownOutput");
        assertThat(connection.readToEnd()).isZero();
        assertThat(connection.peer("readToEnd")).isEqualTo("0");
        channel.shutdownInput();
        assertThat(channel.isOpen()).isTrue();
        channel.close();
        assertThatThrownBy(channel::shutdownInput).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(channel::shutdownOutput).isInstanceOf(ClosedChannelException.class);
    }
}
