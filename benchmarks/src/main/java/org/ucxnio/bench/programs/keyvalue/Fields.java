package org.ucxnio.bench.programs.keyvalue;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The fields of a record as bytes: their number, and of each its name, its length and its value. */
public final class Fields {
    private static final int EXPECTED_OVERHEAD = 64;

    private Fields() {}

    /** The inverse of {@link #decode}. */
    public static byte[] encode(Map<String, byte[]> fields) {
        int length = fields.values().stream()
                .mapToInt(value -> value.length + EXPECTED_OVERHEAD)
                .sum();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(length);
        try {
            write(fields, new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static void write(Map<String, byte[]> fields, DataOutputStream out) throws IOException {
        out.writeInt(fields.size());
        for (Map.Entry<String, byte[]> field : fields.entrySet()) {
            out.writeUTF(field.getKey());
            out.writeInt(field.getValue().length);
            out.write(field.getValue());
        }
    }

    /** Reads what {@link #encode} wrote. */
    public static Map<String, byte[]> decode(DataInputStream in) throws IOException {
        int count = in.readInt();
        Map<String, byte[]> fields = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String name = in.readUTF();
            byte[] value = new byte[in.readInt()];
            in.readFully(value);
            fields.put(name, value);
        }
        return fields;
    }
}
