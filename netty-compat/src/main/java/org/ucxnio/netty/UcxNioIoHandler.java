package org.ucxnio.netty;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SelectStrategyFactory;
import io.netty.channel.nio.NioIoHandler;

/**
 * Event loops of Netty 4.2 and later whose selectors are ucxnio's:
 * {@code new MultiThreadIoEventLoopGroup(UcxNioIoHandler.newFactory())}. For channels see {@link UcxNioChannels}. Thread-safe.
 */
public final class UcxNioIoHandler {
    private UcxNioIoHandler() {}

    /** As Netty's {@code NioIoHandler.newFactory()}. */
    public static IoHandlerFactory newFactory() {
        return NioIoHandler.newFactory(Provider.INSTANCE);
    }

    /** As Netty's {@code NioIoHandler.newFactory(SelectorProvider, SelectStrategyFactory)}. */
    public static IoHandlerFactory newFactory(SelectStrategyFactory selectStrategy) {
        return NioIoHandler.newFactory(Provider.INSTANCE, selectStrategy);
    }
}
