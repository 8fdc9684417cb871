package org.ucxnio.netty;

import io.netty.channel.ChannelFactory;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * Channels of ucxnio for bootstraps of any Netty 4: {@code bootstrap.channelFactory(UcxNioChannels.sockets())}. Those that a server channel
 * accepts are ucxnio's, too. They may be registered with any NIO event loop, and are accelerated on one of {@link UcxNioIoHandler} or
 * {@link UcxNioEventLoops}. Thread-safe.
 */
public final class UcxNioChannels {
    private UcxNioChannels() {}

    /** For clients. */
    public static ChannelFactory<NioSocketChannel> sockets() {
        return () -> new NioSocketChannel(Provider.INSTANCE);
    }

    /** For servers. */
    public static ChannelFactory<NioServerSocketChannel> serverSockets() {
        return () -> new NioServerSocketChannel(Provider.INSTANCE);
    }
}
