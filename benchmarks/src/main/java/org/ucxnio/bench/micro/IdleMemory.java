package org.ucxnio.bench.micro;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import org.HdrHistogram.Histogram;
import org.ucxnio.bench.measure.Latencies;

/**
 * Memory, descriptors and threads of an idle connection pair, both ends in this one JVM. Each connection exchanges as many messages
 * before it idles as it takes to leave TCP, and more. The launcher has the heap touched at the start, so that growth of the
 * process is all but heap; heap in use after a collection is added to it. A page that is mapped twice counts once, as the machine has it
 * once: both ends map a ring, here in one process.
 */
final class IdleMemory implements Program {
    private static final int FIRST_PAIRS = 20;
    private static final int EXCHANGES = 256;
    private static final double BYTES_PER_KIB = 1024;
    private static final int COLLECTIONS = 3;
    private static final long SETTLE_MILLIS = 500;

    private final Options options;

    IdleMemory(Options options) {
        this.options = options;
    }

    /** Bytes, descriptors and threads of the process at one moment. */
    private record Footprint(long ownBytes, long sharedBytes, long heapBytes, int descriptors, int threads) {
        static Footprint take() throws IOException, InterruptedException {
            for (int i = 0; i < COLLECTIONS; i++) {
                System.gc();
                Thread.sleep(SETTLE_MILLIS);
            }
            long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            return new Footprint(
                    ProcessFigures.mapsBytes("Pss"),
                    ProcessFigures.mapsBytes("Pss_Shmem"),
                    heap,
                    ProcessFigures.descriptors(),
                    ManagementFactory.getThreadMXBean().getThreadCount());
        }
    }

    @Override
    public void serve(ServerSocketChannel listener) throws IOException {
        new SelectorEcho(options).run(listener);
    }

    @Override
    public void drive(SocketAddress server) throws IOException, InterruptedException {
        try (PingConnections connections = new PingConnections(options)) {
            connections.open(server, FIRST_PAIRS);
            connections.exchange(options.warmupNanos(), new Latencies(1).current());
            use(connections);
            Footprint before = Footprint.take();
            int pairs = options.connections();
            options.reporter().progress("opening " + pairs + " pairs");
            connections.open(server, pairs);
            use(connections);
            connections.exchange(0, new Latencies(1).current());
            options.reporter().progress("measuring " + pairs + " idle pairs");
            Footprint after = Footprint.take();
            report(before, after, pairs);
            options.checkAcceleration(2 * pairs);
        }
    }

    private void use(PingConnections connections) throws IOException {
        Histogram ignored = new Latencies(1).current();
        for (int i = 0; i < EXCHANGES; i++) {
            connections.exchange(0, ignored);
        }
        // Both ends are in this JVM: each pair counts twice.
        options.awaitMove(2 * connections.count());
    }

    private void report(Footprint before, Footprint after, int pairs) {
        long own = after.ownBytes() - before.ownBytes();
        long heap = after.heapBytes() - before.heapBytes();
        long shared = after.sharedBytes() - before.sharedBytes();
        options.reporter().result("memory", (own + heap) / BYTES_PER_KIB / pairs);
        options.reporter().result("heap", heap / BYTES_PER_KIB / pairs);
        options.reporter().result("shared", shared / BYTES_PER_KIB / pairs);
        options.reporter().result("descriptors", (double) (after.descriptors() - before.descriptors()) / pairs);
        options.reporter().result("threads", (double) (after.threads() - before.threads()) / pairs);
        options.reporter().result("descriptors-fixed", before.descriptors() - 2.0 * FIRST_PAIRS);
    }
}
