package org.ucxnio.it.programs;

import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** A key-value store in memory, over gRPC and a Netty of the program's own choice. Argument: port. */
public final class KeyValueServer {
    private static final byte[] NOTHING = {};

    private final Map<Long, byte[]> values = new ConcurrentHashMap<>();

    private KeyValueServer() {}

    public static void main(String[] arguments) throws Exception {
        KeyValueServer store = new KeyValueServer();
        ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(KeyValueMethods.SERVICE);
        add(service, KeyValueMethods.READ, store::read);
        add(service, KeyValueMethods.UPDATE, store::update);
        Server server = NettyServerBuilder.forAddress(
                        new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])))
                .addService(service.build())
                .build()
                .start();
        Commands.print("LISTENING " + server.getPort());
        Commands.serve(Map.of());
    }

    private static void add(
            ServerServiceDefinition.Builder service,
            MethodDescriptor<byte[], byte[]> method,
            UnaryOperator<byte[]> handler) {
        service.addMethod(method, ServerCalls.asyncUnaryCall((request, answers) -> {
            answers.onNext(handler.apply(request));
            answers.onCompleted();
        }));
    }

    private byte[] read(byte[] request) {
        return values.getOrDefault(ByteBuffer.wrap(request).getLong(), NOTHING);
    }

    private byte[] update(byte[] request) {
        values.put(ByteBuffer.wrap(request).getLong(), Arrays.copyOfRange(request, Long.BYTES, request.length));
        return NOTHING;
    }
}
