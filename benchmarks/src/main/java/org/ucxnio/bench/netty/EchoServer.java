package org.ucxnio.bench.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.ucxnio.bench.child.Host;
import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.BusyWork;
import org.ucxnio.bench.measure.ProcessorTime;

/**
 * An echo server as Netty's examples have it: {@code EchoServer port=<port>}; with {@code loops=}, {@code work-us=} and
 * {@code size=} one of several event loops that works on each message of so many bytes; with {@code sink=true} one that takes streams
 * and tells how much has come.
 */
public final class EchoServer {
    private static final int DEFAULT_SIZE = 64;

    private final EventLoopGroup group;
    private final Channel listener;

    EchoServer(Settings settings) throws InterruptedException {
        Transport transport = Transport.of(settings);
        group = transport.loops(settings.integer("loops", 1));
        boolean sink = settings.flag("sink");
        BusyWork work = BusyWork.ofMicros(settings.integer("work-us", 0));
        int size = settings.integer("size", DEFAULT_SIZE);
        listener = new ServerBootstrap()
                .group(group)
                .channel(transport.serverChannel())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(sink ? new SinkHandler() : new EchoHandler(work, size));
                    }
                })
                .bind(new InetSocketAddress(Host.address(), settings.integer("port")))
                .sync()
                .channel();
    }

    public static void main(String[] arguments) {
        Lifeline.run(() -> serve(Settings.parse(arguments, 0)));
    }

    static void serve(Settings settings) throws InterruptedException, IOException {
        Reporter reporter = new Reporter(System.out);
        Lifeline.start(reporter);
        String reason = Transport.of(settings).unavailable();
        if (!reason.isEmpty()) {
            reporter.unavailable(reason);
            return;
        }
        EchoServer server = new EchoServer(settings);
        ProcessorTime.tell(reporter);
        reporter.ready(server.port());
        server.listener.closeFuture().sync();
    }

    int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** Ends the event loops and with them all connections. */
    void end() {
        group.shutdownGracefully();
    }

    /** Sends back what it receives, after work on each whole message. */
    private static final class EchoHandler extends ChannelInboundHandlerAdapter {
        private final BusyWork work;
        private final int size;
        private int partBytes;

        EchoHandler(BusyWork work, int size) {
            this.work = work;
            this.size = size;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            int bytes = partBytes + ((ByteBuf) message).readableBytes();
            for (int i = bytes / size; i > 0; i--) {
                work.run();
            }
            partBytes = bytes % size;
            context.write(message, context.voidPromise());
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            cause.printStackTrace();
            context.close();
        }
    }
}
