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

/** The client of {@link EchoServer}: connect time, short connections, round trip on one connection, throughput on many. */
public final class EchoClient {
    private static final int CONNECTS = 100;
    private static final int CONNECTS_WARMUP = 50;
    private static final int SHORTS = 1500;
    private static final int SHORTS_WARMUP = 500;
    private static final double NANOS_PER_MICRO = 1e3;

    private final Settings settings;
    private final Reporter reporter;
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final int port;
    private final Expectation expected;

    private EchoClient(Settings settings, Reporter reporter) {
        this.settings = settings;
        this.reporter = reporter;
        port = settings.integer("port");
        expected = Expectation.of(settings.text("expect"));
    }

    public static void main(String[] arguments) {
        Lifeline.run(() -> {
            Reporter reporter = new Reporter(System.out);
            Lifeline.start(reporter);
            new EchoClient(Settings.parse(arguments, 0), reporter).measure();
            reporter.done();
            Thread.sleep(Long.MAX_VALUE);
        });
    }

    private void measure() throws InterruptedException {
        measureConnects();
        measureShortConnections();
        long warmupMillis = settings.number("warmup-ms");
        long measureMillis = settings.number("measure-ms");
        Load single = new Load(1, 1);
        reporter.progress("round trip on one connection");
        single.run(warmupMillis, measureMillis);
        reporter.result("rtt-p50", single.latencies.getValueAtPercentile(50) / NANOS_PER_MICRO);
        reporter.result("rtt-p99", single.latencies.getValueAtPercentile(99) / NANOS_PER_MICRO);
        Load many = new Load(settings.integer("connections"), settings.integer("depth"));
        reporter.progress("throughput on many connections");
        many.run(warmupMillis, measureMillis);
        reporter.result("rate", many.perSecond);
        reporter.result("rate-p50", many.latencies.getValueAtPercentile(50) / NANOS_PER_MICRO);
        reporter.result("rate-p99", many.latencies.getValueAtPercentile(99) / NANOS_PER_MICRO);
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

    /** Connections with a number of messages under way on each. */
    private final class Load {
        final Histogram latencies = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
        final int connections;
        final int depth;
        double perSecond;

        Load(int connections, int depth) {
            this.connections = connections;
            this.depth = depth;
        }

        /** All handlers run on the group's one thread, so they share the histogram; it is read there, too. */
        void run(long warmupMillis, long measureMillis) throws InterruptedException {
            List<PingHandler> handlers = new ArrayList<>();
            List<Channel> channels = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                PingHandler handler = new PingHandler(settings.integer("size"), depth, latencies::recordValue);
                handlers.add(handler);
                channels.add(handler.connect(group, port));
            }
            for (int i = 0; i < connections; i++) {
                PingHandler handler = handlers.get(i);
                channels.get(i).eventLoop().execute(handler::begin);
            }
            Thread.sleep(warmupMillis);
            Acceleration.awaitMove(expected, connections);
            onLoop(channels, latencies::reset);
            long start = System.nanoTime();
            Thread.sleep(measureMillis);
            onLoop(channels, () -> {
                perSecond = latencies.getTotalCount() * 1e9 / (System.nanoTime() - start);
                handlers.forEach(PingHandler::end);
            });
            for (PingHandler handler : handlers) {
                handler.awaitIdle();
            }
            Acceleration.check(reporter, expected, connections);
            for (Channel channel : channels) {
                channel.close().sync();
            }
        }

        private void onLoop(List<Channel> channels, Runnable task) throws InterruptedException {
            channels.get(0).eventLoop().submit(task).sync();
        }
    }
}
