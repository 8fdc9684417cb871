package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import org.ucxnio.bench.measure.LoadMeter;

/** Connections that live for one message there and back, one after another: connect, write, read, close. */
final class ShortConnections implements Program {
    private final Options options;
    private final EchoOnce echo;

    ShortConnections(Options options) {
        this.options = options;
        echo = new EchoOnce(options);
    }

    @Override
    public void serve(ServerSocketChannel listener) throws IOException {
        echo.serve(listener);
    }

    @Override
    public void drive(SocketAddress server) throws IOException {
        LoadMeter meter = new LoadMeter(options.rounds(), options.reporter(), options.clockPort());
        round(server, options.warmupNanos(), meter);
        for (int i = 0; i < options.rounds(); i++) {
            meter.begin();
            round(server, options.roundNanos(), meter);
            meter.end();
        }
        meter.report();
        try (Wire last = echo.ask(server)) {
            echo.awaitAnswer(last);
            options.checkAcceleration(1);
        }
    }

    private void round(SocketAddress server, long durationNanos, LoadMeter meter) throws IOException {
        long last = System.nanoTime();
        long end = last + durationNanos;
        while (last - end < 0) {
            try (Wire wire = echo.ask(server)) {
                echo.awaitAnswer(wire);
            }
            long now = System.nanoTime();
            meter.current().recordValue(now - last);
            last = now;
        }
    }
}
