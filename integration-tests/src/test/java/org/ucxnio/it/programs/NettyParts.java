package org.ucxnio.it.programs;

import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.Map;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.netty.UcxNioChannels;
import org.ucxnio.netty.UcxNioEventLoops;
import org.ucxnio.netty.UcxNioIoHandler;

/** Event loops and channels: those of the JVM's provider, or, with a property, of ours whatever that is. */
public enum NettyParts {
    /** Of the JVM's provider. */
    USUAL,

    /** As with Netty 4.1. */
    EVENT_LOOPS,

    /** As with Netty 4.2. */
    IO_HANDLER;

    public static final String PROPERTY = "ucxnio.it.netty";

    public static final NettyParts CHOSEN = valueOf(System.getProperty(PROPERTY, USUAL.name()));

    public EventLoopGroup group(int threads) {
        return switch (this) {
            case USUAL -> new NioEventLoopGroup(threads);
            case EVENT_LOOPS -> UcxNioEventLoops.newGroup(threads);
            case IO_HANDLER -> IoHandlers.group(threads);
        };
    }

    public ChannelFactory<NioSocketChannel> sockets() {
        return this == USUAL ? NioSocketChannel::new : UcxNioChannels.sockets();
    }

    public ChannelFactory<NioServerSocketChannel> serverSockets() {
        return this == USUAL ? NioServerSocketChannel::new : UcxNioChannels.serverSockets();
    }

    /** What {@link Commands} answers. */
    Map<String, Commands.Action> commands() {
        return this == USUAL
                ? Map.of()
                : Map.of("traffic", () -> Traffic.ofOurs().toLine());
    }

    /** Loaded with Netty 4.2 alone. */
    private static final class IoHandlers {
        static EventLoopGroup group(int threads) {
            return new MultiThreadIoEventLoopGroup(threads, UcxNioIoHandler.newFactory());
        }
    }
}
