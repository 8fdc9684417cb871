package org.ucxnio.bench.netty;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayList;
import java.util.List;
import org.ucxnio.bench.child.Acceleration;
import org.ucxnio.bench.child.Expectation;
import org.ucxnio.bench.child.Points;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.BusyWork;
import org.ucxnio.bench.measure.LatencyRecorder;
import org.ucxnio.bench.measure.LoadMeter;

/**
 * A client of {@link EchoServer} with one message under way on each of its connections. It works on each answer before
 * it sends the next message on that connection; answers to the event loop's other connections wait meanwhile.
 */
final class LoadClient {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Settings settings;
    private final Reporter reporter;
    private final EventLoopGroup group;
    private final Transport transport;
    private final BusyWork work;
    private final List<LatencyRecorder> recorders = new ArrayList<>();
    private final List<PingHandler> handlers = new ArrayList<>();
    private final List<Channel> channels = new ArrayList<>();

    LoadClient(Settings settings, Reporter reporter) {
        this.settings = settings;
        this.reporter = reporter;
        transport = Transport.of(settings);
        group = transport.loops(settings.integer("loops"));
        work = BusyWork.ofMicros(settings.integer("work-us"));
    }

    /** Measures and reports. */
    void measure() throws InterruptedException {
        Expectation expected = Expectation.of(settings.text("expect"));
        for (int i = 0; i < settings.integer("connections"); i++) {
            connect();
        }
        for (int i = 0; i < channels.size(); i++) {
            channels.get(i).eventLoop().execute(handlers.get(i)::begin);
        }
        Thread.sleep(settings.number("warmup-ms"));
        Acceleration.awaitMove(expected, channels.size());
        new LoadMeter(settings.integer("rounds"), reporter, settings.integer("clock-port"))
                .measure(settings.number("round-ms") * NANOS_PER_MILLI, recorders);
        for (int i = 0; i < channels.size(); i++) {
            channels.get(i).eventLoop().execute(handlers.get(i)::end);
        }
        for (PingHandler handler : handlers) {
            handler.awaitIdle();
        }
        if (settings.flag(Points.MORE)) {
            Acceleration.checkPoint(reporter, expected, channels.size());
        } else {
            Acceleration.check(reporter, expected, channels.size());
        }
        for (Channel channel : channels) {
            channel.close().sync();
        }
    }

    private void connect() throws InterruptedException {
        // One for each connection, hence with one writer, its event loop.
        LatencyRecorder recorder = new LatencyRecorder();
        PingHandler handler = new PingHandler(settings.integer("size"), 1, nanos -> {
            recorder.record(nanos);
            work.run();
        });
        recorders.add(recorder);
        handlers.add(handler);
        channels.add(handler.connect(group, transport, settings.integer("port")));
    }

    /** Ends the event loops. */
    void end() {
        group.shutdownGracefully();
    }
}
