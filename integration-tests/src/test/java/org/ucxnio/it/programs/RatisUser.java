package org.ucxnio.it.programs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.examples.counter.CounterCommand;
import org.apache.ratis.examples.filestore.FileStoreClient;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.exceptions.AlreadyClosedException;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.util.TimeDuration;

/**
 * Increments the counter and writes files until it is told to {@code stop}; {@code stop-files} ends the files alone. {@code progress}
 * answers how many of both were acknowledged, and of how many increments it is not known what became of them; {@code counter} reads the
 * counter, and {@code files} reads all files back and compares them. Arguments: type of messages, ports of all peers, seed.
 */
public final class RatisUser {
    private static final int COUNTING_THREADS = 3;
    private static final int PIECES = 3;
    private static final int SHORTEST_PIECE = 20_000;
    private static final int LONGEST_PIECE = 80_000;
    private static final TimeDuration PAUSE = TimeDuration.valueOf(50, TimeUnit.MILLISECONDS);

    private final String rpcType;
    private final String ports;
    private final SplittableRandom random;
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger unknown = new AtomicInteger();
    private final List<Long> files = new ArrayList<>();

    private RatisUser(String rpcType, String ports, SplittableRandom random) {
        this.rpcType = rpcType;
        this.ports = ports;
        this.random = random;
    }

    public static void main(String[] arguments) throws Exception {
        RatisUser user = new RatisUser(arguments[0], arguments[1], new SplittableRandom(Long.parseLong(arguments[2])));
        Workers counting = new Workers();
        Workers writing = new Workers();
        List<RaftClient> counters = new ArrayList<>();
        for (int i = 0; i < COUNTING_THREADS; i++) {
            RaftClient client = user.open(RatisGroups.COUNTER);
            counters.add(client);
            int[] last = {0};
            counting.start("counter-" + i, () -> last[0] = user.increment(client, last[0]));
        }
        FileStoreClient store = new FileStoreClient(user.open(RatisGroups.FILES));
        writing.start("files", () -> user.writeFile(store));
        Commands.print("STARTED");
        Commands.serve(Map.of(
                "progress",
                () -> {
                    counting.check();
                    writing.check();
                    return user.progress();
                },
                "stop-files",
                () -> {
                    writing.stop();
                    return user.progress();
                },
                "stop",
                () -> {
                    counting.stop();
                    writing.stop();
                    return user.progress();
                },
                "counter",
                () -> "COUNTER " + number(counters.get(0).io().sendReadOnly(CounterCommand.GET.getMessage())),
                "files",
                () -> "FILES " + user.verifyFiles(store)));
    }

    private RaftClient open(RaftGroupId id) {
        RaftGroup group = RatisGroups.group(id, ports);
        RaftProperties properties = RatisGroups.properties(rpcType);
        return RaftClient.newBuilder()
                .setProperties(properties)
                .setRaftGroup(group)
                .setRetryPolicy(RetryPolicies.retryForeverWithSleep(PAUSE))
                .build();
    }

    private String progress() {
        return "PROGRESS " + acknowledged + " " + unknown + " " + written().size();
    }

    private int increment(RaftClient client, int last) throws IOException, InterruptedException {
        int value;
        try {
            value = number(client.io().send(CounterCommand.INCREMENT.getMessage()));
        } catch (AlreadyClosedException e) {
            // With Ratis over Netty a request ends with its connection; over gRPC it is sent again.
            unknown.incrementAndGet();
            PAUSE.sleep();
            return last;
        }
        check(value > last, "the counter went from " + last + " to " + value);
        acknowledged.incrementAndGet();
        return value;
    }

    private static int number(RaftClientReply reply) {
        check(reply.isSuccess(), reply.toString());
        return reply.getMessage().getContent().asReadOnlyByteBuffer().getInt();
    }

    private void writeFile(FileStoreClient store) throws IOException, InterruptedException {
        long seed = random.nextLong();
        try {
            writeFile(store, seed);
        } catch (AlreadyClosedException e) {
            // As with an increment: what there is of the file is not known, and the next one has another name.
            PAUSE.sleep();
            return;
        }
        synchronized (files) {
            files.add(seed);
        }
    }

    private static void writeFile(FileStoreClient store, long seed) throws IOException {
        int length = length(seed);
        for (int piece = 0; piece < PIECES; piece++) {
            ByteBuffer data = ByteBuffer.wrap(Patterns.array(seed + piece, length));
            long count = store.write(path(seed), (long) piece * length, piece == PIECES - 1, data, false);
            check(count == length, count + " bytes written instead of " + length);
        }
    }

    private int verifyFiles(FileStoreClient store) throws IOException, InterruptedException {
        List<Long> all = written();
        for (long seed : all) {
            int length = length(seed);
            for (int piece = 0; piece < PIECES; piece++) {
                Patterns.verify(read(store, path(seed), (long) piece * length, length), seed + piece, length);
            }
        }
        return all.size();
    }

    private static byte[] read(FileStoreClient store, String path, long offset, int length)
            throws IOException, InterruptedException {
        while (true) {
            try {
                return store.read(path, offset, length).toByteArray();
            } catch (AlreadyClosedException e) {
                // The connection was that with the leader that died; the next one is new.
                PAUSE.sleep();
            }
        }
    }

    private static int length(long seed) {
        return new SplittableRandom(seed).nextInt(SHORTEST_PIECE, LONGEST_PIECE);
    }

    private static String path(long seed) {
        return "file-" + Long.toHexString(seed);
    }

    private List<Long> written() {
        synchronized (files) {
            return List.copyOf(files);
        }
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException("Wrong: " + what);
        }
    }
}
