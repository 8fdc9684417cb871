package org.ucxnio.bench.programs.ycsb;

import java.util.List;
import java.util.Map;
import java.util.Set;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/** Records that are spread over several stores by the hash of their keys. */
final class SpreadDb extends RecordDb {
    private final List<DB> stores;

    SpreadDb(List<DB> stores) {
        this.stores = List.copyOf(stores);
    }

    @Override
    public void init() throws DBException {
        for (DB each : stores) {
            each.setProperties(getProperties());
            each.init();
        }
    }

    @Override
    public void cleanup() throws DBException {
        for (DB each : stores) {
            each.cleanup();
        }
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return storeOf(key).read(table, key, fields, result);
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return storeOf(key).insert(table, key, values);
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return storeOf(key).update(table, key, values);
    }

    private DB storeOf(String key) {
        return stores.get(Math.floorMod(key.hashCode(), stores.size()));
    }
}
