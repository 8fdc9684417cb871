package org.ucxnio.bench.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.ucxnio.bench.table.Unit;

/** The benchmarks of whole programs, which are told nothing of the provider that they run on. */
final class ProgramCatalogue {
    private static final String YCSB = "org.ucxnio.bench.programs.ycsb.YcsbMain";

    private static final int RECORDS = 1000;
    private static final int SMALL = 16;
    private static final int KIB = 1024;
    private static final int HTTP_RATE = 4000;
    private static final int KAFKA_SIZE = 100;
    private static final int ENTRY_BYTES = 128;
    private static final int ENTRIES = 10_000;

    private ProgramCatalogue() {}

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>();
        all.addAll(keyValueStore());
        all.addAll(zooKeeper());
        all.addAll(http());
        all.addAll(kafka());
        all.addAll(ratis());
        all.addAll(bookKeeper());
        all.addAll(allToAll());
        return all;
    }

    private static List<Scenario> keyValueStore() {
        List<Scenario> all = new ArrayList<>();
        for (int threads : new int[] {1, 4, 16, 36}) {
            all.add(keyValue("grpc-c-" + threads, "c", threads, 1, SMALL));
        }
        for (String workload : List.of("a", "b", "f")) {
            all.add(keyValue("grpc-" + workload + "-4", workload, 4, 1, SMALL));
        }
        all.add(keyValue("grpc-c-16k-4", "c", 4, SMALL, KIB));
        all.add(keyValue("grpc-c-2x3", "gRPC key-value store, 2 servers, each of 3 clients", "c", 4, 1, SMALL)
                .in(Scenario.Layout.MESH)
                .with("servers", 2)
                .with("processes", 5));
        return all;
    }

    private static Scenario keyValue(String name, String workload, int threads, int fields, int fieldBytes) {
        return keyValue(name, "gRPC key-value store", workload, threads, fields, fieldBytes);
    }

    private static Scenario keyValue(
            String name, String what, String workload, int threads, int fields, int fieldBytes) {
        return ycsb(name, what, "grpc", workload, threads, fields, fieldBytes).with("executor", "pool");
    }

    private static List<Scenario> zooKeeper() {
        List<Scenario> all = new ArrayList<>();
        for (String workload : List.of("c", "a")) {
            for (int threads : new int[] {1, 16}) {
                all.add(ycsb(
                                "zookeeper-" + workload + '-' + threads,
                                "ZooKeeper, no fsync",
                                "zookeeper",
                                workload,
                                threads,
                                1,
                                SMALL)
                        .with("factory", "nio"));
            }
        }
        return all;
    }

    private static List<Scenario> http() {
        List<Scenario> all = new ArrayList<>();
        for (int connections : new int[] {1, 16}) {
            all.add(http("http-" + connections, "as fast as answers come", connections, 0));
        }
        String pace = "%,d requests a second, each counted from when it was due".formatted(HTTP_RATE);
        all.add(http("http-rate", pace, 16, HTTP_RATE));
        return all;
    }

    private static Scenario http(String name, String pace, int connections, int rate) {
        String title = "Jetty, answers of 1 KiB: %d kept %s, %s"
                .formatted(connections, connections == 1 ? "connection" : "connections", pace);
        return Scenario.of(name, title, "jetty", Catalogue.load())
                .by("org.ucxnio.bench.programs.http.HttpMain")
                .free()
                .withConnectionsThatMayStay()
                .with("connections", connections)
                .with("rate", rate)
                .with("size", KIB);
    }

    /** The times are the tools' own, in whole milliseconds; the processor time is that of a record. */
    private static List<Scenario> kafka() {
        Metric rate = Metric.higher("rate", "records", Unit.PER_SECOND);
        Metric p50 = Metric.lower("p50", "p50", Unit.MILLIS);
        Metric p99 = Metric.lower("p99", "p99", Unit.MILLIS);
        return List.of(
                kafka("producer", 200_000, rate, p50, p99, Catalogue.cpuClient(), Catalogue.cpuServer()),
                kafka("consumer", 1_000_000, rate, Catalogue.cpuClient(), Catalogue.cpuServer()));
    }

    private static Scenario kafka(String tool, int records, Metric... metrics) {
        return Scenario.of(
                        "kafka-" + tool,
                        "Kafka, one broker: kafka-" + tool + "-perf-test, records of " + KAFKA_SIZE + " B",
                        "kafka",
                        metrics)
                .by("org.ucxnio.bench.programs.kafka.KafkaMain")
                .free()
                .withConnectionsThatMayStay()
                .with("tool", tool)
                .with("records", records)
                .with("size", KAFKA_SIZE);
    }

    private static List<Scenario> ratis() {
        List<Scenario> all = new ArrayList<>();
        for (String rpc : List.of("grpc", "netty")) {
            for (int threads : new int[] {1, 16}) {
                String title = "Ratis over %s, three peers with their log in memory: add one to a counter, %d %s"
                        .formatted(rpc, threads, threads == 1 ? "thread" : "threads");
                all.add(Scenario.of("ratis-" + rpc + '-' + threads, title, "counter", Catalogue.load())
                        .by("org.ucxnio.bench.programs.ratis.RatisMain")
                        .in(Scenario.Layout.MESH)
                        .free()
                        .withConnectionsThatMayStay()
                        .with("processes", 4)
                        .with("rpc", rpc)
                        .with("threads", threads));
            }
        }
        return all;
    }

    private static List<Scenario> bookKeeper() {
        return List.of(bookKeeper("write", 1), bookKeeper("write", 16), bookKeeper("read", 16));
    }

    private static Scenario bookKeeper(String operation, int threads) {
        String title = "BookKeeper, three bookies, no fsync: %s entries of %d B, %d at a time"
                .formatted(operation, ENTRY_BYTES, threads);
        return Scenario.of("bookkeeper-" + operation + '-' + threads, title, "ledger", Catalogue.load())
                .by("org.ucxnio.bench.programs.bookkeeper.BookKeeperMain")
                .in(Scenario.Layout.MESH)
                .free()
                .withConnectionsThatMayStay()
                .with("processes", 4)
                .with("operation", operation)
                .with("threads", threads)
                .with("size", ENTRY_BYTES)
                .with("entries", ENTRIES);
    }

    private static List<Scenario> allToAll() {
        List<Scenario> all = new ArrayList<>();
        for (int size : new int[] {64, 4 * KIB}) {
            for (int threads : new int[] {1, 16}) {
                String text = size < KIB ? size + " B" : size / KIB + " KiB";
                all.add(Scenario.of(
                                "all-to-all-" + (size < KIB ? size : size / KIB + "k") + '-' + threads,
                                "8 processes, each connected to every other, messages of %s, %d %s a process"
                                        .formatted(text, threads, threads == 1 ? "thread" : "threads"),
                                "all-to-all",
                                Metric.higher("rate", "messages", Unit.PER_SECOND),
                                Metric.higher("slowest", "slowest process over the mean", Unit.RATIO),
                                Metric.lower("cpu", "cpu, all processes", Unit.MICROS))
                        .by("org.ucxnio.bench.alltoall.AllToAllMain")
                        .in(Scenario.Layout.MESH)
                        .free()
                        .withConnectionsThatMayStay()
                        .with("processes", 8)
                        .with("size", size)
                        .with("threads", threads));
            }
        }
        return all;
    }

    private static Scenario ycsb(
            String name, String what, String program, String workload, int threads, int fields, int fieldBytes) {
        String title = "%s: YCSB %s, 1,000 records of %s, %d %s"
                .formatted(
                        what,
                        workload.toUpperCase(Locale.ROOT),
                        fields == 1 ? fieldBytes + " B" : fields + " x " + fieldBytes + " B",
                        threads,
                        threads == 1 ? "thread" : "threads");
        return Scenario.of(name, title, program, Catalogue.load())
                .by(YCSB)
                .free()
                .withConnectionsThatMayStay()
                .with("workload", workload)
                .with("threads", threads)
                .with("records", RECORDS)
                .with("fields", fields)
                .with("field-bytes", fieldBytes);
    }
}
