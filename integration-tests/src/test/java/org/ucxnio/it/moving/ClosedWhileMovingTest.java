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

    private static final int MUCH = 64 << 10;

    private final ByteBuffer buffer = ByteBuffer.allocate(100);

    @Test
    void shouldEndAndNotBeReset() throws Exception {
        Seeds.withSeed(seed -> closeMany(new SplittableRandom(seed)));
    }

    /** What the kernel has taken and the peer has not is lost with a reset. */
    @Test
    void shouldDeliverWhatWasWrittenBefore() throws Exception {
        Seeds.withSeed(seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            connectMany(CLOSES / 20, (one, other) -> fillAndClose(random, one, other));
        });
    }

    private interface Use {
        void run(SocketChannel one, SocketChannel other) throws IOException;
    }

    private void closeMany(SplittableRandom random) throws IOException {
        connectMany(CLOSES, (one, other) -> closeOne(random, one, other));
    }

    /** The ends take turns. */
    private static void connectMany(int count, Use use) throws IOException {
        try (ServerSocketChannel listener = Flavour.RINGS.provider().openServerSocketChannel()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            for (int i = 0; i < count; i++) {
                try (SocketChannel client = Flavour.RINGS.provider().openSocketChannel()) {
                    client.connect(listener.getLocalAddress());
                    try (SocketChannel server = listener.accept()) {
                        use.run(i % 2 == 0 ? client : server, i % 2 == 0 ? server : client);
                    }
                }
            }
        }
    }

    private static void fillAndClose(SplittableRandom random, SocketChannel one, SocketChannel other)
            throws IOException {
        ByteBuffer much = ByteBuffer.allocateDirect(MUCH);
        one.configureBlocking(false);
        long written = 0;
        for (int count = 1; count > 0; written += count) {
            count = one.write(much.clear());
        }
        spin(random.nextInt(LONGEST_DELAY_NANOS));
        one.close();
        spin(random.nextInt(LONGEST_DELAY_NANOS));
        long read = 0;
        for (int count = 0; count >= 0; read += Math.max(count, 0)) {
            count = other.read(much.clear());
        }
        assertThat(read).isEqualTo(written);
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
