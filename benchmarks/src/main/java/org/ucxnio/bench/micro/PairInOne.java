package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import org.ucxnio.bench.child.Expectation;

/** All that a small program does: a server and a client in this one thread, one message there and back, the end. */
final class PairInOne implements Program {
    private final Options options;
    private final EchoOnce client;
    private final EchoOnce server;

    PairInOne(Options options) {
        this.options = options;
        client = new EchoOnce(options);
        server = new EchoOnce(options);
    }

    @Override
    public void serve(ServerSocketChannel listener) {
        throw new UnsupportedOperationException("the client is its own server");
    }

    @Override
    public void drive(SocketAddress nobody) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (Wire asking = client.ask(listener.getLocalAddress());
                    Wire answering = BlockingWire.of(listener.accept())) {
                server.answer(answering);
                client.awaitAnswer(asking);
                if (options.expected() != Expectation.ANY) {
                    options.checkAcceleration(1);
                }
            }
        }
    }
}
