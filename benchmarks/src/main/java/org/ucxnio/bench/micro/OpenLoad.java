package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.ucxnio.bench.measure.Latencies;
import org.ucxnio.bench.measure.RateMeter;

/**
 * Messages that leave by the clock, whether earlier ones have been answered or not, on one connection in a selector. The latency
 * of a message counts from the moment when it was due: one that has to wait for a server that stalls, or for room in the channel, has
 * that wait in it. A load that sends once it has its answer leaves such waits out (coordinated omission).
 */
final class OpenLoad implements Program {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final Options options;
    private final int size;
    private final double intervalNanos;
    private final ByteBuffer out;
    private final ByteBuffer in;
    private SocketChannel channel;
    private Selector selector;
    private long sent;
    private long answered;

    OpenLoad(Options options) {
        this.options = options;
        size = options.size();
        intervalNanos = NANOS_PER_SECOND / options.perSecond();
        out = options.buffer(size);
        in = options.buffer(size);
        Message.fill(out);
    }

    @Override
    public void serve(ServerSocketChannel listener) throws IOException {
        new SelectorEcho(options).run(listener);
    }

    @Override
    public void drive(SocketAddress server) throws IOException {
        try (SocketChannel connected = SocketChannel.open(server);
                Selector opened = Selector.open()) {
            channel = Sockets.withoutDelay(connected);
            selector = opened;
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            Latencies latencies = new Latencies(options.rounds());
            RateMeter meter = options.rateMeter();
            run(options.warmupNanos() / 2, latencies);
            options.awaitMove(1);
            run(options.warmupNanos() / 2, latencies);
            latencies.forget();
            for (int i = 0; i < options.rounds(); i++) {
                meter.begin();
                run(options.roundNanos(), latencies);
                meter.end(latencies.current().getTotalCount());
                latencies.endRound(options.reporter());
            }
            meter.report();
            latencies.report(options.reporter(), "");
            options.checkAcceleration(1);
        }
    }

    /** Sends for {@code durationNanos} what is due by then, and waits for all answers. */
    private void run(long durationNanos, Latencies latencies) throws IOException {
        long first = sent;
        long start = System.nanoTime();
        long count = Math.max(1, (long) (durationNanos / intervalNanos));
        out.clear().position(size);
        while (answered < first + count) {
            long due = sent - first < count ? start + (long) ((sent - first) * intervalNanos) : Long.MAX_VALUE;
            if (out.hasRemaining() || due - System.nanoTime() <= 0 && due != Long.MAX_VALUE) {
                send();
                receive(start, first, latencies, 0);
            } else {
                receive(start, first, latencies, due);
            }
        }
    }

    /** Begins a message, or goes on with one that the channel has not taken whole. */
    private void send() throws IOException {
        if (!out.hasRemaining()) {
            out.clear();
            Message.stamp(out, size, sent++);
        }
        channel.write(out);
    }

    /** Takes answers; waits for the first until a message is {@code due}, and not at all where that is 0. */
    private void receive(long start, long first, Latencies latencies, long due) throws IOException {
        long pause = due == 0 ? 0 : due == Long.MAX_VALUE ? due : due - System.nanoTime() - SPIN_NANOS;
        if (due == Long.MAX_VALUE) {
            selector.select();
        } else if (pause >= TimeUnit.MILLISECONDS.toNanos(1)) {
            selector.select(TimeUnit.NANOSECONDS.toMillis(pause));
        } else {
            selector.selectNow();
        }
        if (selector.selectedKeys().isEmpty()) {
            return;
        }
        selector.selectedKeys().clear();
        int count = channel.read(in);
        while (count > 0) {
            if (!in.hasRemaining()) {
                Message.check(in, size, answered);
                long dueNanos = start + (long) ((answered - first) * intervalNanos);
                latencies.current().recordValue(System.nanoTime() - dueNanos);
                answered++;
                in.clear();
            }
            count = channel.read(in);
        }
        if (count < 0) {
            throw new IOException("the server closed the connection");
        }
    }
}
