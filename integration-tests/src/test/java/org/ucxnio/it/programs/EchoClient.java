package org.ucxnio.it.programs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.ucxnio.it.harness.BytePattern;
import org.ucxnio.it.harness.ChannelIo;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Threads;

/**
 * Sends random pieces to an echo server and checks what comes back, on several connections, a thread each. Arguments:
 * host, port, mode, connections, rounds (0: until told to stop), largest piece, seed. The connections stay open until it is
 * told to close them.
 */
public final class EchoClient {
    private final AtomicLong rounds = new AtomicLong();
    private final AtomicLongArray roundsOfEach;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch finished;
    private final AtomicBoolean pausing = new AtomicBoolean();
    private final long wantedRounds;
    private final int largest;

    private EchoClient(int connections, long wantedRounds, int largest) {
        this.roundsOfEach = new AtomicLongArray(connections);
        this.finished = new CountDownLatch(connections);
        this.wantedRounds = wantedRounds;
        this.largest = largest;
    }

    public static void main(String[] arguments) throws IOException {
        InetSocketAddress server = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        Mode mode = Mode.valueOf(arguments[2]);
        int connections = Integer.parseInt(arguments[3]);
        EchoClient client = new EchoClient(connections, Long.parseLong(arguments[4]), Integer.parseInt(arguments[5]));
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[6]));
        for (int i = 0; i < connections; i++) {
            SplittableRandom own = random.split();
            int index = i;
            Threads.daemon("test", () -> client.run(server, mode, own, index));
        }
        Threads.daemon("test", () -> {
            client.awaitFinished();
            Commands.print("DONE " + client.rounds.get());
        });
        Commands.print("STARTED");
        Commands.serve(Map.of(
                "rounds", () -> "ROUNDS " + client.rounds.get(),
                "slowest", () -> "SLOWEST " + client.slowest(),
                "pause", () -> "PAUSED " + client.pausing.getAndSet(true),
                "resume", () -> "RESUMED " + client.pausing.getAndSet(false),
                "stop", () -> "STOPPING " + client.stopping.getAndSet(true),
                "close",
                        () -> {
                            client.closing.countDown();
                            return "CLOSING";
                        }));
    }

    private long slowest() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < roundsOfEach.length(); i++) {
            least = Math.min(least, roundsOfEach.get(i));
        }
        return least;
    }

    private void awaitFinished() {
        try {
            finished.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(InetSocketAddress server, Mode mode, SplittableRandom random, int index) {
        try (ChannelIo io = ChannelIo.of(SocketChannel.open(server), mode)) {
            long seed = random.nextLong();
            BytePattern outgoing = new BytePattern(seed);
            BytePattern incoming = new BytePattern(seed);
            ByteBuffer buffer = ByteBuffer.allocateDirect(largest);
            long done = 0;
            while (!stopping.get() && (wantedRounds == 0 || done < wantedRounds)) {
                if (pausing.get()) {
                    Thread.sleep(10);
                } else {
                    buffer.clear().limit(1 + random.nextInt(largest));
                    exchange(io, outgoing, incoming, buffer);
                    done++;
                    rounds.incrementAndGet();
                    roundsOfEach.incrementAndGet(index);
                }
            }
            finished.countDown();
            closing.await();
        } catch (IOException | RuntimeException | InterruptedException e) {
            Commands.print("CLIENT FAILED after " + rounds.get() + " rounds: " + e);
            e.printStackTrace();
        }
    }

    private static void exchange(ChannelIo io, BytePattern outgoing, BytePattern incoming, ByteBuffer buffer)
            throws IOException {
        outgoing.fill(buffer);
        io.writeFully(buffer.flip());
        buffer.rewind();
        if (io.readFully(buffer) < buffer.limit()) {
            throw new IOException("The server ended the stream");
        }
        incoming.verify(buffer.flip());
    }
}
