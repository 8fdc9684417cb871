package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;

/** Sockets of other kinds work with our channels, unaccelerated. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Sides#all")
class OtherSocketsTest {
    @Parameter
    private Sides sides;

    private static <T> T await(Future<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    @Test
    void shouldTalkWithAsynchronousChannels() throws Exception {
        try (Sides s = sides;
                AsynchronousSocketChannel client = AsynchronousSocketChannel.open();
                AsynchronousServerSocketChannel server = AsynchronousServerSocketChannel.open()) {
            ServerSocketChannel listener = s.listener();
            await(client.connect(listener.getLocalAddress()));
            exchange(s.with(listener.accept()), client);
            server.bind(Sides.loopback(0));
            Future<AsynchronousSocketChannel> accepting = server.accept();
            SocketChannel channel = s.socket();
            channel.connect(server.getLocalAddress());
            try (AsynchronousSocketChannel accepted = await(accepting)) {
                exchange(channel, accepted);
            }
        }
    }

    private static void exchange(SocketChannel channel, AsynchronousSocketChannel other) throws Exception {
        ByteBuffer buffer = Sides.room(10);
        assertThat(await(other.write(Sides.bytes("abc")))).isEqualTo(3);
        assertThat(channel.read(buffer)).isEqualTo(3);
        assertThat(channel.write(Sides.bytes("defg"))).isEqualTo(4);
        assertThat(await(other.read(buffer))).isEqualTo(4);
        assertThat(new String(buffer.array(), 0, 7)).isEqualTo("abcdefg");
    }

    @Test
    void shouldTalkWithSockets() throws Exception {
        try (Sides s = sides;
                ServerSocket server = new ServerSocket(0)) {
            ServerSocketChannel listener = s.listener();
            InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
            try (Socket client = new Socket(address.getAddress(), address.getPort())) {
                exchange(s.with(listener.accept()), client);
            }
            SocketChannel channel = s.socket();
            channel.connect(Sides.loopback(server.getLocalPort()));
            try (Socket accepted = server.accept()) {
                exchange(channel, accepted);
            }
        }
    }

    private static void exchange(SocketChannel channel, Socket other) throws Exception {
        ByteBuffer buffer = Sides.room(10);
        other.getOutputStream().write("abc".getBytes());
        assertThat(channel.read(buffer)).isEqualTo(3);
        channel.write(Sides.bytes("defg"));
        assertThat(other.getInputStream().readNBytes(4)).isEqualTo("defg".getBytes());
    }
}
