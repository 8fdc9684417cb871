package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Peer;
import org.ucxnio.it.harness.Seeds;

/** Random schedules of sizes, buffers and threads: what is read is what was written. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#all")
class ByteIntegrityTest {
    private static final long BYTES_EACH_WAY = 12L << 20;
    private static final int LARGEST = 8 << 20;
    private static final int CONNECTIONS = 3;

    @Parameter
    private Setting setting;

    @Test
    void shouldKeepBytesInOrderOnOneConnection() throws Exception {
        Seeds.withSeed(seed -> run(seed, 1, 2 * BYTES_EACH_WAY));
    }

    @Test
    void shouldKeepBytesInOrderOnSeveralConnectionsAtOnce() throws Exception {
        Seeds.withSeed(seed -> run(seed, CONNECTIONS, BYTES_EACH_WAY));
    }

    @Test
    void shouldKeepSmallMessagesInOrder() throws Exception {
        Seeds.withSeed(seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            try (Connection connection = Connection.open(setting)) {
                CompletableFuture<String> received = connection.peerStarts("readToEnd");
                long total = 0;
                for (int i = 0; i < 20_000; i++) {
                    int length = random.nextInt(200);
                    connection.io().writeFully(filled(connection, newBuffer(random, length)));
                    total += length;
                }
                connection.channel().shutdownOutput();
                assertThat(Peer.await(received)).isEqualTo(Long.toString(total));
            }
        });
    }

    private void run(long seed, int connections, long bytesEachWay) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        List<Attempt<Boolean>> attempts = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            SplittableRandom own = random.split();
            attempts.add(Attempt.start(() -> {
                exchange(own, bytesEachWay);
                return true;
            }));
        }
        for (Attempt<Boolean> attempt : attempts) {
            assertThat(attempt.result()).isTrue();
        }
    }

    /** Writes on this thread while another one reads; the peer does the same. */
    private void exchange(SplittableRandom random, long bytesEachWay) throws Exception {
        try (Connection connection = Connection.open(setting)) {
            CompletableFuture<String> received = connection.peerStarts("readToEnd");
            CompletableFuture<String> written = connection.peerStarts("write " + bytesEachWay);
            SplittableRandom readerRandom = random.split();
            Attempt<Long> reader = Attempt.start(() -> readAtRandom(connection, readerRandom, bytesEachWay));
            long sent = writeAtRandom(connection, random, bytesEachWay);
            connection.channel().shutdownOutput();
            assertThat(Peer.await(received)).isEqualTo(Long.toString(sent));
            assertThat(reader.result()).isEqualTo(bytesEachWay);
            Peer.await(written);
            connection.peer("shutdownOutput");
            assertThat(connection.readToEnd()).isZero();
        }
    }

    private static long writeAtRandom(Connection connection, SplittableRandom random, long atLeast) throws IOException {
        long total = 0;
        while (total < atLeast) {
            ByteBuffer[] buffers = new ByteBuffer[random.nextInt(4) == 0 ? 1 + random.nextInt(5) : 1];
            for (int i = 0; i < buffers.length; i++) {
                buffers[i] = filled(connection, newBuffer(random, length(random) / buffers.length));
                total += buffers[i].remaining();
            }
            connection.io().writeFully(buffers);
        }
        return total;
    }

    private static long readAtRandom(Connection connection, SplittableRandom random, long wanted) throws IOException {
        long total = 0;
        while (total < wanted) {
            int limit = (int) Math.min(wanted - total, length(random));
            if (random.nextInt(4) == 0) {
                total += readScattered(connection, random, limit);
            } else {
                ByteBuffer buffer = newBuffer(random, limit);
                ByteBuffer view = buffer.duplicate();
                int count = connection.io().readSome(buffer);
                if (count < 0) {
                    throw new AssertionError("End of stream after " + total + " of " + wanted + " bytes");
                }
                connection.incoming().verify(view.limit(view.position() + count));
                total += count;
            }
        }
        return total;
    }

    private static long readScattered(Connection connection, SplittableRandom random, int limit) throws IOException {
        ByteBuffer[] buffers = new ByteBuffer[1 + random.nextInt(4)];
        ByteBuffer[] views = new ByteBuffer[buffers.length];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = newBuffer(random, limit / buffers.length);
            views[i] = buffers[i].duplicate();
        }
        long count = connection.channel().read(buffers);
        if (count < 0) {
            throw new AssertionError("End of stream");
        }
        long checked = 0;
        for (int i = 0; i < buffers.length; i++) {
            checked += buffers[i].position() - views[i].position();
            connection.incoming().verify(views[i].limit(buffers[i].position()));
        }
        if (checked != count) {
            throw new AssertionError("read returned " + count + " but moved the buffers by " + checked);
        }
        return count;
    }

    /** Mostly small, sometimes as large as can be, often around sizes at which implementations change their ways. */
    private static int length(SplittableRandom random) {
        int[] edges = {0, 1, 64, 92, 4096, 8192, 32_752, 32_768, 65_536, 262_144};
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> random.nextInt(300);
            case 3, 4 -> random.nextInt(20_000);
            case 5 -> Math.max(0, edges[random.nextInt(edges.length)] + random.nextInt(-2, 3));
            case 6 -> random.nextInt(300_000);
            default -> random.nextInt(10) == 0 ? random.nextInt(LARGEST) : random.nextInt(100_000);
        };
    }

    /** An empty buffer of some kind that starts somewhere in its memory. */
    private static ByteBuffer newBuffer(SplittableRandom random, int length) {
        int before = random.nextInt(16);
        int size = length + before + random.nextInt(16);
        ByteBuffer buffer = random.nextBoolean() ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
        return random.nextBoolean()
                ? buffer.slice(before, length)
                : buffer.position(before).limit(before + length);
    }

    private static ByteBuffer filled(Connection connection, ByteBuffer buffer) {
        int start = buffer.position();
        connection.outgoing().fill(buffer);
        return buffer.position(start);
    }
}
