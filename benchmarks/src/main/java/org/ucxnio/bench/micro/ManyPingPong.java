package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;

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
    public void drive(InetSocketAddress server) throws IOException {
        try (PingConnections connections = new PingConnections(options)) {
            connections.open(server, options.connections());
            Latencies latencies = new Latencies(options.rounds());
            connections.exchange(options.warmupNanos(), latencies.current());
            latencies.forget();
            double[] perSecond = new double[options.rounds()];
            double[] allocated = new double[options.rounds()];
            Allocation allocation = new Allocation();
            for (int i = 0; i < options.rounds(); i++) {
                long before = connections.exchanged();
                long start = System.nanoTime();
                allocation.start();
                connections.exchange(options.roundNanos(), latencies.current());
                long count = connections.exchanged() - before;
                allocated[i] = allocation.perOperation(count);
                perSecond[i] = count * 1e9 / (System.nanoTime() - start);
                latencies.endRound(options.reporter());
            }
            latencies.report(options.reporter(), "");
            options.reporter().result("rate", Latencies.median(perSecond));
            options.reporter().result("alloc", Latencies.median(allocated));
            options.checkAcceleration(options.connections());
        }
    }
}
