package org.ucxnio.bench.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ucxnio.bench.child.Acceleration;
import org.ucxnio.bench.child.Expectation;
import org.ucxnio.bench.child.Host;
import org.ucxnio.bench.child.Points;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.RateMeter;

/** Streams to the sinks of {@link EchoServer} on a number of connections; counts what has arrived there. */
final class StreamClient {
    private static final long END_TIMEOUT_MILLIS = 2_000;

    private final Settings settings;
    private final Reporter reporter;
    private final EventLoopGroup group;
    private final Transport transport;
    private final List<SourceHandler> handlers = new ArrayList<>();
    private final List<Channel> channels = new ArrayList<>();

    StreamClient(Settings settings, Reporter reporter) {
        this.settings = settings;
        this.reporter = reporter;
        transport = Transport.of(settings);
        group = transport.loops(settings.integer("loops", 1));
    }

    /** Measures and reports. */
    void measure() throws InterruptedException {
        Expectation expected = Expectation.of(settings.text("expect"));
        for (int i = 0; i < settings.integer("connections"); i++) {
            connect();
        }
        for (int i = 0; i < channels.size(); i++) {
            SourceHandler handler = handlers.get(i);
            var context = channels.get(i).pipeline().context(handler);
            channels.get(i).eventLoop().execute(() -> handler.begin(context));
        }
        Thread.sleep(settings.number("warmup-ms"));
        Acceleration.awaitMove(expected, channels.size());
        int size = settings.integer("size");
        int rounds = settings.integer("rounds");
        RateMeter meter = new RateMeter(rounds, reporter, settings.integer("clock-port"));
        for (int i = 0; i < rounds; i++) {
            long before = arrived();
            meter.begin();
            Thread.sleep(settings.number("round-ms"));
            double perSecond = meter.end(arrived() - before);
            reporter.progress("round %d of %d: %.2f GB/s".formatted(i + 1, rounds, perSecond * size / 1e9));
        }
        meter.report();
        reporter.result("bytes", meter.median() * size);
        if (settings.flag(Points.MORE)) {
            Acceleration.checkPoint(reporter, expected, channels.size());
        } else {
            Acceleration.check(reporter, expected, channels.size());
        }
        end();
    }

    private long arrived() {
        return handlers.stream().mapToLong(SourceHandler::received).sum();
    }

    private void connect() throws InterruptedException {
        SourceHandler handler = new SourceHandler(settings.integer("size"), settings.integer("flush"));
        handlers.add(handler);
        channels.add(new Bootstrap()
                .group(group)
                .channel(transport.channel())
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(handler);
                    }
                })
                .connect(new InetSocketAddress(Host.address(), settings.integer("port")))
                .sync()
                .channel());
    }

    private void end() throws InterruptedException {
        for (int i = 0; i < channels.size(); i++) {
            SourceHandler handler = handlers.get(i);
            channels.get(i).eventLoop().execute(handler::end);
        }
        for (Channel channel : channels) {
            channel.close().await(END_TIMEOUT_MILLIS);
        }
        group.shutdownGracefully(0, END_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS).sync();
    }
}
