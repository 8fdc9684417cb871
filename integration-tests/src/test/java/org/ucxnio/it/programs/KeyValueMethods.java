package org.ucxnio.it.programs;

import io.grpc.MethodDescriptor;

/** The methods of a key-value store. Its keys are numbers of 8 bytes. */
final class KeyValueMethods {
    static final String SERVICE = "kv.Store";

    /** Takes a key; gives the value, or nothing where there is none. */
    static final MethodDescriptor<byte[], byte[]> READ = GrpcMethods.unary(SERVICE, "Read");

    /** Takes a key and behind it a value; gives nothing. */
    static final MethodDescriptor<byte[], byte[]> UPDATE = GrpcMethods.unary(SERVICE, "Update");

    private KeyValueMethods() {}
}
