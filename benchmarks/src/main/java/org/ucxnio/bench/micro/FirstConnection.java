package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;

/** The first connection of this JVM: from before it is opened until the answer to its first message is here. */
final class FirstConnection implements Program {
    private static final double NANOS_PER_MILLI = 1e6;

    private final Options options;
    private final EchoOnce echo;

    FirstConnection(Options options) {
        this.options = options;
        echo = new EchoOnce(options);
    }

    @Override
    public void serve(ServerSocketChannel listener) throws IOException {
        echo.serve(listener);
    }

    @Override
    public void drive(SocketAddress server) throws IOException {
        long start = System.nanoTime();
        try (Wire wire = echo.ask(server)) {
            echo.awaitAnswer(wire);
            options.reporter().result("first", (System.nanoTime() - start) / NANOS_PER_MILLI);
        }
    }
}
