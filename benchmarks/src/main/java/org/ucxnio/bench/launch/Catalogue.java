package org.ucxnio.bench.launch;

import java.util.ArrayList;
import java.util.List;
import org.ucxnio.bench.launch.Scenario.Layout;
import org.ucxnio.bench.table.Unit;

/** All benchmarks, in the order in which they run, with the goals of each. */
final class Catalogue {
    /** Name that stands for all benchmarks. */
    static final String ALL = "all";

    /** Name that stands for those that give a first impression. */
    static final String QUICK = "quick";

    private static final List<String> FIRST_IMPRESSION = List.of(
            "rtt-blocking",
            "rtt-many",
            "stream-16-blocking",
            "stream-64k-selector",
            "plain-rtt-selector",
            "threads-1",
            "short",
            "sweep-rtt-blocking",
            "sweep-stream-selector",
            "netty-ping-16",
            "grpc-c-4");

    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;
    private static final String SIZE = "size";
    private static final String SELECTOR = "selector";
    private static final String CONNECTIONS = "connections";
    private static final String WORK = "work-us";
    private static final int WORK_MICROS = 20;
    private static final int PACED_RATE = 10_000;
    private static final int PACED_MILLIS = 5_000;

    private static final Goal NOT_SLOWER_BY_5_PERCENT = Goal.atMostTimesJdk(1.05);
    private static final Goal NOT_LESS_BY_5_PERCENT = Goal.atLeastTimesJdk(0.95);

