package org.ucxnio.bench.netty;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.ucxnio.bench.child.Acceleration;
import org.ucxnio.bench.child.Expectation;
import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.child.Turns;
import org.ucxnio.bench.child.Turns.Turn;

/**
 * The client of {@link EchoServer}: connect time, short connections, the first messages of many connections; then, warm and in turns with
 * others, round trip on one connection and throughput on many.
 */
public final class EchoClient {
    private static final int CONNECTS = 100;
    private static final int CONNECTS_WARMUP = 50;
    private static final int SHORTS = 1500;
    private static final int SHORTS_WARMUP = 500;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    /** This part of a turn as much again goes before it and does not count. */
    private static final int SETTLING = 3;

    private final Settings settings;
    private final Reporter reporter;
    private final Turns turns;
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final int port;
    private final Expectation expected;

    private EchoClient(Settings settings, Reporter reporter, Turns turns) {
        this.settings = settings;
        this.reporter = reporter;
        this.turns = turns;
        port = settings.integer("port");
        expected = Expectation.of(settings.text("expect"));
    }

    public static void main(String[] arguments) {
        Lifeline.run(() -> {
            Reporter reporter = new Reporter(System.out);
            Turns turns = Lifeline.start(reporter);
            new EchoClient(Settings.parse(arguments, 0), reporter, turns).measure();
            reporter.done();
            Thread.sleep(Long.MAX_VALUE);
        });
    }

    private void measure() throws Exception {
        measureConnects();
        measureShortConnections();
        long measureMillis = settings.number("measure-ms");
        Load many = new Load(settings.integer("connections"), settings.integer("depth"));
        reporter.progress("first messages of many connections");
        many.run(0, measureMillis);
        many.report("first");
        many.forget();
        reporter.progress("warming up");
        many.run(settings.number("warmup-ms"), 0);
        Load single = new Load(1, 1);
        single.run(measureMillis / 2, 0);
        Acceleration.awaitMove(expected, many.connections + single.connections);
        measureInTurns(single, many, measureMillis / Turns.ROUNDS);
        single.report("rtt");
        many.report("rate");
        Acceleration.check(reporter, expected, many.connections + single.connections);
        many.close();
        single.close();
    }

    /** Pauses between the turns, as others have theirs. */
    private void measureInTurns(Load single, Load many, long millis) throws Exception {
        turns.takeAll(List.of(
                new Turn("round trip on one connection", () -> single.run(millis / SETTLING, millis)),
                new Turn("throughput on many connections", () -> many.run(millis / SETTLING, millis))));
    }

    private void measureConnects() throws InterruptedException {
        reporter.progress("connecting " + CONNECTS + " times");
        Histogram times = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
        for (int i = 0; i < CONNECTS_WARMUP + CONNECTS; i++) {
            long start = System.nanoTime();
            Channel channel = new PingHandler(settings.integer("size"), 1, nanos -> {}).connect(group, port);
            if (i >= CONNECTS_WARMUP) {
                times.recordValue(System.nanoTime() - start);
            }
            channel.close().sync();
        }
        reporter.result("connect", times.getValueAtPercentile(50) / NANOS_PER_MICRO);
    }

    /** Connections that live for one message there and back, one after another: until the channel is closed. */
    private void measureShortConnections() throws InterruptedException {
        reporter.progress(SHORTS + " short connections");
        Histogram times = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
        for (int i = 0; i < SHORTS_WARMUP + SHORTS; i++) {
            PingHandler handler = new PingHandler(settings.integer("size"), 1, nanos -> {});
            long start = System.nanoTime();
            Channel channel = handler.connect(group, port);
            channel.eventLoop().execute(() -> {
                handler.begin();
                handler.end();
            });
            handler.awaitIdle();
            channel.close().sync();
            if (i >= SHORTS_WARMUP) {
                times.recordValue(System.nanoTime() - start);
            }
        }
        reporter.result("short-p50", times.getValueAtPercentile(50) / NANOS_PER_MICRO);
        reporter.result("short-p99", times.getValueAtPercentile(99) / NANOS_PER_MICRO);
    }

    /** Connections with a number of messages under way on each, or none while it does not {@link #run}. */
    private final class Load {
        private final int connections;
        private final List<PingHandler> handlers = new ArrayList<>();
        private final List<Channel> channels = new ArrayList<>();

        // -- owned by the group's one thread, on which all handlers run, while this runs --
        private final Histogram latencies = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
        private boolean recording;
        private long startNanos;
        private long nanos;
        // -- end --

        Load(int connections, int depth) throws InterruptedException {
            this.connections = connections;
            for (int i = 0; i < connections; i++) {
                PingHandler handler = new PingHandler(settings.integer("size"), depth, this::record);
                handlers.add(handler);
                channels.add(handler.connect(group, port));
            }
        }

        private void record(long latencyNanos) {
            if (recording) {
                latencies.recordValue(latencyNanos);
            }
        }

        /** Runs for {@code settleMillis} that do not count, and then for {@code millis} that do. */
        void run(long settleMillis, long millis) throws InterruptedException {
            onLoop(() -> handlers.forEach(PingHandler::begin));
            Thread.sleep(settleMillis);
            onLoop(() -> {
                recording = true;
                startNanos = System.nanoTime();
            });
            Thread.sleep(millis);
            onLoop(() -> {
                recording = false;
                nanos += System.nanoTime() - startNanos;
                handlers.forEach(PingHandler::end);
            });
            for (PingHandler handler : handlers) {
                handler.awaitIdle();
            }
        }

        void forget() {
            latencies.reset();
            nanos = 0;
        }

        void report(String name) {
            reporter.result(name, latencies.getTotalCount() * NANOS_PER_SECOND / nanos);
            reporter.result(name + "-p50", latencies.getValueAtPercentile(50) / NANOS_PER_MICRO);
            reporter.result(name + "-p99", latencies.getValueAtPercentile(99) / NANOS_PER_MICRO);
        }

        void close() throws InterruptedException {
            for (Channel channel : channels) {
                channel.close().sync();
            }
        }

        private void onLoop(Runnable task) throws InterruptedException {
            channels.get(0).eventLoop().submit(task).sync();
        }
    }
}
