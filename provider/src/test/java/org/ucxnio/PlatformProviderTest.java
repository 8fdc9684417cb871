package org.ucxnio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.jdk.Natives;
import org.ucxnio.testing.ChildJvm;

@Timeout(60)
class PlatformProviderTest {
    private static final String NAME = "sun.nio.ch.EPollSelectorProvider";

    /** The usual way and the one behind it. */
    static Stream<SelectorProvider> providers() {
        return Stream.of(PlatformProvider.find(), PlatformProvider.take(Natives::export));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void shouldFindTheProvider(SelectorProvider provider) {
        assertThat(provider.getClass().getName()).isEqualTo(NAME);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void shouldSelectAllKindsOfChannels(SelectorProvider provider) throws IOException {
        Pipe pipe = provider.openPipe();
        try (Selector selector = provider.openSelector();
                ServerSocketChannel server = provider.openServerSocketChannel();
                SocketChannel client = provider.openSocketChannel();
                DatagramChannel datagrams = provider.openDatagramChannel();
                Pipe.SourceChannel source = pipe.source();
                Pipe.SinkChannel sink = pipe.sink()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            datagrams.bind(server.getLocalAddress());
            assertThat(client.provider()).isSameAs(provider);
            server.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
            datagrams.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            source.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            assertThat(selector.selectNow()).isZero();
            client.connect(server.getLocalAddress());
            sink.write(ByteBuffer.allocate(1));
            datagrams.send(ByteBuffer.allocate(1), datagrams.getLocalAddress());
            assertThat(selector.select(10_000)).isEqualTo(3);
            assertThat(selector.selectedKeys()).hasSize(3);
            try (SocketChannel accepted = server.accept()) {
                assertThat(accepted.provider()).isSameAs(provider);
                client.configureBlocking(false).register(selector, SelectionKey.OP_WRITE);
                assertThat(selector.select(10_000)).isPositive();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void shouldHaveAnInheritedChannelOrNone(SelectorProvider provider) throws IOException {
        // Which it is depends on the standard input of the tests.
        assertThat(provider.inheritedChannel()).isSameAs(provider.inheritedChannel());
    }

    @Test
    void shouldMakeNothingThatHasState() {
        assertThatThrownBy(() -> PlatformProvider.make("java.lang.String"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("state");
    }

    /** In a JVM without any flag, which would print a line about the first native call. */
    @Test
    void shouldLoadNothingNativeAndSayNothing() throws Exception {
        try (ChildJvm child = ChildJvm.start(List.of("-Xcheck:jni"), Map.of(), PlatformProviderTest.class)) {
            assertThat(child.exitCode()).as(child.output()).isZero();
            assertThat(child.output()).isEqualTo(NAME + "\n");
        }
    }

    public static void main(String[] arguments) throws IOException {
        SelectorProvider provider = PlatformProvider.find();
        provider.openSelector().close();
        System.out.println(provider.getClass().getName());
    }
}
