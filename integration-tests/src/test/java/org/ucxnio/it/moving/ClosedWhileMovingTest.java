package org.ucxnio.it.moving;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.Seeds;

/**
 * One end closes at the moment when the other moves, and sends a byte that wakes nobody any more: the end of the stream arrives, not a
 * reset. {@code -Ducxnio.it.closes=100000} for more of them.
 */
@Bounded
class ClosedWhileMovingTest {
    private static final int CLOSES = Integer.getInteger("ucxnio.it.closes", 4000);

    /** Fresh connections of one JVM are about to move then. */
    private static final int LONGEST_DELAY_NANOS = 600_000;

    private final ByteBuffer buffer = ByteBuffer.allocate(100);

    @Test
    void shouldEndAndNotBeReset() throws Exception {
        Seeds.withSeed(seed -> closeMany(new SplittableRandom(seed)));
    }

    private void closeMany(SplittableRandom random) throws IOException {
        try (ServerSocketChannel listener = Flavour.RINGS.provider().openServerSocketChannel()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            for (int i = 0; i < CLOSES; i++) {
                try (SocketChannel client = Flavour.RINGS.provider().openSocketChannel()) {
                    client.connect(listener.getLocalAddress());
                    try (SocketChannel server = listener.accept()) {
                        closeOne(random, i % 2 == 0 ? client : server, i % 2 == 0 ? server : client);
                    }
                }
            }
        }
    }

    private void closeOne(SplittableRandom random, SocketChannel one, SocketChannel other) throws IOException {
        one.write(buffer.clear());
        readFully(other);
        other.write(buffer.clear());
        readFully(one);
        spin(random.nextInt(LONGEST_DELAY_NANOS));
        one.close();
        assertThat(other.read(buffer.clear())).isEqualTo(-1);
    }

    private void readFully(SocketChannel channel) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            assertThat(channel.read(buffer)).isPositive();
        }
    }

    private static void spin(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }
}
