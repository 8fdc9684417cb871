package org.ucxnio.bench.programs.keyvalue;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * What requests and answers are made of.
 *
 * @param key the record's key
 * @param fields its fields, or some of them
 */
record KeyedRecord(String key, Map<String, byte[]> fields) {
    /** How it travels. */
    static final MethodDescriptor.Marshaller<KeyedRecord> MARSHALLER = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(KeyedRecord value) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try {
                DataOutputStream out = new DataOutputStream(bytes);
                out.writeUTF(value.key());
                Fields.write(value.fields(), out);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return new ByteArrayInputStream(bytes.toByteArray());
        }

        @Override
        public KeyedRecord parse(InputStream stream) {
            try {
                DataInputStream in = new DataInputStream(stream);
                return new KeyedRecord(in.readUTF(), Fields.decode(in));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };
}
