package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;

/** One benchmark: what its server does and what its client does. */
interface Program {
    /** The server's part; returns when its client has left, or never. */
    void serve(ServerSocketChannel listener) throws IOException, InterruptedException;

    /** The client's part, which measures and reports. */
    void drive(SocketAddress server) throws IOException, InterruptedException;
}
