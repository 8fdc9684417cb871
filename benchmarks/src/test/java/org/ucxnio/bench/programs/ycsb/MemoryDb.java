package org.ucxnio.bench.programs.ycsb;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** Records in a map; one of them may be wrong or missing when it is read. */
final class MemoryDb extends RecordDb {
    private final Map<String, Map<String, byte[]>> records = new ConcurrentHashMap<>();
    private boolean wrong;
    private boolean missing;

    MemoryDb withAWrongRecord() {
        wrong = true;
        return this;
    }

    MemoryDb withAMissingRecord() {
        missing = true;
        return this;
    }

    int size() {
        return records.size();
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        if (missing) {
            return Status.NOT_FOUND;
        }
        byte[] other = "not what is was".getBytes(StandardCharsets.US_ASCII);
        records.get(key).forEach((name, value) -> result.put(name, new ByteArrayByteIterator(wrong ? other : value)));
        return Status.OK;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        Map<String, byte[]> fields = new HashMap<>();
        values.forEach((name, value) -> fields.put(name, value.toArray()));
        records.put(key, fields);
        return Status.OK;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return insert(table, key, values);
    }
}
