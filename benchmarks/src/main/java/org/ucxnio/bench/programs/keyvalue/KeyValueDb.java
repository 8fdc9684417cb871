package org.ucxnio.bench.programs.keyvalue;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.ucxnio.bench.programs.ycsb.RecordDb;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/** YCSB's records in a {@link KeyValueServer}: one for each thread, with a connection of its own. */
public final class KeyValueDb extends RecordDb {
    private static final long CLOSE_SECONDS = 5;

    private final int port;
    private ManagedChannel channel;

    public KeyValueDb(int port) {
        this.port = port;
    }

    @Override
    public void init() {
        channel = NettyChannelBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .usePlaintext()
                .build();
    }

    @Override
    public void cleanup() throws DBException {
        try {
            if (!channel.shutdown().awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                throw new DBException("the channel does not end");
            }
        } catch (InterruptedException e) {
            throw new DBException(e);
        }
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        try {
            KeyedRecord answer = call(KeyValueMethods.READ, key, Map.of());
            answer.fields().forEach((name, value) -> {
                if (fields == null || fields.contains(name)) {
                    result.put(name, new ByteArrayByteIterator(value));
                }
            });
            return Status.OK;
        } catch (StatusRuntimeException e) {
            return status(e);
        }
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return write(KeyValueMethods.INSERT, key, values);
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return write(KeyValueMethods.UPDATE, key, values);
    }

    private Status write(
            MethodDescriptor<KeyedRecord, KeyedRecord> method, String key, Map<String, ByteIterator> values) {
        try {
            Map<String, byte[]> fields = new HashMap<>();
            values.forEach((name, value) -> fields.put(name, value.toArray()));
            call(method, key, fields);
            return Status.OK;
        } catch (StatusRuntimeException e) {
            return status(e);
        }
    }

    private KeyedRecord call(
            MethodDescriptor<KeyedRecord, KeyedRecord> method, String key, Map<String, byte[]> fields) {
        return ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, new KeyedRecord(key, fields));
    }

    private static Status status(StatusRuntimeException e) {
        return e.getStatus().getCode() == io.grpc.Status.Code.NOT_FOUND
                ? Status.NOT_FOUND
                : new Status("ERROR", e.toString());
    }
}
