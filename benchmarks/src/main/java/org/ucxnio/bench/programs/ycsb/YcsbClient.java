package org.ucxnio.bench.programs.ycsb;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Supplier;
import org.ucxnio.bench.child.Acceleration;
import org.ucxnio.bench.child.Expectation;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.ThreadedLoad;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/** Loads the records and measures a workload of several threads, one operation at a time each. */
final class YcsbClient {
    private final Settings settings;
    private final Reporter reporter;
    private final Supplier<DB> databases;
    private final Properties properties;
    private final CoreWorkload workload;
    private final List<DB> all = new ArrayList<>();

    /**
     * @param settings those of {@link WorkloadProperties} and the common ones
     * @param reporter where results go
     * @param databases gives each thread a database of its own
     */
    YcsbClient(Settings settings, Reporter reporter, Supplier<DB> databases) throws Exception {
        this.settings = settings;
        this.reporter = reporter;
        this.databases = databases;
        properties = WorkloadProperties.of(settings);
        Measurements.setProperties(properties);
        // Not before: it asks for them.
        workload = new CoreWorkload();
        workload.init(properties);
    }

    /** Measures and reports. */
    void measure() throws Exception {
        insertRecords();
        Verdict before = Verdict.soFar();
        ThreadedLoad load = newLoad();
        int connections = all.size() * settings.integer("servers", 1);
        load.measure(connections);
        Verdict.soFar().check(before);
        Acceleration.check(reporter, Expectation.of(settings.text("expect")), connections);
        for (DB db : all) {
            db.cleanup();
        }
    }

    /** Keeps up the same load until this JVM ends, for another client that measures. */
    void tell() throws Exception {
        insertRecords();
        Verdict before = Verdict.soFar();
        newLoad().tell(() -> Verdict.soFar().check(before));
    }

    private ThreadedLoad newLoad() throws Exception {
        int count = settings.integer("threads");
        ThreadedLoad load = new ThreadedLoad(settings, reporter);
        for (int i = 0; i < count; i++) {
            DB db = open();
            all.add(db);
            Object state = workload.initThread(properties, i, count);
            load.add(() -> {
                long start = System.nanoTime();
                workload.doTransaction(db, state);
                return start;
            });
        }
        return load;
    }

    /** Of several clients each inserts all records, which are the same: the first one finds what it reads at once. */
    private void insertRecords() throws DBException {
        reporter.progress("loading the records");
        DB db = open();
        for (int i = settings.integer("records"); i > 0; i--) {
            workload.doInsert(db, null);
        }
        db.cleanup();
    }

    private DB open() throws DBException {
        DB db = new StrictDb(databases.get());
        db.setProperties(properties);
        db.init();
        return db;
    }
}
