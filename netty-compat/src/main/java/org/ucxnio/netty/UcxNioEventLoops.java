package org.ucxnio.netty;

import io.netty.channel.nio.NioEventLoopGroup;
import java.util.concurrent.ThreadFactory;

/**
 * Event loops of Netty 4.1 whose selectors are ucxnio's. They work with Netty 4.2, too, which has {@link UcxNioIoHandler} for new code. For
 * channels see {@link UcxNioChannels}. Thread-safe.
 */
@SuppressWarnings("deprecation")
public final class UcxNioEventLoops {
    private UcxNioEventLoops() {}

    /** @param threads how many loops; 0 for as many as Netty takes by default */
    public static NioEventLoopGroup newGroup(int threads) {
        return newGroup(threads, null);
    }

    /**
     * As {@link #newGroup(int)}.
     *
     * @param threadFactory null for Netty's own
     */
    public static NioEventLoopGroup newGroup(int threads, ThreadFactory threadFactory) {
        return new NioEventLoopGroup(threads, threadFactory, Provider.INSTANCE);
    }
}
