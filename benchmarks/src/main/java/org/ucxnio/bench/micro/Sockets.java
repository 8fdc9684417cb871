package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.ucxnio.bench.child.Host;
import org.ucxnio.bench.child.Settings;

/** Sockets of the kind that a run measures: TCP, or Unix-domain sockets for comparison. */
final class Sockets {
    private static final int BACKLOG = 1024;

    private Sockets() {}

    /** Where the server listens: at {@code port}, or at the file of that name in the directory {@code unix}. */
    static SocketAddress address(Settings settings) {
        return settings.has("unix")
                ? UnixDomainSocketAddress.of(Path.of(settings.text("unix"), "socket-" + settings.text("port")))
                : new InetSocketAddress(Host.address(), settings.integer("port"));
    }

    /** A listener; where its server is asked how it is called, a Unix-domain socket has no port. */
    static ServerSocketChannel listen(SocketAddress address) throws IOException {
        ServerSocketChannel listener = address instanceof UnixDomainSocketAddress
                ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                : ServerSocketChannel.open();
        return listener.bind(address, BACKLOG);
    }

    static int port(ServerSocketChannel listener) throws IOException {
        return listener.getLocalAddress() instanceof InetSocketAddress address ? address.getPort() : 0;
    }

    /** Has the messages of a channel leave at once; those of Unix-domain sockets always do. */
    static SocketChannel withoutDelay(SocketChannel channel) throws IOException {
        return channel.supportedOptions().contains(StandardSocketOptions.TCP_NODELAY)
                ? channel.setOption(StandardSocketOptions.TCP_NODELAY, true)
                : channel;
    }
}
