package org.ucxnio.bench.netty;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import java.util.function.Supplier;
import org.ucxnio.bench.child.Settings;

/** What Netty's event loops run on: the JVM's selector provider, or one of Netty's own transports for comparison. */
enum Transport {
    NIO(NioIoHandler::newFactory, NioSocketChannel.class, NioServerSocketChannel.class),
    EPOLL(EpollIoHandler::newFactory, EpollSocketChannel.class, EpollServerSocketChannel.class),
    IO_URING(IoUringIoHandler::newFactory, IoUringSocketChannel.class, IoUringServerSocketChannel.class);

    private final Supplier<IoHandlerFactory> handlers;
    private final Class<? extends SocketChannel> channel;
    private final Class<? extends ServerSocketChannel> serverChannel;

    Transport(
            Supplier<IoHandlerFactory> handlers,
            Class<? extends SocketChannel> channel,
            Class<? extends ServerSocketChannel> serverChannel) {
        this.handlers = handlers;
        this.channel = channel;
        this.serverChannel = serverChannel;
    }

    /** The one that {@code settings} name; without a name the JVM's provider. */
    static Transport of(Settings settings) {
        return switch (settings.text("transport", "nio")) {
            case "epoll" -> EPOLL;
            case "io_uring" -> IO_URING;
            default -> NIO;
        };
    }

    /** Why it cannot run here, or empty. */
    String unavailable() {
        Throwable cause = switch (this) {
            case NIO -> null;
            case EPOLL -> Epoll.unavailabilityCause();
            case IO_URING -> IoUring.unavailabilityCause();
        };
        return cause == null ? "" : root(cause).toString();
    }

    private static Throwable root(Throwable cause) {
        return cause.getCause() == null ? cause : root(cause.getCause());
    }

    EventLoopGroup loops(int count) {
        return new MultiThreadIoEventLoopGroup(count, handlers.get());
    }

    Class<? extends SocketChannel> channel() {
        return channel;
    }

    Class<? extends ServerSocketChannel> serverChannel() {
        return serverChannel;
    }
}