    private Catalogue() {}

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>();
        all.addAll(roundTrips());
        all.addAll(streams());
        all.addAll(costs());
        all.addAll(plain());
        all.addAll(threads());
        all.addAll(paced());
        all.addAll(connections());
        all.addAll(netty());
        all.addAll(Sweeps.all());
        all.addAll(NettyBenchmarks.all());
        all.addAll(networks());
        all.addAll(ProgramCatalogue.all());
        return all;
    }

    /** The benchmarks that {@code name} stands for: one, a group with that name as its beginning, or all. */
    static List<Scenario> find(String name) {
        if (name.equals(ALL)) {
            return all();
        }
        if (name.equals(QUICK)) {
            return all().stream()
                    .filter(each -> FIRST_IMPRESSION.contains(each.name()))
                    .toList();
        }
        List<Scenario> exact =
                all().stream().filter(each -> each.name().equals(name)).toList();
        return exact.isEmpty()
                ? all().stream()
                        .filter(each -> each.name().startsWith(name + "-"))
                        .toList()
                : exact;
    }

    private static List<Scenario> roundTrips() {
        return List.of(
                pingPong("rtt-blocking", "round trip 16 B, blocking", 0.8, 0.30),
                pingPong("rtt-selector", "round trip 16 B, selector", 1.2, 0.45).with(SELECTOR, true),
                Scenario.of(
                                "rtt-many",
                                "round trip 16 B, 32 connections in one selector",
                                "many",
                                p50().goal(Goal.atMost(40)).ringGoal(Goal.atMost(10)),
                                p99(),
                                Metric.higher("rate", "round trips", Unit.PER_SECOND),
                                allocation(),
                                cpuClient(),
                                cpuServer())
                        .with(CONNECTIONS, 32)
                        .also(Provider.UNIX),
                Scenario.of(
                                "wakeup",
                                "round trip 16 B, both selectors asleep",
                                "paced",
                                p50().ringGoal(Goal.atMostTimesJdk(1)),
                                p99(),
                                cpuClient(),
                                cpuServer())
                        .also(Provider.UNIX),
                Scenario.of(
                                "open-rtt",
                                "open load on one connection (--rate), latency from when a message is due",
                                "open",
                                load())
                        .also(Provider.UNIX));
    }

    private static Scenario pingPong(String name, String title, double goalMicros, double ringGoalMicros) {
        return Scenario.of(
                        name,
                        title,
                        "ping-pong",
                        p50().goal(Goal.atMost(goalMicros)).ringGoal(Goal.atMost(ringGoalMicros)),
                        p99(),
                        Metric.lower("mean", "mean, no time stamps", Unit.MICROS),
                        allocation(),
                        cpuClient(),
                        cpuServer())
                .also(Provider.UNIX, Provider.RAW_UCX, Provider.AERON);
    }

    private static List<Scenario> streams() {
        Goal none = Goal.NONE;
        List<Scenario> streams = new ArrayList<>();
        streams.add(stream("16", 16, false, none, Goal.atLeast(20e6)));
        streams.add(stream("16", 16, true, none, Goal.atLeast(8e6)));
        for (boolean selector : new boolean[] {false, true}) {
            streams.add(stream("64k", 64 * KIB, selector, Goal.atLeast(10e9), Goal.atLeast(30e9)));
        }
        for (boolean selector : new boolean[] {false, true}) {
            streams.add(stream("1m", MIB, selector, none, Goal.atLeast(15e9)));
        }
        return streams;
    }

    private static Scenario stream(String label, int size, boolean selector, Goal goal, Goal ringGoal) {
        String mode = selector ? SELECTOR : "blocking";
        boolean small = size < KIB;
        Metric rate = Metric.higher("rate", "messages", Unit.MILLIONS_PER_SECOND);
        Metric bytes = Metric.higher("bytes", "bytes", Unit.GIGABYTES_PER_SECOND);
        Metric main = (small ? rate : bytes).goal(goal).ringGoal(ringGoal);
        return Scenario.of(
                        "stream-" + label + '-' + mode,
                        "one way " + sizeText(size) + ", " + mode,
                        "stream",
                        main,
                        cpuClient(),
                        cpuServer())
                .with(SIZE, size)
                .with(SELECTOR, selector)
                .also(Provider.UNIX, Provider.RAW_UCX, Provider.AERON);
    }

    private static String sizeText(int size) {
        if (size >= MIB) {
            return size / MIB + " MiB";
        }
        return size >= KIB ? size / KIB + " KiB" : size + " B";
    }

    private static List<Scenario> costs() {
        return List.of(
                Scenario.of(
                                "connect",
                                "connect, one after another",
                                "connect",
                                Metric.lower("p50", "connect + accept, p50", Unit.MICROS)
                                        .goal(Goal.atMost(1000))
                                        .ringGoal(Goal.atMostTimesJdk(2)),
                                Metric.lower("p99", "connect + accept, p99", Unit.MICROS),
                                Metric.lower("connect-p50", "connect alone, p50", Unit.MICROS),
                                Metric.lower("first", "the first of the process", Unit.MICROS),
                                cpuClient(),
                                cpuServer())
                        .withConnectionsThatMayStay()
                        .also(Provider.UNIX),
                Scenario.of(
                                "memory",
                                "idle connection pair, 1,000 in one JVM",
                                "memory",
                                Metric.lower("memory", "memory", Unit.KIB).goal(Goal.atMost(24)),
                                Metric.lower("heap", "of that Java heap", Unit.KIB),
                                Metric.lower("shared", "of that shared memory", Unit.KIB),
                                Metric.lower("descriptors", "descriptors", Unit.COUNT)
                                        .goal(Goal.atMost(2)),
                                Metric.lower("threads", "threads", Unit.COUNT))
                        .in(Layout.ALONE)
                        .with(CONNECTIONS, 1000),
                Scenario.of(
                                "idle-cpu",
                                "idle selector, 100 connections",
                                "idle-cpu",
                                Metric.lower("client", "processor, client", Unit.PERCENT)
                                        .goal(Goal.atMost(1)),
                                Metric.lower("server", "processor, server", Unit.PERCENT)
                                        .goal(Goal.atMost(1)))
                        .with(CONNECTIONS, 100)
                        .with("round-ms", 2000));
    }

    private static List<Scenario> plain() {
        return List.of(
                Scenario.of(
                                "plain-rtt-blocking",
                                "plain TCP: round trip 16 B, blocking",
                                "ping-pong",
                                p50().goal(NOT_SLOWER_BY_5_PERCENT),
                                cpuClient(),
                                cpuServer())
                        .in(Layout.PLAIN),
                Scenario.of(
                                "plain-rtt-selector",
                                "plain TCP: round trip 16 B, selector",
                                "ping-pong",
                                p50().goal(NOT_SLOWER_BY_5_PERCENT),
                                cpuClient(),
                                cpuServer())
                        .in(Layout.PLAIN)
                        .with(SELECTOR, true),
                Scenario.of(
                                "plain-rtt-many",
                                "plain TCP: round trip 16 B, 32 connections",
                                "many",
                                p50().goal(NOT_SLOWER_BY_5_PERCENT),
                                cpuClient(),
                                cpuServer())
                        .in(Layout.PLAIN)
                        .with(CONNECTIONS, 32),
                Scenario.of(
                                "plain-stream-64k",
                                "plain TCP: one way 64 KiB, selector",
                                "stream",
                                Metric.higher("bytes", "bytes", Unit.GIGABYTES_PER_SECOND)
                                        .goal(NOT_LESS_BY_5_PERCENT),
                                cpuClient(),
                                cpuServer())
                        .in(Layout.PLAIN)
                        .with(SIZE, 64 * KIB)
                        .with(SELECTOR, true));
    }

    /** Between two network namespaces; on our provider over UCX's tcp transport. */
    private static List<Scenario> networks() {
        return List.of(
                Scenario.of("network-rtt", "two hosts: round trip 16 B, selector", "ping-pong", load())
                        .in(Layout.NETWORK)
                        .with(SELECTOR, true),
                Scenario.of("network-many", "two hosts: round trip 16 B, 32 connections", "many", load())
                        .in(Layout.NETWORK)
                        .with(CONNECTIONS, 32),
                Scenario.of(
                                "network-stream-64k",
                                "two hosts: one way 64 KiB, selector",
                                "stream",
                                Metric.higher("bytes", "bytes", Unit.GIGABYTES_PER_SECOND),
                                cpuClient(),
                                cpuServer())
                        .in(Layout.NETWORK)
                        .with(SIZE, 64 * KIB)
                        .with(SELECTOR, true));
    }

    private static List<Scenario> threads() {
        List<Scenario> threads = new ArrayList<>();
        for (int workMicros : new int[] {0, WORK_MICROS}) {
            for (int count : new int[] {1, 2, 8, 32}) {
                String work = workMicros == 0 ? "" : ", " + workMicros + " us of work on each message";
                threads.add(Scenario.of(
                                "threads-" + count + (workMicros == 0 ? "" : "-work"),
                                "echo 64 B, blocking threads, " + count + " a side" + work,
                                "threads",
                                load())
                        .free()
                        .withConnectionsThatMayStay()
                        .with(SIZE, 64)
                        .with(CONNECTIONS, count)
                        .with("virtual", false)
                        .with(WORK, workMicros)
                        .also(Provider.UNIX));
            }
        }
        return threads;
    }

    /** With the move to rings inside, if there is one: there is no warm-up. */
    private static List<Scenario> paced() {
        List<Scenario> paced = new ArrayList<>();
        for (boolean selector : new boolean[] {false, true}) {
            String title =
                    "%,d messages a second of 4 threads from cold JVMs on, each counted from when it was due, server %s"
                            .formatted(PACED_RATE, selector ? "with a selector" : "blocking");
            paced.add(Scenario.of(
                            "paced-" + (selector ? SELECTOR : "blocking"),
                            title,
                            "threads",
                            p50(),
                            p99(),
                            Metric.lower("p999", "p99.9", Unit.MICROS),
                            Metric.lower("max", "slowest", Unit.MICROS),
                            cpuClient(),
                            cpuServer())
                    .free()
                    .withConnectionsThatMayStay()
                    .with(SIZE, 64)
                    .with(SELECTOR, selector)
                    .with(CONNECTIONS, 4)
                    .with("rate", PACED_RATE)
                    .with("warmup-ms", 0)
                    .with("rounds", 1)
                    .with("round-ms", PACED_MILLIS));
        }
        return paced;
    }

    private static List<Scenario> connections() {
        List<Scenario> connections = new ArrayList<>();
        connections.add(Scenario.of("short", "connect, 64 B there and back, close, one after another", "short", load())
                .free()
                .withConnectionsThatMayStay()
                .with(SIZE, 64)
                .also(Provider.UNIX));
        connections.add(Scenario.of(
                        "first",
                        "first connection of a fresh JVM, until 64 B are back, with a warm server",
                        "first",
                        Metric.lower("p50", "p50", Unit.MILLIS),
                        Metric.lower("p90", "p90", Unit.MILLIS),
                        Metric.lower("wall", "whole process", Unit.MILLIS),
                        Metric.lower("cpu-client", "cpu client", Unit.MILLIS),
                        Metric.lower("cpu-server", "cpu server", Unit.MILLIS))
                .in(Layout.FRESH_CLIENT)
                .free()
                .withConnectionsThatMayStay()
                .with(SIZE, 64));
        connections.add(Scenario.of(
                        "process",
                        "whole process: a connection within itself, 64 B there and back, the end",
                        "process",
                        Metric.lower("wall", "p50", Unit.MILLIS),
                        Metric.lower("wall-p90", "p90", Unit.MILLIS),
                        Metric.lower("cpu-client", "cpu", Unit.MILLIS))
                .in(Layout.FRESH)
                .free()
                .withConnectionsThatMayStay()
                .with(SIZE, 64));
        for (int count : new int[] {32, 512}) {
            connections.add(Scenario.of(
                            "many-" + count,
                            "round trip 16 B, " + count + " connections in one selector a side",
                            "many",
                            load())
                    .free()
                    .with(CONNECTIONS, count)
                    .also(Provider.UNIX));
        }
        return connections;
    }

    private static List<Scenario> netty() {
        List<Scenario> netty = new ArrayList<>();
        for (int loops : new int[] {1, 4}) {
            for (int count : new int[] {2, 16}) {
                netty.add(Scenario.of(
                                "netty-work-" + loops + 'x' + count,
                                "Netty echo 64 B, %d us of work on each message, %d %s a side, %d connections"
                                        .formatted(
                                                WORK_MICROS, loops, loops == 1 ? "event loop" : "event loops", count),
                                "load",
                                load())
                        .by("org.ucxnio.bench.netty.LoadMain")
                        .free()
                        .withConnectionsThatMayStay()
                        .with(SIZE, 64)
                        .with("loops", loops)
                        .with(CONNECTIONS, count)
                        .with(WORK, WORK_MICROS)
                        .also(Provider.EPOLL, Provider.IO_URING));
            }
        }
        return netty;
    }

    /** What a load costs; processor time is that of an operation. */
    static Metric[] load() {
        return new Metric[] {Metric.higher("rate", "rate", Unit.PER_SECOND), p50(), p99(), cpuClient(), cpuServer()};
    }

    static Metric p50() {
        return Metric.lower("p50", "p50", Unit.MICROS);
    }

    static Metric cpuClient() {
        return Metric.lower("cpu-client", "cpu client", Unit.MICROS);
    }

    static Metric cpuServer() {
        return Metric.lower("cpu-server", "cpu server", Unit.MICROS);
    }

    static Metric p99() {
        return Metric.lower("p99", "p99", Unit.MICROS);
    }

    private static Metric allocation() {
        return Metric.lower("alloc", "allocated by the client", Unit.BYTES);
    }
}
