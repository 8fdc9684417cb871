package org.ucxnio.bench.launch;

import java.util.ArrayList;
import java.util.List;
import org.ucxnio.bench.table.Unit;

/** Netty's echo and streams over all numbers of connections, and the first seconds of its processes. */
final class NettyBenchmarks {
    private static final String MAIN = "org.ucxnio.bench.netty.LoadMain";
    private static final int KIB = 1024;
    private static final int[] SIZES = {16, KIB, 64 * KIB};
    private static final Axis CONNECTIONS = Axis.powersOfTwo("connections", "connections", 1, 512);
    private static final Axis FLUSHES = new Axis("flush", "messages for each flush", List.of(1, 4, 16, 64));
    private static final int COURSE_ROUNDS = 80;
    private static final int COURSE_ROUND_MILLIS = 100;

    private NettyBenchmarks() {}

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>();
        for (int size : SIZES) {
            String label = size < KIB ? size + " B" : size / KIB + " KiB";
            String name = label.replace(" ", "").replace("KiB", "k").replace("B", "");
            all.add(netty(
                            "netty-ping-" + name,
                            "Netty echo " + label + ", one under way on each",
                            "load",
                            Catalogue.load())
                    .with("size", size)
                    .with("work-us", 0)
                    .over(CONNECTIONS));
            all.add(netty("netty-flush-" + name, "Netty stream " + label + ", 1 connection", "stream", stream())
                    .with("size", size)
                    .with("connections", 1)
                    .over(FLUSHES));
            all.add(netty("netty-stream-" + name, "Netty stream " + label + ", a flush every 16", "stream", stream())
                    .with("size", size)
                    .with("flush", 16)
                    .over(CONNECTIONS));
        }
        all.add(netty(
                        "netty-course",
                        "Netty echo 64 B, 16 connections, from the first message on, not warmed up",
                        "load",
                        Catalogue.load())
                .withConnectionsThatMayStay()
                .with("size", 64)
                .with("work-us", 0)
                .with("connections", 16)
                .with("warmup-ms", 0)
                .with("rounds", COURSE_ROUNDS)
                .with("round-ms", COURSE_ROUND_MILLIS));
        return all;
    }

    private static Scenario netty(String name, String title, String program, Metric... metrics) {
        return Scenario.of(name, title, program, metrics)
                .by(MAIN)
                .with("loops", 1)
                .also(Provider.EPOLL, Provider.IO_URING);
    }

    private static Metric[] stream() {
        return new Metric[] {
            Metric.higher("bytes", "bytes", Unit.MEGABYTES_PER_SECOND),
            Metric.higher("rate", "messages", Unit.MILLIONS_PER_SECOND),
            Catalogue.cpuClient(),
            Catalogue.cpuServer()
        };
    }
}
