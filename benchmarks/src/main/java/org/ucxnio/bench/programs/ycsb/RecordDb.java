package org.ucxnio.bench.programs.ycsb;

import java.util.HashMap;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** A store of single records: what workloads A, B, C and F ask for. */
public abstract class RecordDb extends DB {
    @Override
    public final Status scan(
            String table,
            String startKey,
            int recordCount,
            Set<String> fields,
            Vector<HashMap<String, ByteIterator>> result) {
        return Status.NOT_IMPLEMENTED;
    }

    @Override
    public final Status delete(String table, String key) {
        return Status.NOT_IMPLEMENTED;
    }
}
