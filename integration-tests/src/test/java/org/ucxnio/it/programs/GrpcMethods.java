package org.ucxnio.it.programs;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** What the gRPC programs call: a method of each kind, with messages that are plain bytes. */
final class GrpcMethods {
    static final String SERVICE = "ucxnio.Echo";

    /** Gives a message back. */
    static final MethodDescriptor<byte[], byte[]> UNARY = method("Unary", MethodDescriptor.MethodType.UNARY);

    /** Gives back as many messages as the request has bytes, each as long as its number. */
    static final MethodDescriptor<byte[], byte[]> DOWN = method("Down", MethodDescriptor.MethodType.SERVER_STREAMING);

    /** Says how many bytes it got, as a decimal number. */
    static final MethodDescriptor<byte[], byte[]> UP = method("Up", MethodDescriptor.MethodType.CLIENT_STREAMING);

    /** Gives each message back. */
    static final MethodDescriptor<byte[], byte[]> BOTH = method("Both", MethodDescriptor.MethodType.BIDI_STREAMING);

    private GrpcMethods() {}

    /** A method of another service, which takes one message and gives one. */
    static MethodDescriptor<byte[], byte[]> unary(String service, String name) {
        return method(service, name, MethodDescriptor.MethodType.UNARY);
    }

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodDescriptor.MethodType type) {
        return method(SERVICE, name, type);
    }

    private static MethodDescriptor<byte[], byte[]> method(
            String service, String name, MethodDescriptor.MethodType type) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
                .setRequestMarshaller(new Bytes())
                .setResponseMarshaller(new Bytes())
                .build();
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
