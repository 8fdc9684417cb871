package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Ports;

/** Virtual threads block in channels without holding on to the platform threads that carry them. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#blocking")
class VirtualThreadTest {
    /** Many more than there are carriers. */
    private static final int COUNT = 64;

    @Parameter
    private Setting setting;

    @Test
    void shouldReadInMoreThreadsThanThereAreCarriers() throws Exception {
        List<Connection> connections = new ArrayList<>();
        try {
            List<Attempt<Boolean>> readers = new ArrayList<>();
            for (int i = 0; i < COUNT; i++) {
                Connection connection = Connection.open(setting);
                connections.add(connection);
                readers.add(Attempt.startVirtual(() -> {
                    connection.read(100);
                    connection.write(50);
                    connection.read(100_000);
                    return true;
                }));
            }
            readers.get(0).awaitInside("read");
            // Whoever pins its carrier keeps this one from running.
            assertThat(Attempt.startVirtual(() -> true).result()).isTrue();
            for (int i = COUNT - 1; i >= 0; i--) {
                connections.get(i).peer("write 100");
                connections.get(i).peer("read 50");
                connections.get(i).peerStarts("write 100000");
            }
            for (Attempt<Boolean> reader : readers) {
                assertThat(reader.result()).isTrue();
            }
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    @Test
    void shouldWriteInMoreThreadsThanThereAreCarriers() throws Exception {
        List<Connection> connections = new ArrayList<>();
        // More than the kernel's buffers and the largest ring take together.
        int length = 16 << 20;
        try {
            List<Attempt<Boolean>> writers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Connection connection = Connection.open(setting);
                connections.add(connection);
                writers.add(Attempt.startVirtual(() -> {
                    connection.write(length);
                    return true;
                }));
            }
            writers.get(0).awaitInside("write");
            assertThat(Attempt.startVirtual(() -> true).result()).isTrue();
            for (Connection connection : connections) {
                connection.peer("read " + length);
            }
            for (Attempt<Boolean> writer : writers) {
                assertThat(writer.result()).isTrue();
            }
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    @Test
    void shouldAcceptInAVirtualThread() throws Exception {
        try (ServerSocketChannel listener = setting.flavour().provider().openServerSocketChannel()) {
            listener.bind(Connection.loopback(Ports.free()));
            List<Attempt<SocketChannel>> accepts = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                accepts.add(Attempt.startVirtual(listener::accept));
            }
            accepts.get(0).awaitInside("accept");
            assertThat(Attempt.startVirtual(() -> true).result()).isTrue();
            for (Attempt<SocketChannel> accept : accepts) {
                try (SocketChannel client = setting.flavour().provider().openSocketChannel()) {
                    client.connect(listener.getLocalAddress());
                }
            }
            for (Attempt<SocketChannel> accept : accepts) {
                accept.result().close();
            }
        }
    }

    @Test
    void shouldEndABlockedReadByInterruptOrClose() throws Exception {
        try (Connection one = Connection.open(setting);
                Connection two = Connection.open(setting)) {
            Attempt<Integer> first = Attempt.startVirtual(() -> readByte(one)).awaitInside("read");
            first.thread().interrupt();
            assertThat(first.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
            assertThat(first.wasInterruptedAtEnd()).isTrue();
            Attempt<Integer> second = Attempt.startVirtual(() -> readByte(two)).awaitInside("read");
            two.channel().close();
            assertThat(second.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        }
    }

    @Test
    void shouldEndABlockedReadWhenItsInputIsShutDown() throws Exception {
        try (Connection connection = Connection.open(setting)) {
            Attempt<Integer> reader =
                    Attempt.startVirtual(() -> readByte(connection)).awaitInside("read");
            connection.channel().shutdownInput();
            assertThat(reader.result()).isEqualTo(-1);
            assertThat(readByte(connection)).isEqualTo(-1);
            connection.write(1000);
            connection.peer("read 1000");
        }
    }

    private static int readByte(Connection connection) throws IOException {
        return connection.channel().read(ByteBuffer.allocate(1));
    }
}
