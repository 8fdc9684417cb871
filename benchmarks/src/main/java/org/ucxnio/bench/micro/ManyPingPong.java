package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import org.ucxnio.bench.measure.Latencies;
import org.ucxnio.bench.measure.LoadMeter;

/** Round trip on many connections at once, each with one message under way; one selector thread each side. */
final class ManyPingPong implements Program {
    private final Options options;

    ManyPingPong(Options options) {
        this.options = options;
    }

    @Override
    public void serve(ServerSocketChannel listener) throws IOException {
        new SelectorEcho(options).run(listener);
    }

    @Override
    public void drive(SocketAddress server) throws IOException {
        try (PingConnections connections = new PingConnections(options)) {
            connections.open(server, options.connections());
            LoadMeter meter = new LoadMeter(options.rounds(), options.reporter(), options.clockPort());
            connections.exchange(options.warmupNanos() / 2, meter.current());
            options.awaitMove(options.connections());
            connections.exchange(options.warmupNanos() / 2, meter.current());
            double[] allocated = new double[options.rounds()];
            Allocation allocation = new Allocation();
            for (int i = 0; i < options.rounds(); i++) {
                meter.begin();
                allocation.start();
                connections.exchange(options.roundNanos(), meter.current());
                allocated[i] = allocation.perOperation(meter.current().getTotalCount());
                meter.end();
            }
            meter.report();
            options.reporter().result("alloc", Latencies.median(allocated));
            options.checkAcceleration(options.connections());
        }
    }
}
