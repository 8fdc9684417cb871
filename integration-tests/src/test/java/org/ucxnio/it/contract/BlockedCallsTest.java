package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Peer;

/** Close and interrupt while, or before, a thread is in a blocking call. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#blocking")
class BlockedCallsTest {
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
    void shouldResetThePeerWhenClosedWithUnreadData() throws IOException {
        // While a channel is registered, close only sends the end of the stream; the rest follows the deregistration.
        connection.peer("write 1000");
        // What is still under way is not unread yet.
        await().until(() -> channel.socket().getInputStream().available() > 0);
        channel.close();
        assertThatThrownBy(() -> connection.peer("read 1"))
                .isInstanceOf(Peer.PeerFailure.class)
                .hasMessageContaining("Connection reset");
    }

    @Test
    void shouldEndABlockedReadWhenClosed() throws Exception {
        Attempt<Integer> read =
                Attempt.start(() -> channel.read(ByteBuffer.allocate(1))).awaitInside("read");
        channel.close();
        assertThat(read.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        assertThat(connection.peer("readToEnd")).isEqualTo("0");
    }

    @Test
    void shouldEndABlockedWriteWhenClosed() throws Exception {
        Attempt<Void> write = Attempt.start(this::writeForEver).awaitInside("write");
        channel.close();
        // A write that had accepted something returns that; then it is the next one that fails.
        assertThat(write.failure()).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldEndABlockedReadWhenInterrupted() throws Exception {
        Attempt<Integer> read =
                Attempt.start(() -> channel.read(ByteBuffer.allocate(1))).awaitInside("read");
        read.thread().interrupt();
        assertThat(read.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(read.wasInterruptedAtEnd()).isTrue();
        assertThat(channel.isOpen()).isFalse();
        assertThat(connection.peer("readToEnd")).isEqualTo("0");
    }

    @Test
    void shouldEndABlockedWriteWhenInterrupted() throws Exception {
        Attempt<Void> write = Attempt.start(this::writeForEver).awaitInside("write");
        write.thread().interrupt();
        assertThat(write.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(write.wasInterruptedAtEnd()).isTrue();
        assertThat(channel.isOpen()).isFalse();
    }

    private Void writeForEver() throws IOException {
        while (true) {
            channel.write(ByteBuffer.allocateDirect(1 << 20));
        }
    }

    @Test
    void shouldEndAReadAtOnceWhenInterruptedBefore() throws Exception {
        connection.peer("write 1");
        Attempt<Integer> read = Attempt.start(() -> {
            Thread.currentThread().interrupt();
            return channel.read(ByteBuffer.allocate(1));
        });
        assertThat(read.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(read.wasInterruptedAtEnd()).isTrue();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldEndAWriteAtOnceWhenInterruptedBefore() throws Exception {
        Attempt<Integer> write = Attempt.start(() -> {
            Thread.currentThread().interrupt();
            return channel.write(ByteBuffer.allocate(1));
        });
        assertThat(write.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(write.wasInterruptedAtEnd()).isTrue();
    }

    @Test
    void shouldEndABlockedReadByShutdownInput() throws Exception {
        Attempt<Integer> read =
                Attempt.start(() -> channel.read(ByteBuffer.allocate(1))).awaitInside("read");
        channel.shutdownInput();
        assertThat(read.result()).isEqualTo(-1);
        connection.write(100);
        connection.peer("read 100");
    }

    @Test
    void shouldEndABlockedWriteByShutdownOutput() throws Exception {
        Attempt<Void> write = Attempt.start(this::writeForEver).awaitInside("write");
        channel.shutdownOutput();
        assertThat(write.failure()).isInstanceOf(ClosedChannelException.class);
        assertThat(channel.isOpen()).isTrue();
        connection.peer("write 100");
        connection.read(100);
    }
}
