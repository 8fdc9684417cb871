package org.ucxnio.connect;

import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import org.ucxnio.transport.Connection;

/**
 * An accelerated connection that finished its handshake.
 *
 * @param control the kernel socket of its control connection, non-blocking
 * @param connection its byte stream
 * @param local the address the application sees as its own
 * @param remote the address the application sees as the peer's
 */
public record Accepted(
        SocketChannel control, Connection connection, InetSocketAddress local, InetSocketAddress remote) {}
