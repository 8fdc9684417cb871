package org.ucxnio.it.programs;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that read and update records of a {@link KeyValueServer} until they are told to end. Each has records of its own, which must be
 * what it wrote last; a few belong to all, which must be what somebody wrote. {@code progress} answers how many calls were made;
 * {@code verify} reads all records once more. Arguments: port, threads, seed.
 */
public final class KeyValueUser {
    private static final int CHANNELS = 3;
    private static final int RECORDS = 50;
    private static final int SHARED_RECORDS = 4;

    /** The lengths of values, by turns: one short field, and sixteen long ones. */
    private static final int[] LENGTHS = {16, 16 << 10};

    private static final long PATIENCE_SECONDS = 20;

    private final Channel channel;
    private final long firstKey;
    private final SplittableRandom random;
    private final AtomicInteger calls;

    /** What the values of this thread's records were made of; 0 for none. */
    private final long[] written = new long[RECORDS];

    private KeyValueUser(Channel channel, long firstKey, SplittableRandom random, AtomicInteger calls) {
        this.channel = channel;
        this.firstKey = firstKey;
        this.random = random;
        this.calls = calls;
    }

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        int threads = Integer.parseInt(arguments[1]);
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[2]));
        List<ManagedChannel> channels = new ArrayList<>();
        for (int i = 0; i < CHANNELS; i++) {
            channels.add(NettyChannelBuilder.forAddress("127.0.0.1", port)
                    .usePlaintext()
                    .build());
        }
        AtomicInteger calls = new AtomicInteger();
        Workers workers = new Workers();
        List<KeyValueUser> users = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            long firstKey = SHARED_RECORDS + (long) i * RECORDS;
            KeyValueUser user = new KeyValueUser(channels.get(i % CHANNELS), firstKey, random.split(), calls);
            users.add(user);
            workers.start("user-" + i, user::work);
        }
        Commands.print("STARTED");
        Commands.serve(Map.of(
                "progress",
                () -> {
                    workers.check();
                    return "PROGRESS " + calls;
                },
                "verify",
                () -> {
                    workers.stop();
                    users.forEach(KeyValueUser::verify);
                    return "VERIFIED " + calls;
                },
                "close",
                () -> "CLOSED " + close(channels)));
    }

    private static boolean close(List<ManagedChannel> channels) throws InterruptedException {
        boolean closed = true;
        for (ManagedChannel channel : channels) {
            closed &= channel.shutdown().awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        return closed;
    }

    private void work() {
        int record = random.nextInt(RECORDS);
        switch (random.nextInt(4)) {
            case 0 -> update(record);
            case 1 -> updateShared();
            case 2 -> readShared();
            default -> read(record);
        }
    }

    private void update(int record) {
        written[record] = updateAny(firstKey + record);
    }

    private void updateShared() {
        updateAny(random.nextInt(SHARED_RECORDS));
    }

    /** Returns what the new value was made of. It stands at the start of the value. */
    private long updateAny(long key) {
        long seed = random.nextLong() | 1;
        byte[] value = Patterns.array(seed, LENGTHS[random.nextInt(LENGTHS.length)]);
        ByteBuffer request = ByteBuffer.allocate(2 * Long.BYTES + value.length);
        call(KeyValueMethods.UPDATE, request.putLong(key).putLong(seed).put(value));
        return seed;
    }

    private void read(int record) {
        long seed = verified(firstKey + record);
        if (seed != written[record]) {
            throw new IllegalStateException(
                    "Record " + (firstKey + record) + " is of " + seed + " and not of " + written[record]);
        }
    }

    private void readShared() {
        verified(random.nextInt(SHARED_RECORDS));
    }

    private void verify() {
        for (int record = 0; record < RECORDS; record++) {
            read(record);
        }
    }

    /** Returns what the value of a record was made of, having compared all of it. */
    private long verified(long key) {
        byte[] answer =
                call(KeyValueMethods.READ, ByteBuffer.allocate(Long.BYTES).putLong(key));
        if (answer.length == 0) {
            return 0;
        }
        long seed = ByteBuffer.wrap(answer).getLong();
        byte[] value = Arrays.copyOfRange(answer, Long.BYTES, answer.length);
        if (Arrays.stream(LENGTHS).noneMatch(length -> length == value.length)) {
            throw new IllegalStateException("A value of " + value.length + " bytes");
        }
        Patterns.verify(value, seed, value.length);
        return seed;
    }

    private byte[] call(MethodDescriptor<byte[], byte[]> method, ByteBuffer request) {
        byte[] answer = ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, request.array());
        calls.incrementAndGet();
        return answer;
    }
}
