package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Connections in blocking mode that carry one message there and back and are closed by the client. */
final class EchoOnce {
    private final ByteBuffer buffer;
    private final int size;
    private long number;

    EchoOnce(Options options) {
        size = options.size();
        buffer = options.buffer(size);
        Message.fill(buffer);
    }

    /** Serves one connection after another for ever. */
    void serve(ServerSocketChannel listener) throws IOException {
        while (true) {
            try (Wire wire = BlockingWire.of(listener.accept())) {
                answer(wire);
                buffer.clear();
                if (Wire.readFully(wire, buffer)) {
                    throw new IOException("a second message on one connection");
                }
            }
        }
    }

    /** Sends back the one message of {@code wire}. */
    void answer(Wire wire) throws IOException {
        buffer.clear();
        if (!Wire.readFully(wire, buffer)) {
            throw new IOException("no message");
        }
        buffer.flip();
        wire.write(buffer);
    }

    /** Opens a connection and sends a message on it. */
    Wire ask(SocketAddress server) throws IOException {
        Wire wire = BlockingWire.of(SocketChannel.open(server));
        buffer.clear();
        Message.stamp(buffer, size, ++number);
        wire.write(buffer);
        return wire;
    }

    /** Waits for the answer. */
    void awaitAnswer(Wire wire) throws IOException {
        buffer.clear();
        if (!Wire.readFully(wire, buffer)) {
            throw new IOException("the server closed the connection");
        }
        Message.check(buffer, size, number);
    }
}
