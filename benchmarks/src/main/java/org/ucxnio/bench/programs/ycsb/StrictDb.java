package org.ucxnio.bench.programs.ycsb;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/** Turns a status that is not OK, which YCSB's workloads do not look at, into an exception. */
final class StrictDb extends DB {
    private final DB db;

    StrictDb(DB db) {
        this.db = db;
    }

    @Override
    public void init() throws DBException {
        db.setProperties(getProperties());
        db.init();
    }

    @Override
    public void cleanup() throws DBException {
        db.cleanup();
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return check(db.read(table, key, fields, result), "read", key);
    }

    @Override
    public Status scan(
            String table,
            String startKey,
            int recordCount,
            Set<String> fields,
            Vector<HashMap<String, ByteIterator>> result) {
        return check(db.scan(table, startKey, recordCount, fields, result), "scan", startKey);
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return check(db.update(table, key, values), "update", key);
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return check(db.insert(table, key, values), "insert", key);
    }

    @Override
    public Status delete(String table, String key) {
        return check(db.delete(table, key), "delete", key);
    }

    private static Status check(Status status, String operation, String key) {
        if (!status.isOk()) {
            throw new IllegalStateException(operation + " of " + key + ": " + status);
        }
        return status;
    }
}
