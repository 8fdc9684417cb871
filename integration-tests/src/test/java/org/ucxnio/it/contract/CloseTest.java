package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardSocketOptions;
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
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Peer;

/** Closing at either end, in both modes. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#all")
class CloseTest {
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
    void shouldDeliverWhatWasWrittenBeforeClose() throws IOException {
        channel.configureBlocking(setting.mode() == Mode.BLOCKING);
        connection.write(100_000);
        channel.close();
        assertThat(connection.peer("readToEnd")).isEqualTo("100000");
    }

    /** Writes until the channel takes no more. */
    @Test
    void shouldEndThePeersReadWhenClosed() throws IOException {
        CompletableFuture<String> ended = connection.peerStarts("readToEnd");
        connection.write(10);
        channel.close();
        assertThat(Peer.await(ended)).isEqualTo("10");
    }

    @Test
    void shouldReadWhatThePeerWroteBeforeItClosed() throws IOException {
        connection.peer("write 50000");
        connection.peer("close");
        assertThat(connection.readToEnd()).isEqualTo(50_000);
        assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThat(channel.isOpen()).isTrue();
        assertThat(channel.isConnected()).isTrue();
    }

    @Test
    void shouldFailToWriteWhenThePeerIsGone() throws IOException {
        connection.peer("close");
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 10_000_000; i++) {
                        connection.io().writeFully(ByteBuffer.allocate(1000));
                    }
                })
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldResetThePeerWhenClosedWithoutLinger() throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        connection.io().close();
        assertThatThrownBy(() -> connection.peer("read 1"))
                .isInstanceOf(Peer.PeerFailure.class)
                .hasMessageContaining("Connection reset");
    }

    @Test
    void shouldReportAResetByThePeer() throws IOException {
        connection.peer("reset");
        assertThatThrownBy(() -> connection.read(1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Connection reset");
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void shouldRefuseEverythingOnceClosed() throws IOException {
        channel.close();
        channel.close();
        ByteBuffer buffer = ByteBuffer.allocate(1);
        assertThat(channel.isOpen()).isFalse();
        assertThatThrownBy(() -> channel.read(buffer)).isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> channel.write(buffer)).isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> channel.read(new ByteBuffer[] {buffer}))
                .isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> channel.write(new ByteBuffer[] {buffer}))
                .isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(channel::getRemoteAddress).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(channel::getLocalAddress).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> channel.setOption(StandardSocketOptions.TCP_NODELAY, true))
                .isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> channel.getOption(StandardSocketOptions.TCP_NODELAY))
                .isInstanceOf(ClosedChannelException.class);
    }
}
