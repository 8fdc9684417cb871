package org.ucxnio.bench.programs.keyvalue;

import io.grpc.MethodDescriptor;

/** The methods of the store. Each answers with a record; a key that is missing is gRPC's {@code NOT_FOUND}. */
final class KeyValueMethods {
    static final String SERVICE = "ucxnio.KeyValue";

    /** Answers with the record of a key. */
    static final MethodDescriptor<KeyedRecord, KeyedRecord> READ = method("Read");

    /** Puts a record in place of one that may be there; answers without fields. */
    static final MethodDescriptor<KeyedRecord, KeyedRecord> INSERT = method("Insert");

    /** Replaces those fields of a record that the request has; answers without fields. */
    static final MethodDescriptor<KeyedRecord, KeyedRecord> UPDATE = method("Update");

    private KeyValueMethods() {}

    private static MethodDescriptor<KeyedRecord, KeyedRecord> method(String name) {
        return MethodDescriptor.<KeyedRecord, KeyedRecord>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .setRequestMarshaller(KeyedRecord.MARSHALLER)
                .setResponseMarshaller(KeyedRecord.MARSHALLER)
                .build();
    }
}
