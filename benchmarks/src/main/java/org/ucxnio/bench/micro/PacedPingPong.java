package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.locks.LockSupport;
import org.ucxnio.bench.measure.Latencies;
import org.ucxnio.bench.measure.RateMeter;

/** Round trip with a pause before each, long enough for the server's selector to fall asleep: the cost of a wake-up. */
final class PacedPingPong implements Program {
    private final Options options;

    PacedPingPong(Options options) {
        this.options = options;
    }

    @Override
    public void serve(ServerSocketChannel listener) throws IOException {
        new SelectorEcho(options).run(listener);
    }

    @Override
    public void drive(SocketAddress server) throws IOException {
        try (PingConnections connections = new PingConnections(options)) {
            connections.open(server, 1);
            Latencies latencies = new Latencies(options.rounds());
            RateMeter meter = options.rateMeter();
            // Compiled code first, at full speed, then the pace.
            connections.exchange(options.warmupNanos() / 2, latencies.current());
            options.awaitMove(1);
            pacedRound(connections, options.warmupNanos() / 2, latencies);
            latencies.forget();
            for (int i = 0; i < options.rounds(); i++) {
                meter.begin();
                pacedRound(connections, options.roundNanos(), latencies);
                meter.end(latencies.current().getTotalCount());
                latencies.endRound(options.reporter());
            }
            latencies.report(options.reporter(), "");
            meter.reportProcessor();
            options.checkAcceleration(1);
        }
    }

    private void pacedRound(PingConnections connections, long durationNanos, Latencies latencies) throws IOException {
        long end = System.nanoTime() + durationNanos;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(options.paceNanos());
            connections.exchange(0, latencies.current());
        }
    }
}
