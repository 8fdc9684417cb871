package org.ucxnio.it.programs;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Calls each method of {@link GrpcMethods} and checks the answers. Arguments: port, seed. */
public final class GrpcClient {
    private static final int CALLS = 200;
    private static final int LONGEST = 40_000;
    private static final int MESSAGES = 500;
    private static final long PATIENCE_SECONDS = 20;

    private final Channel channel;
    private final SplittableRandom random;

    private GrpcClient(Channel channel, SplittableRandom random) {
        this.channel = channel;
        this.random = random;
    }

    public static void main(String[] arguments) throws Exception {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress("127.0.0.1", Integer.parseInt(arguments[0]));
        ManagedChannel channel = Tls.isOn()
                ? builder.sslContext(GrpcTls.ofClient()).build()
                : builder.usePlaintext().build();
        GrpcClient client = new GrpcClient(channel, new SplittableRandom(Long.parseLong(arguments[1])));
        client.callOneByOne();
        client.streamDown();
        client.streamUp();
        client.streamBothWays();
        Commands.print("DONE");
        Commands.serve(Map.of(
                "close", () -> "CLOSED " + channel.shutdown().awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)));
    }

    private void callOneByOne() {
        for (int i = 0; i < CALLS; i++) {
            long seed = random.nextLong();
            int length = random.nextInt(LONGEST);
            byte[] answer = ClientCalls.blockingUnaryCall(
                    channel, GrpcMethods.UNARY, CallOptions.DEFAULT, Patterns.array(seed, length));
            Patterns.verify(answer, seed, length);
        }
    }

    private void streamDown() {
        Iterator<byte[]> answers = ClientCalls.blockingServerStreamingCall(
                channel, GrpcMethods.DOWN, CallOptions.DEFAULT, new byte[MESSAGES]);
        int count = 0;
        while (answers.hasNext()) {
            Patterns.verify(answers.next(), count, count);
            count++;
        }
        check(count == MESSAGES, "number of messages: " + count);
    }

    private void streamUp() throws Exception {
        Answers answers = new Answers(answer -> {});
        StreamObserver<byte[]> requests =
                ClientCalls.asyncClientStreamingCall(channel.newCall(GrpcMethods.UP, CallOptions.DEFAULT), answers);
        long total = 0;
        for (int i = 0; i < MESSAGES; i++) {
            byte[] message = Patterns.array(i, random.nextInt(LONGEST / 10));
            total += message.length;
            requests.onNext(message);
        }
        requests.onCompleted();
        byte[] last = answers.last.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        check(new String(last, StandardCharsets.US_ASCII).equals(Long.toString(total)), "bytes that went up");
    }

    private void streamBothWays() throws Exception {
        int[] received = {0};
        Answers answers = new Answers(answer -> Patterns.verify(answer, received[0], 10 * received[0]++));
        StreamObserver<byte[]> requests =
                ClientCalls.asyncBidiStreamingCall(channel.newCall(GrpcMethods.BOTH, CallOptions.DEFAULT), answers);
        for (int i = 0; i < MESSAGES; i++) {
            requests.onNext(Patterns.array(i, 10 * i));
        }
        requests.onCompleted();
        answers.last.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        check(received[0] == MESSAGES, "number of messages both ways: " + received[0]);
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException("Wrong: " + what);
        }
    }

    /** Hands on each answer, and completes with the last one. */
    private static final class Answers implements StreamObserver<byte[]> {
        private final Consumer<byte[]> onEach;
        private final CompletableFuture<byte[]> last = new CompletableFuture<>();
        private byte[] newest;

        Answers(Consumer<byte[]> onEach) {
            this.onEach = onEach;
        }

        @Override
        public void onNext(byte[] answer) {
            newest = answer;
            onEach.accept(answer);
        }

        @Override
        public void onError(Throwable failure) {
            last.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            last.complete(newest);
        }
    }
}
