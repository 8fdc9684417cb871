package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.ucxnio.bench.child.Acceleration;
import org.ucxnio.bench.measure.RateMeter;

/**
 * Throughput both ways at once: each side sends as many messages as it receives. The client says how many and how long (16 bytes),
 * both stream, and the server's receipt ends the round. The rate is that of messages in one direction.
 */
final class Duplex implements Program {
    private static final int MIN_READ_SIZE = 64 * 1024;

    private final Options options;
    private final int size;
    private final ByteBuffer header;

    Duplex(Options options) {
        this.options = options;
        size = options.size();
        header = options.buffer(2 * Long.BYTES);
    }

    @Override
    public void serve(ServerSocketChannel listener) throws IOException, InterruptedException {
        while (true) {
            try (DuplexWire wire = DuplexWire.of(Sockets.withoutDelay(listener.accept()), options.selector())) {
                wire.read(header.clear());
                while (!header.hasRemaining()) {
                    exchange(wire, header.getLong(0), (int) header.getLong(Long.BYTES));
                    wire.write(header.clear());
                    wire.read(header.clear());
                }
            }
        }
    }

    private void exchange(DuplexWire wire, long messages, int length) throws IOException, InterruptedException {
        ByteBuffer out = options.buffer(length);
        Message.fill(out);
        wire.exchange(messages, length, out, options.buffer(Math.max(length, MIN_READ_SIZE)));
    }

    @Override
    public void drive(SocketAddress server) throws IOException, InterruptedException {
        try (DuplexWire wire = DuplexWire.of(Sockets.withoutDelay(SocketChannel.open(server)), options.selector())) {
            long messages = warmUp(wire, Math.max(1, MIN_READ_SIZE / size));
            options.awaitMove(1);
            messages = warmUp(wire, messages);
            RateMeter meter = options.rateMeter();
            for (int i = 0; i < options.rounds(); i++) {
                meter.begin();
                round(wire, messages);
                double perSecond = meter.end(messages);
                options.reporter()
                        .progress("round %d of %d: %.2f M messages/s, %.2f GB/s each way"
                                .formatted(i + 1, options.rounds(), perSecond / 1e6, perSecond * size / 1e9));
            }
            meter.report();
            options.reporter().result("bytes", meter.median() * size);
            options.checkAcceleration(1);
        }
    }

    /** Grows rounds until half of the warm-up is over; returns the number of messages that fill one round. */
    private long warmUp(DuplexWire wire, long first) throws IOException, InterruptedException {
        long end = System.nanoTime() + options.warmupNanos() / 2;
        long messages = first;
        long nanos = round(wire, messages);
        long sent = messages;
        while (System.nanoTime() - end < 0 || sent < Acceleration.MOVE_CALLS) {
            if (nanos < options.roundNanos() / 2) {
                messages *= 2;
            }
            nanos = round(wire, messages);
            sent += messages;
        }
        return Math.max(1, Math.round((double) messages * options.roundNanos() / nanos));
    }

    private long round(DuplexWire wire, long messages) throws IOException, InterruptedException {
        header.clear().putLong(0, messages).putLong(Long.BYTES, size);
        long start = System.nanoTime();
        wire.write(header);
        exchange(wire, messages, size);
        wire.read(header.clear());
        if (header.hasRemaining() || header.getLong(0) != messages) {
            throw new IOException("no receipt for " + messages + " messages");
        }
        return System.nanoTime() - start;
    }
}
