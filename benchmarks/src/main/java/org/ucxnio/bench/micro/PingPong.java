package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.ucxnio.bench.child.Acceleration;
import org.ucxnio.bench.measure.Latencies;
import org.ucxnio.bench.measure.RateMeter;
import org.ucxnio.bench.measure.RoundTrips;

/**
 * Round trip of one message on one connection, whose client says first how long messages are. Each round is measured twice: with a time stamp at every message, which
 * gives percentiles and costs some 25 ns a message, and without, which gives the bare mean.
 */
final class PingPong implements Program {
    private final RoundTrips roundTrips = new RoundTrips(this::roundTrip);
    private final Options options;
    private final ByteBuffer buffer;
    private final int size;
    private Wire wire;
    private long number;

    PingPong(Options options) {
        this.options = options;
        size = options.size();
        buffer = options.buffer(size);
        Message.fill(buffer);
    }

    @Override
    public void serve(ServerSocketChannel listener) throws IOException {
        while (true) {
            try (Wire accepted = Wire.of(Sockets.withoutDelay(listener.accept()), options.selector())) {
                wire = accepted;
                ByteBuffer message = options.buffer(receiveSize());
                boolean open = true;
                while (open) {
                    open = echo(message);
                }
            }
        }
    }

    private int receiveSize() throws IOException {
        ByteBuffer header = ByteBuffer.allocate(Integer.BYTES);
        if (!Wire.readFully(wire, header)) {
            throw new IOException("the client closed the connection before it said how long its messages are");
        }
        return header.getInt(0);
    }

    private boolean echo(ByteBuffer message) throws IOException {
        message.clear();
        if (!Wire.readFully(wire, message)) {
            return false;
        }
        message.flip();
        wire.write(message);
        return true;
    }

    @Override
    public void drive(SocketAddress server) throws IOException {
        try (Wire connected = Wire.of(Sockets.withoutDelay(SocketChannel.open(server)), options.selector())) {
            wire = connected;
            wire.write(ByteBuffer.allocate(Integer.BYTES).putInt(0, size));
            Latencies latencies = new Latencies(options.rounds());
            roundTrips.timed(options.warmupNanos() / 2, latencies.current());
            while (number < Acceleration.MOVE_CALLS) {
                roundTrip();
            }
            options.awaitMove(1);
            roundTrips.mean(options.warmupNanos() / 2);
            latencies.forget();
            measure(latencies);
            options.checkAcceleration(1);
        }
    }

    private void measure(Latencies latencies) throws IOException {
        double[] meanMicros = new double[options.rounds()];
        double[] allocated = new double[options.rounds()];
        Allocation allocation = new Allocation();
        RateMeter meter = options.rateMeter();
        for (int i = 0; i < options.rounds(); i++) {
            long first = number;
            meter.begin();
            allocation.start();
            roundTrips.timed(options.roundNanos() / 2, latencies.current());
            allocated[i] = allocation.perOperation(number - first);
            meanMicros[i] = roundTrips.mean(options.roundNanos() / 2) / 1e3;
            meter.end(number - first);
            latencies.endRound(options.reporter());
        }
        latencies.report(options.reporter(), "");
        meter.report();
        options.reporter().result("mean", Latencies.median(meanMicros));
        options.reporter().result("alloc", Latencies.median(allocated));
    }

    private void roundTrip() throws IOException {
        long sent = number++;
        buffer.clear();
        Message.stamp(buffer, size, sent);
        wire.write(buffer);
        buffer.clear();
        if (!Wire.readFully(wire, buffer)) {
            throw new IOException("the server closed the connection");
        }
        Message.check(buffer, size, sent);
    }
}
