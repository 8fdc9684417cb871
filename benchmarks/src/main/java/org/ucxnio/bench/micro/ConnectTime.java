package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.ucxnio.bench.measure.Latencies;
import org.ucxnio.bench.measure.RateMeter;

/**
 * Time to connect, one connection after another in blocking mode: until {@code connect} returns, and until the first
 * byte is here that the server writes once it has accepted. The first connection of the process is reported on its own.
 */
final class ConnectTime implements Program {
    private static final byte GREETING = 42;
    private static final int CONNECTS_AT_LEAST = 20;

    private final Options options;
    private final ByteBuffer buffer;

    ConnectTime(Options options) {
        this.options = options;
        buffer = options.buffer(1);
    }

    @Override
    public void serve(ServerSocketChannel listener) throws IOException {
        while (true) {
            try (SocketChannel channel = listener.accept()) {
                buffer.clear().put(0, GREETING);
                channel.write(buffer);
                buffer.clear();
                channel.read(buffer);
            }
        }
    }

    @Override
    public void drive(SocketAddress server) throws IOException {
        Latencies connects = new Latencies(options.rounds());
        Latencies greetings = new Latencies(options.rounds());
        connectOnce(server, connects, greetings);
        options.reporter().result("first", greetings.current().getMaxValue() / 1e3);
        round(server, options.warmupNanos(), connects, greetings);
        connects.forget();
        greetings.forget();
        RateMeter meter = options.rateMeter();
        for (int i = 0; i < options.rounds(); i++) {
            meter.begin();
            round(server, options.roundNanos(), connects, greetings);
            meter.end(greetings.current().getTotalCount());
            connects.endRound(options.reporter());
            greetings.endRound(options.reporter());
        }
        connects.report(options.reporter(), "connect-");
        greetings.report(options.reporter(), "");
        meter.report();
        try (SocketChannel last = SocketChannel.open(server)) {
            greeting(last);
            options.checkAcceleration(1);
        }
    }

    private void round(SocketAddress server, long durationNanos, Latencies connects, Latencies greetings)
            throws IOException {
        long end = System.nanoTime() + durationNanos;
        int count = 0;
        while (System.nanoTime() - end < 0 || count < CONNECTS_AT_LEAST) {
            connectOnce(server, connects, greetings);
            count++;
        }
    }

    private void connectOnce(SocketAddress server, Latencies connects, Latencies greetings) throws IOException {
        long start = System.nanoTime();
        try (SocketChannel channel = SocketChannel.open(server)) {
            connects.current().recordValue(System.nanoTime() - start);
            greeting(channel);
            greetings.current().recordValue(System.nanoTime() - start);
        }
    }

    private void greeting(SocketChannel channel) throws IOException {
        buffer.clear();
        if (channel.read(buffer) != 1 || buffer.get(0) != GREETING) {
            throw new IOException("no greeting from the server");
        }
    }
}
