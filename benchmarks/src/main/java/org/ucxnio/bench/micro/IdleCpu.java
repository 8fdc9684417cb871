package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import org.ucxnio.bench.measure.Latencies;

/** Processor time that two idle selectors use, server's and client's, with many connections between them. */
final class IdleCpu implements Program {
    private static final long SETTLE_MILLIS = 1500;
    private static final double NANOS_PER_MILLI = 1e6;

    private final Options options;

    IdleCpu(Options options) {
        this.options = options;
    }

    @Override
    public void serve(ServerSocketChannel listener) throws IOException {
        new SelectorEcho(options).run(listener);
    }

    @Override
    public void drive(SocketAddress server) throws IOException, InterruptedException {
        try (PingConnections connections = new PingConnections(options)) {
            connections.open(server, options.connections());
            connections.exchange(options.warmupNanos(), new Latencies(1).current());
            options.awaitMove(options.connections());
            // Bytes that tell by their way how the idle connections are carried.
            connections.exchange(0, new Latencies(1).current());
            Thread selecting = new Thread(() -> selectForEver(connections.selector()), "idle-selector");
            selecting.setDaemon(true);
            selecting.start();
            Thread.sleep(SETTLE_MILLIS);
            measure();
            options.checkAcceleration(options.connections());
        }
    }

    private void measure() throws IOException, InterruptedException {
        long self = ProcessHandle.current().pid();
        // Once for nothing: classes load, loops compile.
        ProcessFigures.processorNanos(self);
        double[] client = new double[options.rounds()];
        double[] server = new double[options.rounds()];
        for (int i = 0; i < options.rounds(); i++) {
            long clientStart = ProcessFigures.processorNanos(self);
            long serverStart = ProcessFigures.processorNanos(options.peerPid());
            long start = System.nanoTime();
            Thread.sleep(Math.max(1, (long) (options.roundNanos() / NANOS_PER_MILLI)));
            double elapsed = System.nanoTime() - start;
            client[i] = 100 * (ProcessFigures.processorNanos(self) - clientStart) / elapsed;
            server[i] = 100 * (ProcessFigures.processorNanos(options.peerPid()) - serverStart) / elapsed;
            options.reporter()
                    .progress("round %d of %d: client %.2f %%, server %.2f %%"
                            .formatted(i + 1, options.rounds(), client[i], server[i]));
        }
        options.reporter().result("client", Latencies.median(client));
        options.reporter().result("server", Latencies.median(server));
    }

    private static void selectForEver(Selector selector) {
        try {
            while (selector.isOpen()) {
                selector.select();
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }
}
