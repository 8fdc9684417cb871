package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
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
import org.ucxnio.it.harness.Ports;

/** Connecting to somebody who does not answer: timeouts, close, interrupts. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#clients")
class ConnectInterruptedTest {
    @Parameter
    private Setting setting;

    private SocketChannel channel;

    @BeforeEach
    void openChannel() throws IOException {
        channel = setting.flavour().provider().openSocketChannel();
    }

    @AfterEach
    void closeChannel() throws IOException {
        channel.close();
    }

    @Test
    void shouldEndABlockedConnectWhenTheChannelIsClosed() throws Exception {
        try (SilentListener silent = new SilentListener()) {
            Attempt<Boolean> connect = Attempt.start(() -> channel.connect(silent.address()));
            connect.awaitInside("connect");
            channel.close();
            assertThat(connect.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        }
    }

    @Test
    void shouldEndABlockedConnectWhenTheThreadIsInterrupted() throws Exception {
        try (SilentListener silent = new SilentListener()) {
            Attempt<Boolean> connect = Attempt.start(() -> channel.connect(silent.address()));
            connect.awaitInside("connect");
            connect.thread().interrupt();
            assertThat(connect.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
            assertThat(connect.wasInterruptedAtEnd()).isTrue();
            assertThat(channel.isOpen()).isFalse();
        }
    }

    @Test
    void shouldNotConnectWhenInterruptedBefore() throws Exception {
        try (FarListener listener = new FarListener(setting)) {
            Attempt<Boolean> connect = Attempt.start(() -> {
                Thread.currentThread().interrupt();
                return channel.connect(listener.address());
            });
            assertThat(connect.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
            assertThat(connect.wasInterruptedAtEnd()).isTrue();
            assertThat(channel.isOpen()).isFalse();
        }
    }

    @Test
    void shouldCloseAPendingChannelThatIsRegistered() throws IOException {
        try (SilentListener silent = new SilentListener();
                Selector selector = channel.provider().openSelector()) {
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            channel.connect(silent.address());
            channel.close();
            assertThat(key.isValid()).isFalse();
            assertThat(selector.selectNow()).isZero();
            assertThat(selector.keys()).isEmpty();
        }
    }

    @Test
    void shouldConnectWithATimeout() throws IOException {
        try (FarListener listener = new FarListener(setting)) {
            channel.socket().connect(listener.address(), 10_000);
            assertThat(channel.isConnected()).isTrue();
            assertThat(channel.socket().isConnected()).isTrue();
            assertThat(listener.accept("a")).endsWith("|" + channel.getLocalAddress());
        }
    }

    @Test
    void shouldRunIntoTheTimeoutWhenNobodyAnswers() throws IOException {
        try (SilentListener silent = new SilentListener()) {
            assertThatThrownBy(() -> channel.socket().connect(silent.address(), 100))
                    .isInstanceOf(SocketTimeoutException.class);
            assertThat(channel.isOpen()).isFalse();
        }
    }

    @Test
    void shouldReportARefusedTimedConnect() throws IOException {
        int port = Ports.free();
        assertThatThrownBy(() -> channel.socket().connect(Connection.loopback(port), 10_000))
                .isInstanceOf(ConnectException.class)
                .hasMessage("Connection refused");
        assertThat(channel.isOpen()).isFalse();
    }
}
