package org.ucxnio.bench.programs.keyvalue;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Keeps records in memory and serves them with the threads that gRPC has by default. */
public final class KeyValueServer {
    private final Map<String, Map<String, byte[]>> records = new ConcurrentHashMap<>();
    private final Server server;

    /**
     * @param port the port it listens on; 0 for any
     * @param direct whether event loops answer themselves, instead of gRPC's pool of threads
     */
    public KeyValueServer(int port, boolean direct) throws IOException {
        ServerServiceDefinition service = ServerServiceDefinition.builder(KeyValueMethods.SERVICE)
                .addMethod(KeyValueMethods.READ, ServerCalls.asyncUnaryCall(answering(this::read)))
                .addMethod(KeyValueMethods.INSERT, ServerCalls.asyncUnaryCall(answering(this::insert)))
                .addMethod(KeyValueMethods.UPDATE, ServerCalls.asyncUnaryCall(answering(this::update)))
                .build();
        NettyServerBuilder builder =
                NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        if (direct) {
            builder.directExecutor();
        }
        server = builder.addService(service).build().start();
    }

    public int port() {
        return server.getPort();
    }

    /** Ends all connections. */
    public void end() {
        server.shutdownNow();
    }

    /** A method that answers with the fields that {@code operation} gives, or that the key is missing where it gives null. */
    private static ServerCalls.UnaryMethod<KeyedRecord, KeyedRecord> answering(
            Function<KeyedRecord, Map<String, byte[]>> operation) {
        return (KeyedRecord request, StreamObserver<KeyedRecord> answers) -> {
            Map<String, byte[]> fields = operation.apply(request);
            if (fields == null) {
                answers.onError(Status.NOT_FOUND.withDescription(request.key()).asRuntimeException());
            } else {
                answers.onNext(new KeyedRecord(request.key(), fields));
                answers.onCompleted();
            }
        };
    }

    private Map<String, byte[]> read(KeyedRecord request) {
        return records.get(request.key());
    }

    private Map<String, byte[]> insert(KeyedRecord request) {
        records.put(request.key(), request.fields());
        return Map.of();
    }

    private Map<String, byte[]> update(KeyedRecord request) {
        // A new map: another thread may be sending the old one.
        Map<String, byte[]> updated = records.computeIfPresent(request.key(), (key, old) -> {
            Map<String, byte[]> merged = new LinkedHashMap<>(old);
            merged.putAll(request.fields());
            return merged;
        });
        return updated == null ? null : Map.of();
    }
}
