package org.ucxnio.bench.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;

/** An echo server as Netty's examples have it: {@code EchoServer port=<port>}. */
public final class EchoServer {
    private EchoServer() {}

    public static void main(String[] arguments) {
        Lifeline.run(() -> serve(Settings.parse(arguments, 0)));
    }

    private static void serve(Settings settings) throws InterruptedException {
        Reporter reporter = new Reporter(System.out);
        Lifeline.start(reporter);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        EchoHandler echo = new EchoHandler();
        Channel listener = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(echo);
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), settings.integer("port")))
                .sync()
                .channel();
        reporter.ready(((InetSocketAddress) listener.localAddress()).getPort());
        listener.closeFuture().sync();
    }

    /** Sends back what it receives. */
    @Sharable
    private static final class EchoHandler extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
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
